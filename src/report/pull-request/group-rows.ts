import { formatCopiesChange } from '../diff/copies-changes-text';
import { combineDowntimes } from '../../diff/downtime';
import type { LowestServing } from '../../diff/serving-during-change';
import { sortUnique } from '../../base/order';
import { groupAlike } from '../document/group-alike';
import type { Counts, DeploymentRow } from './deployment-rows';
import { describeEdit } from './deployment-table';
import type { RowCosts } from './finalized-costs';
import { type Action, NO_ACTIONS } from './replica-actions';

/** Merges rows of deployments to which the same happens, if there are too many rows to read. Single ones come first. */
export function groupRows(rows: readonly DeploymentRow[]): DeploymentRow[] {
  const groups = groupAlike(rows, keyOfRow);
  const single = groups.flatMap((group) => (group.length === 1 ? group : []));
  return [
    ...groupAlike(single, (row) => keyOfRow(withoutValues(row))).flatMap(([first, ...others]) => {
      if (!first || others.length === 0) return first ?? [];
      const { steps = '' } = withoutValues(first);
      return [mergeRows([{ ...withoutValues(first), ...(steps !== '' && { steps: `such as ${steps}` }) }, ...others])];
    }),
    ...groups.flatMap((group) => (group.length === 1 ? [] : [mergeRows(group)])),
  ];
}

/** A row whose edits are fields without their values: deployments with other values of the same fields are alike. */
function withoutValues({ image, model, ...row }: DeploymentRow): DeploymentRow {
  const steps = describeEdit({ ...row, ...(image && { image }), ...(model && { model }) });
  const edits = row.edits.split('\n').map((edit) => (edit === '' ? [] : (JSON.parse(edit) as unknown[]).slice(0, 3)));
  return { ...row, edits: JSON.stringify(edits), ...(steps !== undefined && { steps }) };
}

/** What happens to a deployment, without how many replicas it concerns. */
function keyOfRow(row: DeploymentRow): string {
  const { actions, declared, image, model, edits, atATime, serving, applied, moves, unplaced, copies } = row;
  const verbs = Object.entries(actions).filter(([, count]) => count > 0);
  const isDown = serving && serving[applied] === 0;
  return JSON.stringify([
    verbs.map(([action]) => action),
    declared,
    row.unreachable,
    row.renamed,
    row.withoutPool > 0,
    row.misplaced > 0,
    row.drained?.pools,
    image,
    model,
    row.adapters,
    edits,
    atATime,
    row.copiesInTurn !== undefined,
    isDown,
    row.clusters,
    sortUnique(moves.map((move) => JSON.stringify(move))),
    unplaced?.accepted,
    unplaced?.waits,
    copies && formatCopiesChange(copies),
    actions.unreplaced > 0 && row.drainsFor,
    sortUnique(row.lostOn ?? []),
  ]);
}

