import { imageRepositoryOf } from '../api/image-names';
import type { ModelDeployment } from '../api/model-deployment';

/**
 * Whether replicas of two deployments have the same engines, whatever their versions, and ask for the same devices: what
 * one of them serves, the other can serve too.
 */
export function areComparable(a: ModelDeployment, b: ModelDeployment): boolean {
  return describeReplica(a) === describeReplica(b);
}

function describeReplica({ spec }: ModelDeployment): string {
  const engines = spec.template.spec.engines.map(({ members }) =>
    members.map(({ nodeSelector, worker, template }) => [
      nodeSelector,
      worker,
      template.spec.containers.map(({ image = '' }) => imageRepositoryOf(image)),
    ]),
  );
  return JSON.stringify(engines);
}
