import { sortUnique } from '../base/order';
import { pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import type { ServiceWarning } from './service-pair';

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
  const what = `${namespace}/${name} has ${pluralize(replicas.length, 'replica')}, all on ${cluster}${zone}: nothing serves it while ${cluster} is down`;
  return [{ code: 'lost-redundancy', what, hint: 'If it has to serve then, place replicas on two clusters' }];
}
