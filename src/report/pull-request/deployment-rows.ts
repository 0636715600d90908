import { sortedBy } from '../../base/order';
import type { ChangeWithLeast } from '../../cost/cost-changes';
import type { CopiesChange } from '../../diff/copies-changes';
import type { DeploymentDiff, FleetDiff } from '../../diff/fleet-diff';
import { losesEveryPlace } from '../../diff/gate-findings';
import type { ModelChange } from '../../diff/model-changes';
import { losesItsPool } from '../../diff/pool-disruption';
import { isEvicted } from '../../diff/replica-changes';
import {
  type ApplyMode,
  countAsApplied,
  type LowestServing,
  restartsWithNodes,
} from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import { listShortDeployments, type ShortDeployment } from '../diff/shortfall-changes';
import { findImageChange, type ImageChange } from './image-change';
import { describeEdits, describeRestart } from './restart-causes';

/** What a change does to one deployment, or to several deployments in the same way, for the table and the headline. */
export interface DeploymentRow {
  /** `namespace/name`, sorted. */
  readonly deployments: readonly string[];
  readonly replicas: Counts;
  readonly accelerators: Counts;

  /** The number of replicas by what happens to them. A moved replica counts once. */
  readonly actions: Readonly<Record<Action, number>>;

  /** Whether the deployment is new or no longer declared. */
  readonly declared?: 'added' | 'removed';

  /** The name of the same deployment before, of a new one, or after, of one that is no longer declared. */
  readonly renamed?: string;

  /** For what replicas restart: `InferenceClass h100`. */
  readonly restartsFor?: string;

  /** What changes in them, but for image and model: `enforce-eager added`. */
  readonly steps?: string;

  /** The model that its engines load, where that changes. */
  readonly model?: ModelChange;

  /** What is edited, as a text that is the same for deployments with the same edits. */
  readonly edits: string;

  /** The change of the image, if there is one: `v0.22.0 → v0.23.0`. */
  readonly image?: ImageChange;

  /** The most replicas that restart at the same time. 0: none stops serving. */
  readonly atATime: number;

  /** Whether that is on each cluster: more restart at a time where clusters are applied independently. */
  readonly eachCluster: boolean;

  /** The replicas whose node pool is removed although they have no other place. They are `offline` too. */
  readonly withoutPool: number;

  /** The clusters that replicas move from and to, sorted by name; empty if none moves. */
  readonly moves: readonly string[];

  /** The moved replicas that stop before their replacement serves. */
  readonly movedWithDowntime: number;

  /** Those of them whose node pool is deleted. */
  readonly movedOffPool: number;

  /** The fewest replicas that serve at any time, by how the change is applied. Absent if none served before or will. */
  readonly serving?: LowestServing;
  readonly cost: readonly ChangeWithLeast<'deployment'>[];

  /** The change of bounds of copies or of what an autoscaler follows, the same for all. */
  readonly copies?: CopiesChange;

  /** The replicas without a place, of those declared. Absent: all have one. */
  readonly unplaced?: Unplaced;
}

export interface Unplaced {
  readonly missing: number;
  readonly declared: number;
  readonly accepted: boolean;
}

export interface Counts {
  readonly before: number;
  readonly after: number;
}

/**
 * What happens to a replica: `offline` on nodes that are deleted first, `restart` while its nodes are recreated, `evict`
 * where it has no place any more.
 */
export type Action = Exclude<ReplicaChange['action'], 'keep'> | 'offline' | 'restart' | 'evict';

/**
 * Returns a row for each deployment of which replicas or copies change or have no place, by deployment.
 *
 * @param applied how the change is applied. Default: wave by wave
 */
export function toDeploymentRows(
  diff: FleetDiff,
  plan: Pick<Plan, 'deployments'>,
  applied: ApplyMode = 'withWaves',
): DeploymentRow[] {
  const changed = toChangedRows(diff, applied);
  const short = new Map(listShortDeployments(plan, diff).map((one) => [one.deployment, one]));
  const copies = new Map(diff.copies.map((one) => [one.deployment, one]));
  const known = new Set(changed.flatMap(({ deployments }) => deployments));
  const others = plan.deployments
    .filter(({ deployment: id }) => !known.has(id) && (short.has(id) || copies.has(id)))
    .map((one) => toUnchangedRow(one, diff, copies.get(one.deployment)));
  const rows = [...changed, ...others].map((row): DeploymentRow => {
    const {
      deployments: [id = ''],
    } = row;
    const [missing, bounds] = [short.get(id), copies.get(id)];
    return { ...row, ...(missing && { unplaced: toUnplaced(missing) }), ...(bounds && { copies: bounds }) };
  });
  return others.length === 0 ? rows : sortedBy(rows, ({ deployments: [id = ''] }) => id);
}

