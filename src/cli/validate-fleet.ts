import { locateAll } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { replaceSetAside, setAsideFaults } from '../files/set-aside';
import { checkDeviceCounts } from '../fleet/checks/devices';
import { decide } from '../plan/decide';
import type { Decision } from '../plan/decision';
import { isBeyondCapacity } from '../plan/held-deployments';
import { toShortfallProblems } from '../report/plan/plan-annotations';
import { EMPTY_LOCK, type Lock } from '../scheduler/lock/lock';
import { heldDeploymentsOf } from './decide-valid-resources';
import { type DeclaredFleet, type DeclaredInput, resolveInput } from './read-inputs';

/** A fleet without errors, and the decision that a plan without a lock makes. */
export interface ValidFleet {
  readonly declared: DeclaredFleet;
  readonly decision: Decision;

  /** Deployments that no number of nodes gives a place. */
  readonly impossible: readonly Diagnostic[];
}

/**
 * Finds everything for which a plan without a lock rejects a fleet. It decides again without the resources that have
 * errors, because one error can hide another. Replicas that lack only capacity are no error: whether they have a place
 * depends on the replicas that the lock keeps.
 *
 * @param accepted the shortfalls that the lock accepts, by deployment
 * @throws FleetwrightError with all errors
 */
export function validateFleet(input: DeclaredInput, accepted: Lock['unplaced']): ValidFleet {
  const { value, problems } = setAsideFaults(
    (aside) => {
      const declared = resolveInput(replaceSetAside(input, aside));
      const { fleet, locate, notes, warnings } = declared;
      const options = { notes, warnings, held: heldDeploymentsOf(aside) };
      return { declared, decision: decide(fleet, locate, EMPTY_LOCK, options) };
    },
    () => undefined,
  );
  const impossible = findImpossibleRequests(value, accepted);
  const causes = problems.filter(({ code }: Diagnostic) => code !== 'set-aside');
  if (causes.length > 0) throw new FleetwrightError([...causes, ...impossible]);
  return { ...value, impossible };
}

/** A request for more devices than any node has is reported at its place, other requests by what the pools lack. */
function findImpossibleRequests(
  { declared, decision }: Pick<ValidFleet, 'declared' | 'decision'>,
  accepted: Lock['unplaced'],
): Diagnostic[] {
  const { fleet, locate } = declared;
  const unplaced = decision.plan.deployments.filter(({ deployment, shortfall }) => {
    return (
      shortfall &&
      isBeyondCapacity(shortfall) &&
      !shortfall.accepted &&
      shortfall.missing > (accepted.get(deployment) ?? 0)
    );
  });
  const ids = new Set(unplaced.map(({ deployment }) => deployment));
  const asking = fleet.deployments.filter((one) => ids.has(qualifiedNameOf(one)));
  const requests = [...checkDeviceCounts({ ...fleet, deployments: asking })];
  const reported = new Set(requests.map(({ at }) => qualifiedNameOf(at.resource)));
  const deployments = unplaced.filter(({ deployment }) => !reported.has(deployment));
  const plan = { ...decision.plan, deployments };
  return [...locateAll(requests, locate), ...toShortfallProblems({ fleet, locate, plan })];
}
