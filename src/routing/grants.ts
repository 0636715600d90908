import type { Grant } from '../api/grant';
import { firstUnmet } from '../api/label-match';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import type { Labels } from './units';

/** Something that services select, under the labels that they see. */
export interface Selectable {
  readonly resource: ModelDeployment | ModelEndpoint;
  readonly labels: Labels;
}

/** Whether a service may send requests to something: in its own namespace, else where a Grant lets it. */
export function mayUse(
  service: ModelService,
  { resource, labels }: Selectable,
  grants: readonly Grant[],
): boolean {
  const { kind, metadata } = resource;
  if (metadata.namespace === service.metadata.namespace) return true;
  const all = { ...metadata.labels, ...labels };
  return grants.some(
    (grant) =>
      grant.metadata.namespace === metadata.namespace &&
      grant.spec.from.some(({ namespace }) => namespace === service.metadata.namespace) &&
      grant.spec.to.some((to) => to.kind === kind && !firstUnmet(to, all)),
  );
}
