import { groupBy, sortedBy, sortUnique } from '../../base/order';
import type { CopiesChange } from '../../diff/copies-changes';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import { type Downtime, downtimeAsApplied } from '../../diff/downtime';
import type { DrainedReplicas } from '../../diff/drained-replicas';
import type { FleetDiff } from '../../diff/fleet-diff';
import { losesEveryPlace } from '../../diff/deployment-findings';
import type { AdapterChange, ModelChange } from '../../diff/model-changes';
import { losesItsPlace, losesItsPool } from '../../diff/pool-disruption';
import { type ApplyMode, type LowestServing, lowestOf } from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import { isEvicted } from '../../plan/replica-moves';
import { poolsOf } from '../diff/change-sentences';
import { listShortDeployments, type ShortDeployment } from '../diff/shortfall-changes';
import { finalizedCostsOf, type RowCosts } from './finalized-costs';
import { createImageChangeFinder, type ImageChange } from './image-change';
import { drainedBy, type Move, poolText, type SpotPools, toMove } from './moves';
import { type ActionCounts, countActions, countAtATime, NO_ACTIONS, pickCopiesInTurn } from './replica-actions';
import { describeEdits, describeRestart } from './restart-causes';

/** What a change does to one deployment, or to several deployments in the same way, for the table and the headline. */
export interface DeploymentRow extends RowCosts {
  /** `namespace/name`, sorted. */
  readonly deployments: readonly string[];
  readonly replicas: Counts;
  readonly accelerators: Counts & {
    /** Those that draining replicas keep until they are finalized. */
    readonly draining: number;

    /** Those that draining replicas keep until their replacements fit. */
    readonly unreplaced: number;
  };

  /** The number of replicas by what happens to them. A moved replica counts once. */
  readonly actions: ActionCounts;

  /** Whether the deployment is new or no longer declared. */
  readonly declared?: 'added' | 'removed';

  /** Whether it is no longer declared, and no client could reach it. Absent: no. */
  readonly unreachable?: true;

  /** The name of the same deployment before, of a new one, or after, of one that is no longer declared. */
  readonly renamed?: string;

  /** For what replicas restart: `InferenceClass h100`. */
  readonly restartsFor?: string;

  /** What changes in them, but for image and model: `enforce-eager added`. */
  readonly steps?: string;

  /** The model that its engines load, where that changes. */
  readonly model?: ModelChange;

  /** The model that the engines of a new deployment load. */
  readonly loads?: string;

  /** The image of a new deployment. */
  readonly runs?: string;

  /** The adapters that keep their names and get other files. */
  readonly adapters?: readonly AdapterChange[];

  /** What is edited, as a text that is the same for deployments with the same edits. */
  readonly edits: string;

  /** The change of the image, if there is one: `v0.22.0 → v0.23.0`. */
  readonly image?: ImageChange;

  /** How long each replica that stops is down. Absent: none stops, or that is not known. */
  readonly downtime?: Downtime;

  /** Of replicas that serve while they restart, the most copies that do so one after the other. Absent: one. */
  readonly copiesInTurn?: number;

  /** The most replicas that restart at the same time. 0: none stops serving. */
  readonly atATime: number;

  /**
   * How clusters with restarting replicas follow each other: `inTurn`, or `alongside`, so that more restart at a time.
   * Absent: all replicas are on one cluster, or serve meanwhile.
   */
  readonly clusters?: 'inTurn' | 'alongside';

  /** Of those that may restart, how many do so as people drain nodes of which pools. Absent: none. */
  readonly drained?: { readonly replicas: number; readonly pools: readonly string[] };

  /** The replicas whose node pool is removed although they have no other place. They are `offline` too. */
  readonly withoutPool: number;

  /** The replicas that stop for good, because the new nodes do not match. They are `offline` too. */
  readonly misplaced: number;

  /** The pools of replicas that are new, sorted: `us/l4`. */
  readonly places: readonly string[];

  /** The cluster of each replica that is removed while its deployment keeps others. Absent: none is. */
  readonly removedFrom?: readonly string[];

  /** One for each replica that moves. */
  readonly moves: readonly Move[];

  /** The fewest replicas that serve at any time, by how the change is applied. Absent if none served before or will. */
  readonly serving?: LowestServing;

  /** How the change is applied: which of these numbers counts. */
  readonly applied: ApplyMode;

  /** The most replicas of one of several deployments that do not serve. Absent: it is one deployment. */
  readonly mostDown?: LowestServing;
  /** What they cost once old replicas are finalized. Absent: it has none. */
  readonly finalized?: RowCosts;

