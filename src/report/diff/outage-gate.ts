import type { Locate } from '../../api/kinds';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import { type Cause, dedupeCauses } from '../../diff/causes';
import {
  type DeploymentDiff,
  findOutages,
  type FleetDiff,
  type ReplicaChangeWithCauses,
} from '../../diff/fleet-diff';
import { isOutage } from '../../diff/serving-during-change';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { formatBecause, formatOutage } from './change-sentences';

/**
 * What the gate on a change says, as a line: whether a deployment would be without any replica, and how many are that
 * ask for it.
 *
 * @param waves whether replicas are replaced wave by wave
 */
export function formatOutageGate(diff: FleetDiff, waves: boolean): string {
  const refused = findOutages(diff, waves).length;
  const when = `would be without any replica while this is applied ${waves ? 'in waves' : 'at once'}`;
  if (refused > 0) return `Gate: refused; ${pluralize(refused, 'deployment')} ${when}.`;
  const asked = diff.deployments.filter(({ serving }) =>
    isOutage({ ...serving, recreate: false }, waves),
  ).length;
  if (asked === 0) return `Gate: passed; no deployment ${when}.`;
  return `Gate: passed; only ${pluralize(asked, 'deployment')} that ${asked === 1 ? 'asks' : 'ask'} for it ${when}.`;
}

/** The later state, and where everything of it is declared. */
interface LocatedFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/**
 * Deployments that would be without any replica, each at the line that takes its replicas away; at its own declaration
 * where that line is gone.
 *
 * @param waves whether replicas are replaced wave by wave
 */
export function toOutageProblems(
  diff: FleetDiff,
  waves: boolean,
  { fleet, locate }: LocatedFleet,
): Diagnostic[] {
  return findOutages(diff, waves).flatMap((outage) => {
    const causes = dedupeCauses(outage.changes.filter(endsServing).flatMap((change) => change.causes));
    const where = causes.find(existsAfter)?.where ?? declarationPosition(outage, fleet, locate);
    return where === undefined
      ? []
      : [errorAt('outage', where, `${formatOutage(outage)}${formatBecause(causes)}`)];
  });
}

function endsServing({ action, down, surgeFirst }: ReplicaChangeWithCauses): boolean {
  return (
    action === 'remove' || (action === 'move' && surgeFirst !== true) || (action === 'roll' && down === true)
  );
}

/** Whether a cause has a place in the later state: one that is gone has it in the earlier. */
function existsAfter({ action, field }: Cause): boolean {
  return field ? field.after !== undefined : action !== 'removed';
}

function declarationPosition(
  { deployment }: DeploymentDiff,
  { deployments }: Fleet,
  locate: Locate,
): string | undefined {
  const declared = indexDeploymentsById(deployments).get(deployment);
  return declared && locate(declared, []);
}
