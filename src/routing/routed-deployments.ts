import type { ModelDeployment } from '../api/model-deployment';
import type { Routing } from './routing';

/** The deployments and endpoints to which services send requests: `namespace/name`. */
export function listRoutedDeployments({ services }: Pick<Routing, 'services'>): ReadonlySet<string> {
  const members = services.flatMap(({ rules }) => rules.flatMap((rule) => rule.members));
  return new Set(members.map(({ target: { namespace, name } }) => `${namespace}/${name}`));
}

/** Whether pods in the clusters of a deployment can be its clients. Gateways are admitted in any case. */
export function admitsPods({ spec }: Pick<ModelDeployment, 'spec'>): boolean {
  const { enabled, from } = spec.template.spec.networkPolicy;
  return !enabled || from.length > 0;
}
