import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import { type Cause, dedupeCauses } from '../../diff/causes';
import { findOutages, type FleetDiff, type ReplicaChangeWithCauses } from '../../diff/fleet-diff';
import { isOutage } from '../../diff/serving-during-change';
import { indexDeploymentsById } from '../../fleet/fleet';
import type { LocatedFleet } from '../plan/plan-annotations';
import type { LargeRemoval } from '../../scheduler/lock/removals';
import { formatRemoval } from '../plan/removal-text';
import { formatBecause, formatOutage } from './change-sentences';

/** The lines of the gate: what is refused, else that it is passed. */
export function formatGate(diff: FleetDiff, waves: boolean, removal: LargeRemoval | undefined): string[] {
  const refused = removal ? [`Gate: refused; ${formatRemoval(removal)}.`] : [];
  return removal && findOutages(diff, waves).length === 0 ? refused : [...refused, formatOutageGate(diff, waves)];
}

/** `waves`: whether replicas are replaced wave by wave. `rollout: Recreate` allows an outage. */
function formatOutageGate(diff: FleetDiff, waves: boolean): string {
  const refused = findOutages(diff, waves).length;
  const when = `would be without any replica while this is applied ${waves ? 'in waves' : 'at once'}`;
  if (refused > 0) return `Gate: refused; ${pluralize(refused, 'deployment')} ${when}.`;
  const allowed = diff.deployments.filter(({ serving }) => isOutage({ ...serving, recreate: false }, waves)).length;
  if (allowed === 0) return `Gate: passed; no deployment ${when}.`;
  return `Gate: passed; only ${pluralize(allowed, 'deployment')} that ${allowed === 1 ? 'asks' : 'ask'} for it ${when}.`;
}

/**
 * Returns an error for each deployment that would be without any replica, at the line that causes it. If that line no
 * longer exists, the error is at the declaration of the deployment.
 *
 * @param waves whether replicas are replaced wave by wave
 */
export function toOutageProblems(diff: FleetDiff, waves: boolean, { fleet, locate }: LocatedFleet): Diagnostic[] {
  return findOutages(diff, waves).flatMap((outage) => {
    const causes = dedupeCauses(outage.changes.filter(endsServing).flatMap((change) => change.causes));
    const declared = indexDeploymentsById(fleet.deployments).get(outage.deployment);
    const where = causes.find(existsAfter)?.where ?? (declared && locate(declared, []));
    return where === undefined ? [] : [errorAt('outage', where, `${formatOutage(outage)}${formatBecause(causes)}`)];
  });
}

function endsServing({ action, down, surgeFirst }: ReplicaChangeWithCauses): boolean {
  return action === 'remove' || (action === 'move' && surgeFirst !== true) || (action === 'roll' && down === true);
}

/** Reports whether a cause has a source position in the later state; removed fields and resources do not. */
function existsAfter({ action, field }: Cause): boolean {
  return field ? field.after !== undefined : action !== 'removed';
}
