import { API_VERSION, OUR_GROUP } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { shortenText } from '../base/describe-value';
import type { ManifestNode } from './document-contents';

/** A field that only Fleetwright has, by the kind that has it. */
const OWN_FIELDS = {
  ModelDeployment: ['spec', 'template', 'spec', 'engines'],
  InferenceCluster: ['spec', 'nodePools', 0, 'className'],
  InferenceClass: ['spec', 'devices', 0, 'deviceClassName'],
  ModelCache: ['spec', 'huggingFace', 'repo'],
  ModelService: ['spec', 'endpoints', 0, 'selector'],
} as const;

/** Warns of a document of another API that has the spec of a kind of Fleetwright. Undefined for other documents. */
export function describeForeignDocument({ node, apiVersion, kind }: ManifestNode): Diagnostic<number> | undefined {
  // Its kinds that Fleetwright does not read have parts of those that it reads.
  if (apiVersion.startsWith('modelplane.ai/')) return undefined;
  const [meant] = Object.entries(OWN_FIELDS).find(([, path]) => node.getIn(path) !== undefined) ?? [];
  if (meant === undefined) return undefined;
  const what = `${shortenText(`${apiVersion} ${kind}`)} is ignored, and its spec has the fields of the kind ${meant}`;
  const hint = `Set 'apiVersion: ${OUR_GROUP[0]}/${API_VERSION}' and 'kind: ${meant}'`;
  return warningAt('ignored-resource', node.range[0], what, hint);
}