  /** The change of bounds of copies or of what an autoscaler follows, the same for all. */
  readonly copies?: CopiesChange;

  /** The replicas without a place, of those declared. Absent: all have one. */
  readonly unplaced?: Unplaced;

  /** Why replicas drain: `changed` where their own deployment does. Absent: none drains. */
  readonly drainsFor?: 'changed' | 'place';

  /** The cluster of each replica that does not serve, because this change declares it lost. Absent: there is none. */
  readonly lostOn?: readonly string[];

  /** The clusters with a new taint that they drain from. Absent: none. */
  readonly drainsFrom?: readonly string[];
}

/** Whether old replicas stay in the place of all that fit nowhere. */
export function keepsOld({ actions, unplaced }: DeploymentRow): boolean {
  return actions.unreplaced > 0 && actions.unreplaced === unplaced?.missing;
}

export interface Unplaced {
  readonly missing: number;
  readonly declared: number;
  readonly accepted: boolean;

  /** Whether all of them get a place when draining replicas are gone. Absent: some do not. */
  readonly waits?: true;
}

export interface Counts {
  readonly before: number;
  readonly after: number;
}

/**
 * Returns a row for each deployment of which replicas or copies change, have no place or may stop, by deployment.
 *
 * @param applied how the change is applied. Default: wave by wave
 * @param spotPools the later pools of spot nodes: `us/l4`. Default: none
 */
export function toDeploymentRows(
  diff: FleetDiff,
  plan: Pick<Plan, 'deployments'>,
  applied: ApplyMode = 'withWaves',
  spotPools: SpotPools = new Set(),
): DeploymentRow[] {
  const changed = toChangedRows(diff, applied, spotPools);
  const short = new Map(listShortDeployments(plan, diff).map((one) => [one.deployment, one]));
  const copies = new Map(diff.copies.map((one) => [one.deployment, one]));
  const planned = new Set(plan.deployments.map(({ deployment }) => deployment));
  const known = new Set(changed.flatMap(({ deployments, renamed = '' }) => [...deployments, renamed]));
  const drained = new Map((diff.drainedReplicas ?? []).map((one) => [one.deployment, one]));
  const others = plan.deployments
    .filter(({ deployment: id }) => !known.has(id) && (short.has(id) || copies.has(id) || drained.has(id)))
    .map((one): DeploymentRow => ({ ...toUnchangedRow(one, diff, copies.get(one.deployment)), applied }));
  const rows = [...changed, ...others].map((row): DeploymentRow => {
    const id = row.renamed ?? row.deployments[0] ?? '';
    const [missing, bounds] = [short.get(id), copies.get(id)];
    const actions = planned.has(id) ? limitEvicted(row.actions, missing?.shortfall.missing ?? 0) : row.actions;
    return {
      ...addDrained({ ...row, actions }, drained.get(id)),
      ...(missing && { unplaced: toUnplaced(missing) }),
      ...(bounds && { copies: bounds }),
    };
  });
  return others.length === 0 ? rows : sortedBy(rows, ({ deployments: [id = ''] }) => id);
}

/** Of the replicas that lose their place, those that the deployment no longer declares are removed, not evicted. */
function limitEvicted(actions: ActionCounts, missing: number): ActionCounts {
  const surplus = Math.max(0, actions.evict - missing);
  return { ...actions, evict: actions.evict - surplus, remove: actions.remove + surplus };
}

/** A row with the replicas that may restart as people drain nodes. */
function addDrained(row: DeploymentRow, found: DrainedReplicas | undefined): DeploymentRow {
  if (!found) return row;
  const { replicas, pools, serving, accelerators } = found;
  const { least } = serving;
  const actions = { ...row.actions, mayRestart: row.actions.mayRestart + replicas };
  const drained = { replicas, pools };
  // The numbers of what else happens are known where something does.
  if (row.serving) return { ...row, actions, drained };
  return {
    ...row,
    actions,
    drained,
    accelerators: { ...row.accelerators, before: accelerators, after: accelerators },
    serving: { withWaves: least, perCluster: least, atOnce: least },
  };
}

function toUnplaced({ replicas, shortfall: { missing, accepted, waiting } }: ShortDeployment): Unplaced {
  return { missing, declared: replicas, accepted, ...(waiting === missing && { waits: true }) };
}