function mergeRows(rows: readonly DeploymentRow[]): DeploymentRow {
  const [first] = rows;
  const total = (of: (row: DeploymentRow) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const counts = (of: (row: DeploymentRow) => Counts): Counts => ({
    before: total((row) => of(row).before),
    after: total((row) => of(row).after),
  });
  const serving = rows.flatMap((row) => row.serving ?? []);
  return {
    ...sharedOf(first),
    deployments: rows.flatMap(({ deployments }) => deployments),
    replicas: counts(({ replicas }) => replicas),
    accelerators: sumAccelerators(rows),
    actions: sumActions(rows),
    ...joinPaces(rows),
    withoutPool: total((row) => row.withoutPool),
    misplaced: total((row) => row.misplaced),
    places: sortUnique(rows.flatMap(({ places }) => places)),
    ...joinClusters(rows),
    moves: rows.flatMap(({ moves }) => moves),
    ...(serving.length > 0 && {
      serving: combineServing(serving, (counts) => counts.reduce((sum, count) => sum + count, 0)),
      mostDown: combineServing(rows.flatMap(countDown), (counts) => Math.max(...counts)),
    }),
    ...joinAllCosts(rows),
    ...(first?.drained && {
      drained: { ...first.drained, replicas: total(({ drained }) => drained?.replicas ?? 0) },
    }),
    ...(first?.unplaced && {
      unplaced: {
        ...first.unplaced,
        missing: total(({ unplaced }) => unplaced?.missing ?? 0),
        declared: total(({ unplaced }) => unplaced?.declared ?? 0),
      },
    }),
  };
}

/** How replicas that restart follow each other, and how long each is down. */
function joinPaces(
  rows: readonly DeploymentRow[],
): Pick<DeploymentRow, 'atATime' | 'copiesInTurn' | 'downtime' | 'clusters'> {
  const [first] = rows;
  const downtime = combineDowntimes(rows.map((row) => row.downtime));
  return {
    atATime: first?.atATime ?? 0,
    ...(first?.copiesInTurn !== undefined && {
      copiesInTurn: Math.max(...rows.map(({ copiesInTurn = 1 }) => copiesInTurn)),
    }),
    ...(downtime && { downtime }),
    ...(first?.clusters && { clusters: first.clusters }),
  };
}

function sumAccelerators(rows: readonly DeploymentRow[]): DeploymentRow['accelerators'] {
  const total = (key: keyof DeploymentRow['accelerators']): number =>
    rows.reduce((sum, { accelerators }) => sum + accelerators[key], 0);
  return {
    before: total('before'),
    after: total('after'),
    draining: total('draining'),
    unreplaced: total('unreplaced'),
  };
}

/** Where replicas are lost and removed, of rows of which the first has some. */
function joinClusters(rows: readonly DeploymentRow[]): Pick<DeploymentRow, 'lostOn' | 'removedFrom'> {
  const [first] = rows;
  return {
    ...(first?.lostOn && { lostOn: rows.flatMap(({ lostOn = [] }) => lostOn) }),
    ...(first?.removedFrom && { removedFrom: rows.flatMap(({ removedFrom = [] }) => removedFrom) }),
  };
}

function joinCosts(rows: readonly RowCosts[]): RowCosts {
  return { cost: rows.flatMap(({ cost }) => cost), estimate: rows.flatMap(({ estimate }) => estimate) };
}

function joinAllCosts(rows: readonly DeploymentRow[]): RowCosts & Pick<DeploymentRow, 'finalized'> {
  const isDraining = rows.some(({ finalized }) => finalized);
  return { ...joinCosts(rows), ...(isDraining && { finalized: joinCosts(rows.map((row) => row.finalized ?? row)) }) };
}

type SharedFields =
  | 'applied'
  | 'declared'
  | 'unreachable'
  | 'image'
  | 'model'
  | 'edits'
  | 'restartsFor'
  | 'steps'
  | 'copies'
  | 'drainsFor'
  | 'adapters';

/** What is the same in all rows of a group. */
function sharedOf(row: DeploymentRow | undefined): Pick<DeploymentRow, SharedFields> {
  const {
    applied = 'withWaves',
    declared,
    unreachable,
    image,
    model,
    edits = '',
    restartsFor,
    steps,
    copies,
    drainsFor,
    adapters,
  } = row ?? {};
  return {
    applied,
    edits,
    ...(declared && { declared }),
    ...(unreachable && { unreachable }),
    ...(image && { image }),
    ...(model && { model }),
    ...(restartsFor !== undefined && { restartsFor }),
    ...(steps !== undefined && { steps }),
    ...(copies && { copies }),
    ...(adapters && { adapters }),
    ...(drainsFor && { drainsFor }),
  };
}

function combineServing(all: readonly LowestServing[], combine: (counts: readonly number[]) => number): LowestServing {
  return {
    withWaves: combine(all.map(({ withWaves }) => withWaves)),
    perCluster: combine(all.map(({ perCluster }) => perCluster)),
    atOnce: combine(all.map(({ atOnce }) => atOnce)),
  };
}

/** How many replicas of a deployment do not serve at the worst time. */
function countDown({ serving, replicas: { before } }: DeploymentRow): LowestServing[] {
  return serving ? [combineServing([serving], ([count = 0]) => before - count)] : [];
}

function sumActions(rows: readonly DeploymentRow[]): DeploymentRow['actions'] {
  const names = Object.keys(NO_ACTIONS) as Action[];
  const sums = names.map((name): [Action, number] => [name, rows.reduce((sum, { actions }) => sum + actions[name], 0)]);
  return Object.fromEntries(sums) as Record<Action, number>;
}
