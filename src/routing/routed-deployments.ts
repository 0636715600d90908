import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
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

/**
 * Whether clients of a deployment reach only the replicas of their own cluster, by its Service there: pods can be clients,
 * and no service sends requests to it.
 *
 * @param routed the deployments to which services send requests
 */
export function hasLocalClients(deployment: ModelDeployment, routed: ReadonlySet<string>): boolean {
  return !routed.has(qualifiedNameOf(deployment)) && admitsPods(deployment);
}
