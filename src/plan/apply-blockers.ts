import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { DeploymentPlan, Plan } from './plan';

/** What is applied, in the words of the command line. */
export interface CommandTarget {
  /** The path of the lock. Absent: everything is decided afresh. */
  readonly lock?: string | undefined;

  /** What `fleetwright` has to be told to find fleet and lock: `examples/quickstart`. */
  readonly command: string;
}

/** A lock that cannot be applied, and the command that writes it. */
export function diagnoseStaleLock({ lock = '', command }: CommandTarget, missing: boolean): Diagnostic {
  return errorAt(
    'stale-lock',
    lock,
    missing ? 'there is no lock yet' : 'the lock does not say what would be decided now',
    `Look at 'fleetwright plan ${command}', then run 'fleetwright lock ${command}'`,
  );
}

/** Rules of the fleet that say no. */
export function diagnoseDenials({ policies }: Pick<Plan, 'policies'>): Diagnostic[] {
  return policies
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, at, message }) => {
      const hint = `Change the plan, or the rule '${rule}' of the fleet, which denies it`;
      return errorAt('denied', at, message, hint);
    });
}

/** Replicas without a place that nobody accepted, and the command that says why. */
export function diagnoseUnplaced(
  { deployments }: Plan,
  where: string,
  { command }: CommandTarget,
): Diagnostic[] {
  return deployments.flatMap((one) => {
    const what = describeUnplaced(one);
    if (what === undefined) return [];
    const hint = `Run 'fleetwright explain ${one.deployment} ${command}' to see why`;
    return [errorAt('unplaced', where, what, hint)];
  });
}

/** `2 of 3 replicas of ml/q have no place`. Nothing where all have one, or it is accepted that they have none. */
export function describeUnplaced({ deployment, replicas, shortfall }: DeploymentPlan): string | undefined {
  if (!shortfall || shortfall.accepted) return undefined;
  return `${shortfall.missing} of ${replicas} replicas of ${deployment} have no place`;
}
