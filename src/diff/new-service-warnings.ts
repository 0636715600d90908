import { qualifiedNameOf } from '../api/resource';
import { formatCount } from '../base/figures';
import { sortUnique } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import type { ServiceWarning } from './service-pair';

/** The most deployments to name. */
const MAX_NAMED = 3;

/** Finds whether all of several replicas of a new service are on one of the clusters of a fleet. */
export function findSingleCluster(
  { namespace, name, rules }: RoutedService,
  { fleet, schedule }: Pick<PlacedFleet, 'fleet' | 'schedule'>,
): ServiceWarning[] {
  const members = rules.flatMap((rule) => rule.members);
  const targets = new Set(members.map(({ target }) => `${target.namespace}/${target.name}`));
  const replicas = schedule.placements.filter(({ deployment, draining }) => targets.has(deployment) && !draining);
  const [cluster, ...others] = sortUnique(members.map((one) => one.cluster ?? ''));
  if (!cluster || others.length > 0 || replicas.length < 2 || fleet.clusters.length < 2) return [];
  const pools = new Set(replicas.flatMap((one) => Object.values(one.pools)));
  const { nodePools = [] } = fleet.clusters.find(({ metadata }) => metadata.name === cluster)?.spec ?? {};
  const zones = new Set(nodePools.flatMap((pool) => (pools.has(pool.name) ? pool.zones : [])));
  const zone = zones.size === 1 ? ` (zone ${[...zones].join('')})` : '';
  const what = `${namespace}/${name} has ${pluralize(replicas.length, 'replica')}, all on ${cluster}${zone}: nothing serves it while ${cluster} is down${describeMinimums(fleet, targets)}`;
  return [{ code: 'lost-redundancy', what, hint: 'If it has to serve then, place replicas on two clusters' }];
}

/** `, below minAvailable: 2 of ml/chat`. Empty: none of these deployments has one. */
function describeMinimums({ deployments }: Pick<Fleet, 'deployments'>, ids: ReadonlySet<string>): string {
  const minimums = deployments.flatMap((one) => {
    const { minAvailable } = one.spec;
    const id = qualifiedNameOf(one);
    return ids.has(id) && minAvailable !== undefined ? [`${formatCount(minAvailable)} of ${id}`] : [];
  });
  return minimums.length === 0 ? '' : `, below minAvailable: ${joinNames(minimums, MAX_NAMED)}`;
}
