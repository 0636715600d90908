import { parseResource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { API_VERSION, type Group, qualifiedNameOf } from '../api/resource';
import { isMap, tryParseJson } from '../base/json';
import type { PreviousRevision } from '../fleet/fleet';
import { documentOf, toCanonicalDocument } from '../manifest/canonical-document';
import { shapeDigestOf } from './shape-digest';

/** Fields of a spec that decide only where replicas go, or how many there are. */
const PLACEMENT_FIELDS = ['priority', 'allowPartial', 'minAvailable', 'paused', 'placement'];
const TEMPLATE_PLACEMENT_FIELDS = ['clusterSelector', 'tolerations'];

/**
 * Records the spec of a deployment for replicas that still run it after a change. Returns nothing for a deployment
 * that the lock cannot hold: with the defaults of the fleet it may have more labels than a deployment may declare.
 */
export function recordRevision(deployment: ModelDeployment): PreviousRevision | undefined {
  const { name, namespace = '' } = deployment.metadata;
  const { spec } = documentOf(deployment) as { spec: Record<string, unknown> };
  const template = deployment.spec.template;
  const reduced = {
    ...omitFields(spec, PLACEMENT_FIELDS),
    replicas: 1,
    template: { ...template, spec: omitFields(template.spec, TEMPLATE_PLACEMENT_FIELDS) },
  };
  const declared = toDeployment(deployment.group, namespace, name, reduced);
  if (!declared) return undefined;
  let text: string | undefined;
  return {
    deployment: qualifiedNameOf(deployment),
    shape: shapeDigestOf(declared),
    declared,
    // Computed lazily: few shapes get into a lock, and shortening a spec parses it once for each of its
    // fields.
    get text(): string {
      text ??= formatRevision(declared);
      return text;
    },
  };
}

function formatRevision(declared: ModelDeployment): string {
  const { spec } = toCanonicalDocument(declared) as { spec: unknown };
  const group = declared.group === DEFAULT_GROUP ? {} : { group: declared.group };
  return escapeNonAscii(JSON.stringify({ ...group, spec }));
}

/**
 * Parses the text of a recorded revision.
 *
 * @param id `namespace/name` of the deployment
 * @returns nothing if the text is damaged, or if its engines do not have the digest `shape`
 */
export function parseRevision(id: string, shape: string, text: string): PreviousRevision | undefined {
  const [namespace = '', name = ''] = id.split('/');
  const content = tryParseJson(text);
  const { group = DEFAULT_GROUP, spec } = isMap(content) ? content : {};
  const declared = toDeployment(group, namespace, name, spec);
  if (!declared || shapeDigestOf(declared) !== shape) return undefined;
  return { deployment: id, shape, declared, text };
}

/** Joins lists of revisions, each shape once. If lists differ, the later one wins. */
export function mergeRevisions(...lists: readonly (readonly PreviousRevision[])[]): PreviousRevision[] {
  return [...new Map(lists.flat().map((revision) => [`${revision.deployment} ${revision.shape}`, revision])).values()];
}

const DEFAULT_GROUP: Group = 'fleetwright.dev';

function toDeployment(group: unknown, namespace: string, name: string, spec: unknown): ModelDeployment | undefined {
  const apiVersion = `${String(group)}/${API_VERSION}`;
  const parsed = parseResource({ apiVersion, kind: 'ModelDeployment', metadata: { namespace, name }, spec });
  return 'resource' in parsed && parsed.resource.kind === 'ModelDeployment' ? parsed.resource : undefined;
}

function omitFields(value: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}

/** Escapes the characters that some YAML parsers do not accept. */
export function escapeNonAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
