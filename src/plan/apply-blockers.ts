import type { Problem } from '../base/errors';
import type { DeploymentPlan, Plan } from './plan';

/** What is applied, in the words of the command line. */
export interface CommandTarget {
  /** The path of the lock. Absent: everything is decided afresh. */
  readonly lock?: string | undefined;

  /** What `fleetwright` has to be told to find fleet and lock: `examples/quickstart`. */
  readonly command: string;
}

/** A lock that cannot be applied, and the command that writes it. */
export function diagnoseStaleLock({ lock = '', command }: CommandTarget, missing: boolean): Problem {
  return {
    code: 'stale-lock',
    where: lock,
    what: missing ? 'there is no lock yet' : 'the lock does not say what would be decided now',
    hint: `Look at 'fleetwright plan ${command}', then run 'fleetwright lock ${command}'`,
  };
}

/** Rules of the fleet that say no. */
export function diagnoseDenials({ policies }: Pick<Plan, 'policies'>): Problem[] {
  return policies
    .filter(({ effect }) => effect === 'Deny')
    .map(({ rule, where, what }) => {
      const hint = `Change the plan, or the rule '${rule}' of the fleet, which denies it`;
      return { code: 'denied', where, what, hint };
    });
}

/** Replicas without a place that nobody accepted, and the command that says why. */
export function diagnoseUnplaced(
  { deployments }: Plan,
  where: string,
  { command }: CommandTarget,
): Problem[] {
  return deployments.flatMap((one) => {
    const what = describeUnplaced(one);
    if (what === undefined) return [];
    const hint = `Run 'fleetwright explain ${one.deployment} ${command}' to see why`;
    return [{ code: 'unplaced', where, what, hint }];
  });
}

/** `2 of 3 replicas of ml/q have no place`. Nothing where all have one, or it is accepted that they have none. */
export function describeUnplaced({ deployment, replicas, shortfall }: DeploymentPlan): string | undefined {
  if (!shortfall || shortfall.accepted) return undefined;
  return `${shortfall.missing} of ${replicas} replicas of ${deployment} have no place`;
}
