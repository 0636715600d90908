import type { InferenceCluster } from '../api/inference-cluster';
import { groupBy, sortUnique } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { countClaimedDevices } from '../scheduler/devices/pod-fit';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import { listPlacedPods } from './replica-usage';

/** A quota of a queue that is less than the replicas of its cluster take. */
export interface ShortQuota {
  readonly resource: InferenceCluster;
  readonly queue: string;

  /** The device class or extended resource. */
  readonly name: string;
  readonly quota: number;

  /** What the replicas take, at the most copies and with the pods of a rollout. */
  readonly devices: number;
}

interface PlacedFleet {
  readonly fleet: Pick<Fleet, 'clusters'>;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
}

/** Lists the quotas that are too small: a cluster would have the room, and its queue would hold pods back. */
export function listShortQuotas({ fleet, model, matcher, placements }: PlacedFleet): ShortQuota[] {
  const limited = fleet.clusters.filter(hasQuota);
  if (limited.length === 0) return [];
  const byCluster = groupBy(placements, ({ cluster }) => cluster);
  return limited.flatMap((resource) => {
    const { queue = '', quota: quotas = {} } = resource.spec.scheduler ?? {};
    const taken = countClaimed(model, byCluster.get(resource.metadata.name) ?? [], matcher);
    return [...taken].flatMap(([name, devices]) => {
      const quota = quotas[name] ?? 0;
      return devices > quota ? [{ resource, queue, name, quota, devices }] : [];
    });
  });
}

/** A quota that has to be raised for more pods than there are. */
export interface QuotaRaise {
  readonly cluster: string;
  readonly queue: string;
  readonly resource: string;
  readonly from: number;
  readonly to: number;
}

/** Lists the quotas to raise for a supposed fleet. Those that are as short without what it supposes are left out. */
export function listQuotaRaises(before: PlacedFleet, supposed: PlacedFleet): QuotaRaise[] {
  const short = listShortQuotas(supposed);
  if (short.length === 0) return [];
  const former = new Map(listShortQuotas(before).map((one) => [keyOf(one), one.devices]));
  return short.flatMap((one) => {
    if (one.devices <= (former.get(keyOf(one)) ?? 0)) return [];
    const { resource, queue, name, quota, devices } = one;
    return [{ cluster: resource.metadata.name, queue, resource: name, from: quota, to: devices }];
  });
}

/** Lists the quotas to raise for a deployment that takes more on its places. */
type ListRaisesFor = (changed: CompiledDeployment) => QuotaRaise[];

/**
 * Creates a function that lists the quotas to raise when a deployment takes more on its places. It reads the clusters of
 * that deployment alone, because many are asked about.
 */
export function createRaiseLister({ fleet, model, matcher, placements }: PlacedFleet): ListRaisesFor {
  const limited = new Map(fleet.clusters.filter(hasQuota).map((one) => [one.metadata.name, one]));
  if (limited.size === 0) return () => [];
  const byCluster = groupBy(placements, ({ cluster }) => cluster);
  const byDeployment = groupByDeployment(placements);
  const deploymentsById = new Map(model.deployments.map((one) => [one.id, one]));
  const clustersByName = new Map(model.clusters.map((one) => [one.name, one]));
  return (changed) => {
    const names = sortUnique((byDeployment.get(changed.id) ?? []).map(({ cluster }) => cluster));
    const concerned = names.flatMap((name) => limited.get(name) ?? []);
    if (concerned.length === 0) return [];
    const there = concerned.flatMap(({ metadata }) => byCluster.get(metadata.name) ?? []);
    const deployments = sortUnique(there.map(({ deployment }) => deployment)).flatMap(
      (id) => deploymentsById.get(id) ?? [],
    );
    const clusters = names.flatMap((name) => clustersByName.get(name) ?? []);
    const before = { fleet: { clusters: concerned }, matcher, placements: there };
    const after = deployments.map((one) => (one.id === changed.id ? changed : one));
    return listQuotaRaises(
      { ...before, model: { ...model, clusters, deployments } },
      { ...before, model: { ...model, clusters, deployments: after } },
    );
  };
}

function hasQuota({ spec }: InferenceCluster): boolean {
  return Object.keys(spec.scheduler?.quota ?? {}).length > 0;
}

function keyOf({ resource, name }: ShortQuota): string {
  return `${resource.metadata.name} ${name}`;
}

/** Counts the devices that placed replicas claim, by device class or extended resource, in the order of placements. */
function countClaimed(
  model: CompiledFleet,
  placements: readonly Placement[],
  matcher: PodMatcher,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { member, fit } of listPlacedPods(model, placements, matcher)) {
    for (const [name, count] of Object.entries(countClaimedDevices(fit))) {
      counts.set(name, (counts.get(name) ?? 0) + member.pods * count);
    }
  }
  return counts;
}