/** The row of a deployment of which no replica changes. */
function toUnchangedRow(
  plan: Plan['deployments'][number],
  { cost, declarations }: FleetDiff,
  copies?: CopiesChange,
): Omit<DeploymentRow, 'applied'> {
  const { deployment, replicas, shortfall } = plan;
  const placed = replicas - (shortfall?.missing ?? 0);
  const isNew = declarations.some(({ id, action }) => id === `ModelDeployment ${deployment}` && action === 'added');
  return {
    deployments: [deployment],
    ...(isNew && { declared: 'added' }),
    replicas: { before: placed, after: placed },
    accelerators: { ...(copies?.accelerators ?? { before: 0, after: 0 }), draining: 0, unreplaced: 0 },
    actions: NO_ACTIONS,
    edits: '',
    atATime: 0,
    withoutPool: 0,
    misplaced: 0,
    places: [],
    moves: [],
    cost: cost?.deployments.filter((one) => one.deployment === deployment) ?? [],
    estimate: cost?.estimate?.changes.deployments.filter((one) => one.deployment === deployment) ?? [],
  };
}

function toChangedRows(diff: FleetDiff, applied: ApplyMode, spotPools: SpotPools): DeploymentRow[] {
  const declarations = new Map(diff.declarations.map((change) => [change.id, change]));
  const costsOf = createCostLookup(diff.cost);
  const findImageChange = createImageChangeFinder(diff.objects);
  const rows = diff.deployments.map((change): DeploymentRow => {
    const declaration = declarations.get(`ModelDeployment ${change.deployment}`);
    const image = findImageChange(declaration);
    const row = { ...toChangedRow(change, declaration, applied), ...costsOf(change.deployment) };
    const finalized = finalizedCostsOf(row, diff);
    return {
      ...row,
      ...(image && { image }),
      moves: change.changes.flatMap((one) => toMove(one, spotPools)),
      ...(finalized && { finalized }),
    };
  });
  return mergeRenamed(rows, diff.deployments);
}

function toChangedRow(
  change: DeploymentDiff,
  declaration: DeclarationChange | undefined,
  applied: ApplyMode,
): Omit<DeploymentRow, 'image' | 'moves' | 'cost' | 'estimate'> {
  const { deployment, serving } = change;
  const { before, after } = serving;
  const lowest = lowestOf(serving.undrained ?? serving);
  const lost = change.changes.filter(losesItsPlace).length;
  const renamed = declaration?.renamed?.split(' ')[1];
  const isInterrupted = before > 0 && (after > 0 || isServedOn(change) || renamed !== undefined);
  return {
    deployments: [deployment],
    replicas: { before, after: after - lost },
    accelerators: countPlaced(change, lost),
    actions: countActions(change),
    ...(declaration && declaration.action !== 'changed' && { declared: declaration.action }),
    ...(change.unreachable && { unreachable: true }),
    ...pickModels(change),
    ...describeRestart(change),
    edits: describeEdits(change),
    ...pickCopiesInTurn(change),
    atATime: countAtATime(change, applied),
    ...pickDowntime(change, renamed, applied),
    ...(applied !== 'atOnce' &&
      lowest.perCluster < lowest.withWaves && { clusters: applied === 'withWaves' ? 'inTurn' : 'alongside' }),
    withoutPool: change.changes.filter(losesItsPool).length,
    misplaced: change.changes.filter((one) => one.misplaced).length,
    places: sortUnique(change.changes.filter(({ action }) => action === 'place').map(poolText)),
    ...(renamed !== undefined && { renamed }),
    ...describeDraining(change),
    ...pickLost(change),
    ...pickRemovedFrom(change),
    applied,
    ...(isInterrupted && { serving: lowest }),
  };
}

function pickModels(change: DeploymentDiff): Pick<DeploymentRow, 'model' | 'loads' | 'runs' | 'adapters'> {
  const { model, loads, runs, adapters } = change;
  return {
    ...(model && { model }),
    ...(loads !== undefined && { loads }),
    ...(runs !== undefined && { runs }),
    ...(adapters && { adapters }),
  };
}

function pickRemovedFrom({ changes, serving }: DeploymentDiff): Pick<DeploymentRow, 'removedFrom'> {
  const removed = changes.filter((one) => one.action === 'remove' && !one.drained && !isEvicted(one));
  const isKept = serving.after > 0 && removed.length > 0;
  return isKept ? { removedFrom: removed.map(({ cluster }) => cluster) } : {};
}

/** Whether it matters how many replicas serve until none is left: those that drain do, those without a place do not. */
function isServedOn(change: DeploymentDiff): boolean {
  return losesEveryPlace(change) || change.changes.some(({ action }) => action === 'draining');
}

function pickLost({ changes }: DeploymentDiff): Pick<DeploymentRow, 'lostOn'> {
  const lost = changes.filter(({ action }) => action === 'lost').map(({ cluster }) => cluster);
  return lost.length > 0 ? { lostOn: lost } : {};
}

