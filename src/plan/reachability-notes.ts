import { findUnmetRequirement } from '../api/label-matching';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { ComputedReplica } from '../replicas/replica';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { toPermanentSelector } from '../routing/checks/nearest-labels';
import { isGranted, selectableLabelsOf } from '../routing/selectable-items';

type Routed = Pick<Fleet, 'deployments' | 'services' | 'grants'>;

/**
 * Says which deployments no client can reach: no service selects them, and their NetworkPolicies admit no one else. Of a
 * fleet that routes nothing yet, nothing is said.
 */
export function describeUnreachable(fleet: Routed, replicas: readonly ComputedReplica[]): string[] {
  const placed = new Set(replicas.map(({ deployment }) => qualifiedNameOf(deployment)));
  const closed = fleet.deployments.map((one) => ({ one, name: qualifiedNameOf(one) }));
  const names = closed.filter(({ one, name }) => placed.has(name) && isUnreachable(one, fleet)).map(({ name }) => name);
  if (names.length === 0) return [];
  const [which, them, their] =
    names.length === 1 ? ['ModelDeployment', 'it', 'its'] : ['the ModelDeployments', 'them', 'their'];
  return [
    `No client can reach ${which} ${joinNames(names)}: declare a ModelService that selects ${them}, or name the pods of clients in ${their} networkPolicy.from.`,
  ];
}

/**
 * Says which clusters without replicas come last for deployments with a service, because their gateway lacks settings.
 * With `gateway: None`, they do so by choice.
 */
export function describeLastChoices(
  { clusters }: Pick<Fleet, 'clusters'>,
  { deployments }: Pick<CompiledFleet, 'deployments'>,
  replicas: readonly ComputedReplica[],
): string[] {
  const avoided = new Set(deployments.flatMap(({ avoids }) => [...(avoids ?? [])]));
  if (avoided.size === 0) return [];
  const used = new Set(replicas.map(({ cluster }) => cluster.metadata.name));
  const empty = clusters
    .filter(({ spec, metadata: { name } }) => spec.gateway.enabled && avoided.has(name) && !used.has(name))
    .map(({ metadata }) => metadata.name);
  if (empty.length === 0) return [];
  const [which, them, their] = empty.length === 1 ? ['cluster', 'it', 'its'] : ['clusters', 'them', 'their'];
  return [
    `No ingress gateway reaches ${which} ${joinNames(empty)}, so replicas that services select come to ${them} last: set ${their} spec.gateway, or 'gateway: None' if that is what you want.`,
  ];
}

/**
 * Whether no client can reach a deployment. Of a fleet that routes nothing yet, that is not said: another product may.
 * Deployments of the alias group cannot declare peers.
 */
export function isUnreachable(deployment: ModelDeployment, { services, grants }: Routed): boolean {
  if (services.length === 0 || deployment.group !== 'fleetwright.dev') return false;
  const { enabled, from } = deployment.spec.template.spec.networkPolicy;
  if (!enabled || from.length > 0) return false;
  const item = { resource: deployment, labels: selectableLabelsOf(deployment) };
  return !services.some(
    (service) =>
      isGranted(service, item, grants) &&
      service.spec.endpoints.some(
        ({ selector }) => !findUnmetRequirement({ ...selector, ...toPermanentSelector(selector) }, item.labels),
      ),
  );
}
