import { type Diagnostic, errorAt } from '../base/diagnostic';
import { joinNames, pluralize } from '../base/text';
import type { DeploymentPlan, Plan, ShortfallPlan } from './plan';

/** The lock and the command line arguments that messages and hints refer to. */
export interface CommandTarget {
  /** The path of the lock. Absent if everything is decided without one. */
  readonly lock?: string | undefined;

  /** The arguments with which `fleetwright` finds fleet and lock, such as `examples/quickstart`. */
  readonly command: string;
}

/**
 * Reports a lock that is missing or out of date, with the command that writes it.
 *
 * @param changed the deployments for which a lock differs. None are named for one that is missing
 */
export function diagnoseOutOfDateLock(
  { lock = '', command }: CommandTarget,
  missing: boolean,
  changed: readonly string[],
): Diagnostic {
  const names = changed.length > 0 ? `: it differs for ${joinNames(changed)}` : '';
  const what = missing ? 'there is no lock file yet' : `the lock file is out of date${names}`;
  const hint = `Review 'fleetwright plan ${command}', then run 'fleetwright lock ${command}'`;
  return errorAt('lock-out-of-date', lock, what, hint);
}

/** Reports the policy rules that deny the plan. */
export function diagnoseDenials({ policies }: Pick<Plan, 'policies'>): Diagnostic[] {
  return policies
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, at, message, advice }) => {
      const change = advice === undefined ? 'Change the fleet, or' : `${advice}, or change`;
      const hint = `${change} rule '${rule}', which denies the plan`;
      return errorAt('denied', at, message, hint);
    });
}

/** Whether replicas have no place that another deployment could have taken. An impossible request takes none. */
export function hasBlockingShortfall({ deployments }: Pick<Plan, 'deployments'>): boolean {
  return deployments.some(({ shortfall }) => isBlocking(shortfall));
}

/** Whether a shortfall keeps a lock from being written. */
export function isBlocking(shortfall: ShortfallPlan | undefined): shortfall is ShortfallPlan {
  return shortfall !== undefined && !shortfall.accepted && !shortfall.impossible;
}

/** Formats unplaced replicas: `2 of 3 replicas of ml/q do not fit`. Undefined if there are none, or if accepted. */
export function describeUnplaced(one: DeploymentPlan): string | undefined {
  return one.shortfall && !one.shortfall.accepted ? describeUnplacedOf([one]) : undefined;
}

/** Formats unplaced replicas of several deployments: `1 of 3 replicas of ml/a, 1 of 2 replicas of ml/b do not fit`. */
export function describeUnplacedOf(all: readonly DeploymentPlan[]): string {
  const parts = all.map(({ deployment, replicas, shortfall }) => {
    return `${shortfall?.missing ?? 0} of ${pluralize(replicas, 'replica')} of ${deployment}`;
  });
  const missing = all.reduce((sum, { shortfall }) => sum + (shortfall?.missing ?? 0), 0);
  return `${joinNames(parts)} ${missing === 1 ? 'does' : 'do'} not fit`;
}
