import type { Locate } from '../api/locate';
import { deploymentsById } from '../deployments-by-id';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { type Cause, distinctCauses } from './causes';
import type { CausedChange, DeploymentDiff, FleetDiff } from './fleet-diff';
import { becauseText, outages, outageText } from './words';

/** The later state, and where everything of it is declared. */
interface Located {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/**
 * Deployments that would be without any replica, each at the line that takes its replicas away; at its own declaration
 * where that line is gone.
 *
 * @param waves whether replicas are replaced wave by wave
 */
export function outageProblems(diff: FleetDiff, waves: boolean, { fleet, locate }: Located): Problem[] {
  return outages(diff, waves).flatMap((outage) => {
    const causes = distinctCauses(outage.changes.filter(endsServing).flatMap((change) => change.causes));
    const where = causes.find(stands)?.where ?? ownPlace(outage, fleet, locate);
    return where === undefined
      ? []
      : [{ code: 'outage', where, what: `${outageText(outage)}${becauseText(causes)}` }];
  });
}

function endsServing({ action, down, surgeFirst }: CausedChange): boolean {
  return (
    action === 'remove' || (action === 'move' && surgeFirst !== true) || (action === 'roll' && down === true)
  );
}

/** Whether a cause has a place in the later state: one that is gone has it in the earlier. */
function stands({ action, field }: Cause): boolean {
  return field ? field.after !== undefined : action !== 'removed';
}

function ownPlace(
  { deployment }: DeploymentDiff,
  { deployments }: Fleet,
  locate: Locate,
): string | undefined {
  const declared = deploymentsById(deployments).get(deployment);
  return declared && locate(declared, []);
}