function describeDraining({ deployment, changes }: DeploymentDiff): Pick<DeploymentRow, 'drainsFor' | 'drainsFrom'> {
  const draining = changes.filter(({ action }) => action === 'draining');
  if (draining.length === 0) return {};
  const isOwn = draining.every(({ causes }) => causes.some(({ id }) => id === `ModelDeployment ${deployment}`));
  const from = sortUnique(draining.flatMap((one) => drainedBy(one) ?? []));
  return { drainsFor: isOwn ? 'changed' : 'place', ...(from.length > 0 && { drainsFrom: from }) };
}

/** Creates a function that finds the changes of the cost of a deployment. */
function createCostLookup(cost: FleetDiff['cost']): (deployment: string) => RowCosts {
  const { deployments = [], estimate } = cost ?? {};
  const [known, estimated] = [deployments, estimate?.changes.deployments ?? []].map((all) =>
    groupBy(all, (one) => one.deployment),
  );
  return (id) => ({ cost: known?.get(id) ?? [], estimate: estimated?.get(id) ?? [] });
}

/** The accelerators of replicas that have a place after the change. */
function countPlaced(
  { accelerators, serving: { after } }: DeploymentDiff,
  lost: number,
): DeploymentRow['accelerators'] {
  return {
    ...accelerators,
    draining: accelerators.draining ?? 0,
    unreplaced: accelerators.unreplaced ?? 0,
    ...(lost > 0 && { after: (accelerators.after * (after - lost)) / after }),
  };
}

/** How long replicas do not serve: of another name, until the first ones do. */
function pickDowntime(
  { downtime, start }: DeploymentDiff,
  renamed: string | undefined,
  applied: ApplyMode,
): Pick<DeploymentRow, 'downtime'> | undefined {
  const found = renamed === undefined ? downtime : (downtime ?? start);
  return found && { downtime: downtimeAsApplied(found, applied) };
}

/** Makes one row of a deployment that gets another name: by its former name, with what the later one becomes. */
function mergeRenamed(rows: readonly DeploymentRow[], changes: readonly DeploymentDiff[]): DeploymentRow[] {
  const places = new Map(changes.map((one) => [one.deployment, listPlaces(one)]));
  const later = new Map(rows.filter(({ declared }) => declared === 'added').map((row) => [row.deployments[0], row]));
  const merged = rows.map((row) => {
    const now = row.declared === 'removed' && row.renamed !== undefined ? later.get(row.renamed) : undefined;
    if (!now) return row;
    const { actions, declared, renamed, deployments, replicas, accelerators, serving, cost, estimate } = row;
    const [was, is] = [...deployments, ...now.deployments].map((id) => places.get(id));
    const isKept = was === is && accelerators.before === now.accelerators.after;
    return {
      ...now,
      deployments,
      declared,
      renamed,
      actions: { ...now.actions, ...pickGone(actions) },
      replicas: { before: replicas.before, after: now.replicas.after },
      accelerators: {
        before: accelerators.before,
        after: now.accelerators.after,
        draining: accelerators.draining + now.accelerators.draining,
        unreplaced: accelerators.unreplaced + now.accelerators.unreplaced,
      },
      ...(serving && { serving }),
      cost: isKept ? [] : [...cost, ...now.cost],
      estimate: isKept ? [] : [...estimate, ...now.estimate],
    } as DeploymentRow;
  });
  const gone = new Set(merged.flatMap(({ declared, renamed }) => (declared === 'removed' ? (renamed ?? []) : [])));
  return merged.filter(({ declared, deployments: [id = ''] }) => declared !== 'added' || !gone.has(id));
}

/** What becomes of replicas of a name that is no longer declared. */
function pickGone({ remove, evict, draining, finish }: DeploymentRow['actions']): Partial<DeploymentRow['actions']> {
  return { remove, evict, draining, finish };
}

/** Where replicas are, as a text that is the same for the same node pools. */
function listPlaces({ changes }: DeploymentDiff): string {
  return sortUnique(changes.map((one) => `${one.cluster}/${one.index} ${poolsOf(one)}`)).join('\n');
}

/** Whether replicas of it may serve throughout: the cloud chooses which nodes go. */
export function mayServe({ actions }: Pick<DeploymentRow, 'actions'>): boolean {
  return actions.mayRestart > 0;
}

/** Whether a deployment that served has no serving replica for some time, even with waves. */
export function isDown({ serving, applied, replicas }: DeploymentRow): boolean {
  return replicas.before > 0 && serving?.[applied] === 0;
}
