import { parseResource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { type Group, qualifiedName, VERSION } from '../api/resource';
import type { FormerShape } from '../fleet';
import { canonicalDocument, documentOf } from '../manifest/canonical';
import { shapeDigest } from './shape-digest';

/** Fields of a spec that only decide where replicas go, or how many there are. */
const OF_PLACING = ['priority', 'allowPartial', 'minAvailable', 'paused', 'placement'];
const OF_PLACING_IN_TEMPLATE = ['clusterSelector', 'tolerations'];

/**
 * What a deployment is, to be kept for the replicas that run it when it changes. Nothing for one that the lock
 * cannot hold: with the defaults of the fleet it may have more labels than a deployment may declare.
 */
export function recordShape(deployment: ModelDeployment): FormerShape | undefined {
  const { name, namespace = '' } = deployment.metadata;
  const { spec } = documentOf(deployment) as { spec: Record<string, unknown> };
  const template = deployment.spec.template;
  const reduced = {
    ...without(spec, OF_PLACING),
    replicas: 1,
    template: { ...template, spec: without(template.spec, OF_PLACING_IN_TEMPLATE) },
  };
  const declared = toDeployment({ group: deployment.group, namespace, name, spec: reduced });
  if (!declared) return undefined;
  let text: string | undefined;
  return {
    deployment: qualifiedName(deployment),
    shape: shapeDigest(declared.spec.template.spec.engines),
    declared,
    // Found on demand: few shapes come into a lock, and to shorten one is to read it once for each of its fields.
    get text(): string {
      text ??= textOf(declared);
      return text;
    },
  };
}

function textOf(declared: ModelDeployment): string {
  const { spec } = canonicalDocument(declared) as { spec: unknown };
  const group = declared.group === OURS ? {} : { group: declared.group };
  return ascii(JSON.stringify({ ...group, spec }));
}

/**
 * Reads what `recordShape` wrote.
 *
 * @param id `namespace/name` of the deployment
 * @returns nothing when the text is damaged, or is not of the engines that its digest says
 */
export function readShape(id: string, shape: string, text: string): FormerShape | undefined {
  const [namespace = '', name = ''] = id.split('/');
  const { group = OURS, spec } = contentOf(text);
  const declared = toDeployment({ group, namespace, name, spec });
  if (!declared || shapeDigest(declared.spec.template.spec.engines) !== shape) return undefined;
  return { deployment: id, shape, declared, text };
}

/** What both lists hold, each shape once: where they differ, the later counts. */
export function joinShapes(...lists: readonly (readonly FormerShape[])[]): FormerShape[] {
  return [...new Map(lists.flat().map((one) => [`${one.deployment} ${one.shape}`, one])).values()];
}

const OURS: Group = 'fleetwright.dev';

interface Content {
  readonly group?: unknown;
  readonly spec?: unknown;
}

function contentOf(text: string): Content {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}

function toDeployment({
  group,
  namespace,
  name,
  spec,
}: Content & { namespace: string; name: string }): ModelDeployment | undefined {
  const parsed = parseResource({
    apiVersion: `${String(group)}/${VERSION}`,
    kind: 'ModelDeployment',
    metadata: { namespace, name },
    spec,
  });
  return 'resource' in parsed && parsed.resource.kind === 'ModelDeployment' ? parsed.resource : undefined;
}

function without(value: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}

/** Escapes what not every YAML reader takes as it is. */
function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
