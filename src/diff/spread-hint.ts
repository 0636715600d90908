import { joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { isDrainTaint } from '../plan/drains';
import { formatPoolPrefix, formatRejectionKind } from '../plan/rejection-messages';
import type { CompiledCluster, CompiledFleet } from '../scheduler/compiled-fleet';
import { createFurtherRoom } from '../scheduler/explain-deployment';
import type { Placement } from '../scheduler/placement';
import type { Reason, Rejection } from '../scheduler/reason';
import { RejectionFinder } from '../scheduler/rejections';
import { scheduleState } from '../scheduler/schedule';

/** Replicas that end on one cluster, or in one domain. */
interface GatheredReplicas {
  /** Their deployments: `namespace/name`. */
  readonly deployments: readonly string[];

  /** The clusters that they leave. */
  readonly left: readonly string[];

  /** Whether others serve until they are finalized. */
  readonly isDraining: boolean;

  /** Those that stay. */
  readonly replicas: number;
}

/** What puts replicas on clusters again that they leave. */
export type HintToSpread = (gathered: GatheredReplicas) => string;

type TriedFleet = Pick<PlacedFleet, 'model' | 'matcher' | 'schedule'>;

/**
 * Creates the hint for the replicas of a fleet. Nothing goes back to a cluster that is drained, gone or full, or that
 * rejects the replicas.
 *
 * @param former the replicas before the change
 */
export function createSpreadHint(
  { fleet, ...placed }: TriedFleet & Pick<PlacedFleet, 'fleet'>,
  former: readonly Placement[],
): HintToSpread {
  let trials: SpreadTrials | undefined;
  return ({ deployments, left, isDraining, replicas }) => {
    const open = fleet.clusters.flatMap(({ metadata: { name }, spec }) =>
      left.includes(name) && !spec.taints.some(isDrainTaint) ? [name] : [],
    );
    if (replicas < 2 || open.length === 0) return KEEP_TWO_CLUSTERS;
    const { hasRoom, spreads, findNearest } = (trials ??= createTrials(placed, former));
    if (!hasRoom(deployments, open)) {
      const rejection = findNearest(deployments, open);
      if (rejection && !OF_ROOM.has(rejection.reason.filter)) return hintToChange(rejection);
      const [one, have] = open.length === 1 ? ['', 'has'] : ['one of ', 'have'];
      return `To stay on two clusters, keep or add room on ${one}${joinNames(open)}, which ${have} none for another replica`;
    }
    if (!deployments.some((id) => spreads(id, open))) return KEEP_TWO_CLUSTERS;
    const when = isDraining ? " after 'lock --finalize'" : '';
    return `To spread again${when}: raise 'replicas' by 1, and lower it when the new replica serves`;
  };
}

/** The reasons against a cluster that more room removes. */
const OF_ROOM: ReadonlySet<Reason['filter']> = new Set(['capacity', 'quota', 'together']);

function hintToChange(rejection: Rejection): string {
  // Tables set what names a selector apart.
  const reason = formatRejectionKind(rejection).replace(/ {2,}/g, ' ');
  return `To stay on two clusters, change what keeps replicas off ${rejection.cluster}: ${formatPoolPrefix(rejection.pool)}${reason}`;
}

interface SpreadTrials {
  /** Whether one of some clusters has room for a further replica of one of the deployments. */
  readonly hasRoom: (deployments: readonly string[], open: readonly string[]) => boolean;

  /** Whether a deployment has a replica on one of them once `replicas` is raised by 1 and lowered again. */
  readonly spreads: (deployment: string, open: readonly string[]) => boolean;

  /** What keeps a further replica of one of the deployments from these clusters, on the pools that it had there. */
  readonly findNearest: (deployments: readonly string[], open: readonly string[]) => Rejection | undefined;
}

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

/** What draining replicas take is free before others are added, and goes to replicas without a place first. */
function createTrials({ model, matcher, schedule }: TriedFleet, former: readonly Placement[]): SpreadTrials {
  const serving = schedule.placements.filter(({ draining }) => !draining);
  const state = scheduleState(model, serving, matcher);
  const settled = state.placements();
  const further = createFurtherRoom({ model, matcher }, settled);
  let left = TRIED_REPLICAS;
  const place = (deployments: CompiledFleet['deployments'], lines: readonly Placement[]): readonly Placement[] => {
    left -= lines.length;
    return left < 0 ? [] : scheduleState({ ...model, deployments }, lines, matcher).placements();
  };
  return {
    hasRoom: (deployments, open) => {
      const clusters = model.clusters.filter(({ name }) => open.includes(name));
      return model.deployments.some(
        (one) => deployments.includes(one.id) && clusters.some((cluster) => further.has(one, cluster)),
      );
    },
    spreads: (id, open) => {
      const raised = model.deployments.map((one) => (one.id === id ? { ...one, replicas: one.replicas + 1 } : one));
      const lowered = place(model.deployments, place(raised, settled));
      return lowered.some(({ deployment, cluster }) => deployment === id && open.includes(cluster));
    },
    findNearest: (deployments, open) => {
      const finder = new RejectionFinder(state);
      const lines = former.filter(({ deployment }) => deployments.includes(deployment));
      const clusters = model.clusters.filter(({ name }) => open.includes(name));
      const used = clusters.map((cluster) => keepUsedPools(cluster, lines));
      const asked = model.deployments.filter(({ id }) => deployments.includes(id));
      const found = asked.flatMap((one) => finder.findNearest(one, used) ?? []);
      return found.find(({ reason }) => OF_ROOM.has(reason.filter)) ?? found[0];
    },
  };
}

/** A cluster with the pools of some replicas alone. As it is where they had other pools. */
function keepUsedPools(cluster: CompiledCluster, lines: readonly Placement[]): CompiledCluster {
  const names = new Set(lines.flatMap((line) => (line.cluster === cluster.name ? Object.values(line.pools) : [])));
  const pools = cluster.pools.filter(({ name }) => names.has(name));
  return pools.length > 0 ? { ...cluster, pools } : cluster;
}

const KEEP_TWO_CLUSTERS = 'Keep replicas on two clusters';
