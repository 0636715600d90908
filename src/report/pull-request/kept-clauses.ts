import { formatAmount } from '../../base/money';
import { groupBy } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import { sumParts } from '../../cost/sum';
import type { Plan } from '../../plan/plan';
import { type Placement, placementKeyOf } from '../../scheduler/placement';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { countReplicas, joinDeployments } from './clauses';
import type { DeploymentRow } from './deployment-rows';
import type { NameDrained } from './move-clauses';
import { describeAccepted } from './place-clauses';

/** What clauses on old replicas name besides them. */
interface KeptContext {
  /** The clusters of which a clause about moves says that they drain. */
  readonly moving: ReadonlySet<string>;
  readonly nameDrained: NameDrained;
  readonly plan: Pick<Plan, 'deployments'> & { readonly cost: Pick<Cost, 'deployments' | 'currency'> };
}

/**
 * ``keeps the old replica of `ml/a` (8 GPUs, $730 a month): the changed one fits nowhere``, ``drains `us`, but keeps 2
 * old replicas of `ml/b`, because they fit nowhere else: `us` is not empty until they do``.
 */
export function listKeptClauses(rows: readonly DeploymentRow[], { moving, nameDrained, plan }: KeptContext): string[] {
  const groups = groupBy(
    rows.filter(({ actions }) => actions.unreplaced > 0),
    (row) => `${row.drainsFor} ${row.drainsFrom?.join()} ${describeAccepted([row])}`,
  );
  return [...groups.values()].map((group) => {
    const { drainsFor, drainsFrom = [] } = group[0] ?? {};
    const one = group.reduce((sum, { actions }) => sum + actions.unreplaced, 0) === 1;
    const fits = one ? 'fits' : 'fit';
    const what = one
      ? `the old replica of ${joinDeployments(group)}`
      : countReplicas(group, countUnreplaced, 'old replica');
    const changed = one ? 'the changed one fits nowhere' : 'the changed ones fit nowhere';
    const why = drainsFor === 'changed' ? `: ${changed}` : `, because ${one ? 'it' : 'they'} ${fits} nowhere else`;
    const from = drainsFrom.filter((cluster) => !moving.has(cluster));
    const drains = from.length > 0 ? `drains ${joinAnd(from.map(nameDrained))}, but ` : '';
    const until = drainsFrom.length > 0 ? `: ${describeOccupied(drainsFrom)} until ${one ? 'it does' : 'they do'}` : '';
    return `${drains}keeps ${what}${formatTaken(group, plan)}${why}${describeAccepted(group)}${until}`;
  });
}

function countUnreplaced({ actions }: DeploymentRow): number {
  return actions.unreplaced;
}

/** `` `us` is not empty ``, of clusters or pools that drain. */
function describeOccupied(places: readonly string[]): string {
  return `${joinAnd(places.map(formatCode))} ${places.length === 1 ? 'is' : 'are'} not empty`;
}

/** ` (8 GPUs, $730 a month)`: what old replicas without a replacement take. Empty where that is not known. */
function formatTaken(rows: readonly DeploymentRow[], { deployments, cost }: KeptContext['plan']): string {
  const kept = new Set(listKeptReplicas(rows, deployments).map(placementKeyOf));
  const costs = cost.deployments.flatMap(({ deployment, replicas }) =>
    replicas.filter((one) => kept.has(placementKeyOf({ ...one, deployment }))).map((one) => one.cost),
  );
  const { perMonth = 0, unknown } = sumParts(costs);
  if (perMonth === 0 || unknown > 0) return '';
  const gpus = rows.reduce((sum, { accelerators }) => sum + accelerators.unreplaced, 0);
  return ` (${pluralize(gpus, 'GPU')}, ${escapeMarkdown(formatAmount(perMonth, cost.currency))} a month)`;
}

/** The old replicas of rows that nothing replaces: they stay when others are finalized. */
export function listKeptReplicas(rows: readonly DeploymentRow[], deployments: Plan['deployments']): Placement[] {
  const concerned = new Set(rows.filter(({ actions }) => actions.unreplaced > 0).flatMap((row) => row.deployments));
  return deployments
    .filter(({ deployment }) => concerned.has(deployment))
    .flatMap(({ changes }) => changes.flatMap((one) => (isKept(one) ? [one.replica.placement] : [])));
}

type PlannedChange = Plan['deployments'][number]['changes'][number];

function isKept(change: PlannedChange): change is Extract<PlannedChange, { action: 'draining' }> {
  return change.action === 'draining' && change.unreplaced === true;
}
