import { attemptBoth } from '../base/attempt';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { replaceSetAside, setAsideFaults } from '../files/set-aside';
import { refuseImpossibleRequests } from '../plan/compile-fleet';
import { decide } from '../plan/decide';
import type { Decision } from '../plan/decision';
import { EMPTY_LOCK } from '../scheduler/lock/lock';
import { heldDeploymentsOf } from './decide-rest';
import { type DeclaredFleet, type DeclaredInput, resolveInput } from './read-inputs';

/** A fleet without errors, and the decision that a plan without a lock makes. */
export interface ValidFleet {
  readonly declared: DeclaredFleet;
  readonly decision: Decision;
}

/**
 * Finds everything for which a plan without a lock rejects a fleet. It decides again without the resources that have
 * errors, because one error can hide another. Replicas without a place are no error.
 *
 * @throws FleetwrightError with all errors
 */
export function validateFleet(input: DeclaredInput): ValidFleet {
  const { value, problems } = setAsideFaults(
    (aside) => {
      const declared = resolveInput(replaceSetAside(input, aside));
      const { fleet, locate, notes, warnings } = declared;
      const options = { notes, warnings, held: heldDeploymentsOf(aside) };
      const [decision] = attemptBoth(
        () => decide(fleet, locate, EMPTY_LOCK, options),
        () => refuseImpossibleRequests(fleet, locate),
      );
      return { declared, decision };
    },
    () => undefined,
  );
  const causes = problems.filter(({ code }: Diagnostic) => code !== 'set-aside');
  if (causes.length > 0) throw new FleetwrightError(causes);
  return value;
}
