import { addNodes, changeCompiledCluster } from '../scheduler/changed-demands';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { Placement } from '../scheduler/placement';
import { scheduleState } from '../scheduler/schedule';
import type { PlacedFleet } from '../plan/decision';
import type { FleetDiff } from './fleet-diff';
import { type Cause, NODE_COUNT_FIELD, toCauses } from './replica-causes';
import { findCompiledPool } from './supposed-pools';

/** Replicas that edits take off clusters. */
interface LeftPlaces {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly clusters: readonly string[];
  readonly causes: readonly Cause[];
}

type States = Readonly<Record<'before' | 'after', PlacedFleet>>;

/**
 * Creates a function that tells whether a deployment keeps a replica on each of the clusters where the change has all but
 * these edits, decided from the earlier lock. False where that is not known. The fleet is scheduled once for the same
 * edits, however many deployments they concern.
 */
export function createKeptCheck(
  { declarations }: Pick<FleetDiff, 'declarations'>,
  { before, after }: States,
): (left: LeftPlaces) => boolean {
  const edits = declarations.flatMap(toCauses).map(keyOf);
  const tried = new Map<string, readonly Placement[]>();
  const scheduleWithout = (causes: readonly Cause[]): readonly Placement[] => {
    const model = restoreNodes(after.model, before.model, causes);
    return model ? scheduleState(model, before.schedule.placements, after.matcher).placements() : [];
  };
  return ({ deployment, clusters, causes }) => {
    if (causes.length === 0) return false;
    const left = new Set(causes.map(keyOf));
    // Nothing changes then.
    if (edits.every((edit) => left.has(edit))) return true;
    const key = [...left].sort().join('\n');
    const placements = tried.get(key) ?? scheduleWithout(causes);
    tried.set(key, placements);
    const kept = placements.filter((one) => one.deployment === deployment && !one.draining);
    return clusters.every((cluster) => kept.some((one) => one.cluster === cluster));
  };
}

/** The later clusters with the nodes that edits take away. Undefined: an edit is of something else. */
function restoreNodes(
  later: CompiledFleet,
  earlier: CompiledFleet,
  edits: readonly Cause[],
): CompiledFleet | undefined {
  const pools = new Map(
    edits.flatMap(({ id, field }) => {
      const pool = NODE_COUNT_FIELD.exec(field?.field ?? '')?.[1];
      return pool === undefined ? [] : [[`${id} ${pool}`, { cluster: id.replace('InferenceCluster ', ''), pool }]];
    }),
  );
  if (!edits.every(({ field }) => NODE_COUNT_FIELD.test(field?.field ?? ''))) return undefined;
  return [...pools.values()].reduce((model, { cluster, pool }) => {
    const [was, is] = [earlier, model].map((one) => findCompiledPool(one, cluster, pool)?.nodes);
    const fewer = (was ?? 0) - (is ?? 0);
    return fewer > 0 && is !== undefined
      ? changeCompiledCluster(model, cluster, (one) => addNodes(one, pool, fewer))
      : model;
  }, later);
}

function keyOf({ id, action, field }: Cause): string {
  return JSON.stringify([id, action, field?.path]);
}
