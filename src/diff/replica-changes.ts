import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import type { Placed } from '../plan/decide';
import { compareText, groupBy } from '../order';
import { fitted } from '../render/names';
import type { ComputedReplica } from '../render/replica';
import type { EvictionReason, Placement } from '../scheduler/types';
import { type RolledEngines, replicaKey } from './rolled-engines';

/** What happens to one replica between two states. */
export interface ReplicaChange {
  /**
   * `roll`: its pods are replaced where they are. `leaving`: it serves until it is settled, and a replica that is
   * placed takes over.
   */
  readonly action: 'keep' | 'place' | 'roll' | 'leaving' | 'remove';
  readonly cluster: string;
  readonly index: number;

  /** The pool of each engine; before, where it is removed. */
  readonly pools: Placement['pools'];

  /** When it is rolled, counted over the replicas of the deployment. */
  readonly wave?: number;

  /** Whether it stops serving while it is rolled: an engine of it has one copy and no surge. */
  readonly down?: boolean;

  /** Why it does not stay. Absent where the lock alone says so. */
  readonly reason?: EvictionReason;
}

/** Replicas of two states and what is known of the way from one to the other. */
export interface Passage {
  readonly before: Placed;
  readonly after: Placed;

  /** The later declarations decided from the earlier lock: it knows why replicas do not stay. */
  readonly planned: Placed;
  readonly rolled: RolledEngines;
}

/** What happens to the replicas of every deployment that is in one of two states, by its id. */
export function replicaChanges({
  before,
  after,
  planned,
  rolled,
}: Passage): ReadonlyMap<string, ReplicaChange[]> {
  const [earlier, later] = [byDeployment(before.replicas), byDeployment(after.replicas)];
  const [old, now] = [before, after].map(placementsOf);
  const reasons = new Map(
    planned.schedule.evictions.map(({ placement, reason }) => [keyOf(placement), reason]),
  );
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  return new Map(
    ids.map((id) => {
      const [was, is] = [earlier.get(id) ?? new Map(), later.get(id) ?? new Map()];
      const keys = [...new Set([...is.keys(), ...was.keys()])].sort(compareText);
      const changes = keys.flatMap((key) => {
        const placement = now?.get(key) ?? old?.get(key);
        const newlyLeaving = placement?.leaving && !old?.get(key)?.leaving;
        const both = { was: was.get(key), is: is.get(key), rolled, newlyLeaving: newlyLeaving === true };
        return placement ? [changeOf({ ...both, placement }, reasons.get(key))] : [];
      });
      return [id, changes.sort((a, b) => compareText(a.cluster, b.cluster) || a.index - b.index)];
    }),
  );
}

interface Both {
  readonly placement: Placement;
  readonly was: ComputedReplica | undefined;
  readonly is: ComputedReplica | undefined;
  readonly rolled: RolledEngines;
  readonly newlyLeaving: boolean;
}

function changeOf(
  { placement, was, is, rolled, newlyLeaving }: Both,
  reason: EvictionReason | undefined,
): ReplicaChange {
  const { cluster, index, pools } = placement;
  const place = { cluster, index, pools };
  const why = reason && { reason };
  if (!is) return { action: 'remove', ...place, ...why };
  if (!was) return { action: 'place', ...place };
  if (newlyLeaving) return { action: 'leaving', ...place, ...why };
  const engines = rolled.get(keyOfReplica(is));
  if (!engines) return { action: 'keep', ...place };
  return { action: 'roll', ...place, wave: is.wave.fleet, down: goesDown(is.deployment, engines) };
}

/** Whether a replica stops serving while some of its engines are replaced. */
function goesDown({ spec: { rollout, template } }: ModelDeployment, engines: ReadonlySet<string>): boolean {
  const rolled = template.spec.engines.filter(({ name }) => engines.has(name) || engines.has(''));
  return rolled.some(({ copies }) => rollout.strategy === 'Recreate' || copies + rollout.surge <= 1);
}

function byDeployment(
  replicas: readonly ComputedReplica[],
): ReadonlyMap<string, Map<string, ComputedReplica>> {
  const grouped = groupBy(replicas, ({ deployment }) => qualifiedName(deployment));
  return new Map(
    [...grouped].map(([id, all]) => [
      id,
      new Map(all.map((one) => [`${id} ${one.cluster.metadata.name}/${one.index}`, one])),
    ]),
  );
}

function placementsOf({ schedule }: Placed): ReadonlyMap<string, Placement> {
  return new Map(schedule.placements.map((one) => [keyOf(one), one]));
}

function keyOf({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}

/** As the labels of its objects have it. */
function keyOfReplica({ deployment: { metadata }, cluster, index }: ComputedReplica): string {
  return replicaKey(metadata.namespace ?? '', fitted(metadata.name), cluster.metadata.name, index);
}
