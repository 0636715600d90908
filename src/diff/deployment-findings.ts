import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { DeploymentDiff } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { findSharesOf, type LostShare } from './lost-shares';
import { isSwapped, type ModelChange } from './model-changes';
import { type Cause, dedupeCauses, isPodField } from './replica-causes';
import { isUnreachable } from '../plan/reachability-notes';
import { isEvicted } from '../plan/replica-moves';
import { listSelectingServices } from '../routing/checks/empty-entries';
import type { ApplyMode } from './serving-during-change';
import { findSurgeNeeds, type SurgeNeed } from './surge-needs';

/** A deployment that has no serving replica for some time. */
export interface OutageFinding {
  readonly kind: 'outage';
  readonly change: DeploymentDiff;
  readonly applied: ApplyMode;

  /** The earlier state: a git revision or what else it was read from. */
  readonly against: string;

  /** What a surge of its gangs needs. Empty if it has none that restart in place. */
  readonly surge: readonly SurgeNeed[];

  /** The requests of services that have no replicas meanwhile, and where they go. */
  readonly shares: readonly LostShare[];

  /**
   * That no service selects it before the change: no client can reach it, or only those in its clusters. Absent: a service
   * does, or the fleet has no services.
   */
  readonly unselected?: Unselected;

  /** The number of edits that cause it, where the other edits of these declarations cause nothing. Otherwise 0. */
  readonly separable: number;
}

/** Who can request a deployment that no service selects before a change, and whether one does after it. */
export interface Unselected {
  readonly reach: 'unreachable' | 'inClusters';
  readonly isSelectedLater: boolean;
}

/** A deployment of which fewer replicas serve for some time than its `minAvailable`. */
export interface TooFewServingFinding {
  readonly kind: 'too-few-serving';
  readonly change: DeploymentDiff;
  readonly serving: number;
  readonly minAvailable: number;

  /** The edit that raises `minAvailable`, where enough replicas serve for what it was before. Absent: there is none. */
  readonly raised?: Cause;
  readonly applied: ApplyMode;
  readonly against: string;
  readonly surge: readonly SurgeNeed[];
}

/** A deployment of which no replica has a place any more. */
export interface NoneLeftFinding {
  readonly kind: 'none-left';
  readonly change: DeploymentDiff;
}

/** A deployment whose clients get another model by the name that they request. */
export interface ModelSwappedFinding {
  readonly kind: 'model-swapped';
  readonly change: DeploymentDiff;
  readonly model: ModelChange;
}

/** The two states of a change, and how it is applied. */
interface DeploymentContext {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;
  readonly applied: ApplyMode;
}

/** @param context the states, and how the change is applied */
export function toOutageFinding(change: DeploymentDiff, diff: FleetDiff, context: DeploymentContext): OutageFinding {
  return {
    kind: 'outage',
    change,
    applied: context.applied,
    against: diff.against,
    surge: findSurgeNeeds(change, context.after),
    shares: findSharesOf(change.deployment, diff, context),
    ...findUnselected(change.deployment, context),
    separable: countSeparable(change, diff),
  };
}

function findUnselected(id: string, { before, after }: DeploymentContext): Pick<OutageFinding, 'unselected'> {
  if (after.fleet.services.length === 0 || isSelected(id, before)) return {};
  const isSelectedLater = isSelected(id, after);
  const states = isSelectedLater ? [before] : [before, after];
  const isHidden = states.every(({ fleet }) => {
    const deployment = indexDeploymentsById(fleet.deployments).get(id);
    return deployment === undefined || isUnreachable(deployment, fleet);
  });
  return { unselected: { reach: isHidden ? 'unreachable' : 'inClusters', isSelectedLater } };
}

function isSelected(id: string, { fleet }: PlacedFleet): boolean {
  const deployment = indexDeploymentsById(fleet.deployments).get(id);
  return deployment !== undefined && listSelectingServices(deployment, fleet).length > 0;
}

/** Counts the edits by which replicas restart in place, where other edits of the same declarations restart nothing. */
function countSeparable({ changes }: DeploymentDiff, { declarations }: FleetDiff): number {
  if (!changes.every(({ action, nodes }) => action === 'roll' && nodes === undefined)) return 0;
  const causes = dedupeCauses(changes.flatMap((one) => one.causes));
  const ids = new Set(causes.map(({ id }) => id));
  const edits = declarations.filter(({ id }) => ids.has(id)).flatMap(({ fields }) => fields.filter(isPodField));
  // An alias gives several edits one position.
  const decisive = new Set(causes.map(({ where }) => where));
  const others = edits.filter(({ where }) => !decisive.has(where)).length;
  return others > 0 && causes.every(({ field }) => field !== undefined) ? causes.length : 0;
}

/**
 * Lists deployments of which fewer replicas serve than they declare.
 *
 * @param outages the deployments of which none serves, which are findings of their own
 */
export function listTooFewServing(
  diff: FleetDiff,
  { after: state, applied }: Pick<DeploymentContext, 'after' | 'applied'>,
  outages: readonly DeploymentDiff[],
): Pick<TooFewServingFinding, 'change' | 'serving' | 'minAvailable'>[] {
  const declared = indexDeploymentsById(state.fleet.deployments);
  const down = new Set(outages);
  return diff.deployments.flatMap((change) => {
    const { serving, deployment } = change;
    const [{ minAvailable = 0 }, least] = [declared.get(deployment)?.spec ?? {}, serving[applied]];
    const isNew = serving.before < minAvailable;
    if (serving.recreate || isNew || losesEveryPlace(change) || least >= minAvailable || down.has(change)) return [];
    return [{ change, serving: least, minAvailable }];
  });
}

/** Describes a deployment of which fewer replicas serve than it declares. */
export function toTooFewServingFinding(
  found: ReturnType<typeof listTooFewServing>[number],
  diff: FleetDiff,
  { after, applied }: DeploymentContext,
): TooFewServingFinding {
  const surge = findSurgeNeeds(found.change, after);
  return { ...found, kind: 'too-few-serving', applied, against: diff.against, surge, ...findRaise(found, diff) };
}

/** The edit without which `minAvailable` is met. */
function findRaise(
  { change, serving }: { readonly change: { readonly deployment: string }; readonly serving: number },
  { declarations }: Pick<FleetDiff, 'declarations'>,
): { readonly raised?: Cause } {
  const declaration = declarations.find(({ id }) => id === `ModelDeployment ${change.deployment}`);
  const field = declaration?.fields.find((one) => one.field === 'spec.minAvailable');
  if (!declaration || !field || typeof field.after !== 'number' || Number(field.before ?? 0) > serving) return {};
  return { raised: { id: declaration.id, action: declaration.action, where: field.where, field } };
}

/** Finds deployments that load another model under the name that their clients request. */
export function findSwappedModels({ deployments }: FleetDiff): ModelSwappedFinding[] {
  return deployments.flatMap((change): ModelSwappedFinding[] => {
    const { model, serving } = change;
    if (!model || !isSwapped(model) || serving.before === 0 || serving.after === 0) return [];
    return [{ kind: 'model-swapped', change, model }];
  });
}

/** Whether all replicas of a deployment go although it still declares them. Other removals are declared. */
export function losesEveryPlace({ serving, changes }: DeploymentDiff): boolean {
  return serving.before > 0 && serving.after === 0 && changes.some(isEvicted);
}