function toUnplaced({ replicas, shortfall: { missing, accepted } }: ShortDeployment): Unplaced {
  return { missing, declared: replicas, accepted };
}

export const NO_ACTIONS: DeploymentRow['actions'] = {
  offline: 0,
  restart: 0,
  place: 0,
  move: 0,
  roll: 0,
  draining: 0,
  remove: 0,
  evict: 0,
};

/** The row of a deployment of which no replica changes. */
function toUnchangedRow(plan: Plan['deployments'][number], { cost }: FleetDiff, copies?: CopiesChange): DeploymentRow {
  const { deployment, replicas, shortfall } = plan;
  const placed = replicas - (shortfall?.missing ?? 0);
  return {
    deployments: [deployment],
    replicas: { before: placed, after: placed },
    accelerators: copies?.accelerators ?? { before: 0, after: 0 },
    actions: NO_ACTIONS,
    edits: '',
    atATime: 0,
    eachCluster: false,
    withoutPool: 0,
    moves: [],
    movedWithDowntime: 0,
    movedOffPool: 0,
    cost: cost?.deployments.filter((one) => one.deployment === deployment) ?? [],
  };
}

function toChangedRows(diff: FleetDiff, applied: ApplyMode): DeploymentRow[] {
  const declarations = new Map(diff.declarations.map((change) => [change.id, change]));
  const costs = new Map(diff.cost?.deployments.map((change) => [change.deployment, change]));
  return diff.deployments.map((change) => {
    const { deployment, serving, accelerators } = change;
    const declaration = declarations.get(`ModelDeployment ${deployment}`);
    const image = findImageChange(declaration, diff.objects);
    const cost = costs.get(deployment);
    const { before, after } = serving;
    const { withWaves, perCluster, atOnce } = countAsApplied(serving, applied);
    const lost = change.changes.filter(losesItsPool).length;
    const renamed = declaration?.renamed?.split(' ')[1];
    const isInterrupted = before > 0 && (after > 0 || losesEveryPlace(change) || renamed !== undefined);
    return {
      deployments: [deployment],
      replicas: { before, after: after - lost },
      accelerators: lost > 0 ? { ...accelerators, after: (accelerators.after * (after - lost)) / after } : accelerators,
      actions: countActions(change),
      ...(declaration && declaration.action !== 'changed' && { declared: declaration.action }),
      ...(image && { image }),
      ...(change.model && { model: change.model }),
      ...describeRestart(change),
      edits: describeEdits(change),
      atATime: countAtATime(change, applied),
      eachCluster: applied !== 'atOnce' && serving.perCluster < serving.withWaves,
      withoutPool: lost,
      moves: listMoves(change),
      movedWithDowntime: change.changes.filter(movesWithDowntime).length,
      movedOffPool: change.changes.filter((one) => movesWithDowntime(one) && one.nodes === 'replace').length,
      ...(renamed !== undefined && { renamed }),
      ...(isInterrupted && { serving: { withWaves, perCluster, atOnce } }),
      cost: cost ? [cost] : [],
    };
  });
}

function countActions({ changes }: DeploymentDiff): DeploymentRow['actions'] {
  const others = changes.filter((one) => !isOffline(one) && !restartsWithNodes(one));
  const count = (action: ReplicaChange['action']): number => others.filter((one) => one.action === action).length;
  const evicted = others.filter(isEvicted);
  return {
    offline: changes.filter(isOffline).length,
    restart: changes.filter(({ nodes }) => nodes === 'roll').length,
    place: count('place'),
    move: count('move'),
    roll: count('roll'),
    draining: count('draining'),
    remove: count('remove') - evicted.length,
    evict: evicted.length,
  };
}

/** Whether a replica stays on nodes that are deleted before the new ones exist. */
function isOffline({ action, nodes }: ReplicaChange): boolean {
  return nodes === 'replace' && action !== 'move';
}

function movesWithDowntime({ action, surgeFirst }: ReplicaChange): boolean {
  return action === 'move' && surgeFirst !== true;
}

function countAtATime({ changes }: DeploymentDiff, applied: ApplyMode): number {
  const waves = new Map<number, number>();
  for (const change of changes) {
    const { action, down, nodes } = change;
    const wave = applied === 'atOnce' ? 1 : (change.wave ?? 1);
    if (action === 'roll' && down && nodes !== 'replace' && !restartsWithNodes(change))
      waves.set(wave, (waves.get(wave) ?? 0) + 1);
  }
  return Math.max(0, ...waves.values());
}

function listMoves({ changes }: DeploymentDiff): string[] {
  const moves = changes.flatMap(({ action, from, cluster }) =>
    action === 'move' && from ? [from.cluster === cluster ? `within ${cluster}` : `${from.cluster} → ${cluster}`] : [],
  );
  return [...new Set(moves)].sort();
}
