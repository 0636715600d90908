import { attempt } from '../base/attempt';
import { findGateFindings, type GateContext } from '../diff/gate-findings';
import { declareRemedies } from '../plan/declared-remedy';
import type { DeploymentPlan } from '../plan/plan';
import type { RemedyOutcome, TryRemedies } from '../report/diff/unplaced-findings';
import type { Shortfall } from '../scheduler/schedule-result';
import { type Comparison, compareSupposed } from './compare-against';
import type { ValidDecision } from './decide-valid-resources';

/** The most replicas to place in all trials together: a comment has to be quick. */
const TRIED_REPLICAS = 30_000;

/**
 * Creates a function that tries remedies, the same ones once.
 *
 * @param mostReplicas after so many replicas that were placed in trials, no more are tried
 */
export function createRemedyTrial(
  comparison: Omit<Comparison, 'diff'>,
  decided: ValidDecision,
  context: Pick<GateContext, 'applied' | 'acceptRemovals'>,
  mostReplicas = TRIED_REPLICAS,
): TryRemedies {
  let left = mostReplicas;
  const known = new Map<string, RemedyOutcome | undefined>();
  const run: TryRemedies = (remedies) => {
    const fleet = decided.problems.length > 0 ? undefined : declareRemedies(decided.fleet, remedies);
    if (!fleet || left <= 0) return undefined;
    left -= decided.schedule.placements.length;
    const tried = attempt(() => {
      const { diff, decision } = compareSupposed(fleet, comparison, decided);
      const [after, before] = [decision.schedule.shortfalls, decided.schedule.shortfalls];
      const own = new Set(remedies.map(({ deployment }) => deployment));
      return {
        findings: findGateFindings(diff, { ...context, before: comparison.before.decision, after: decision }),
        helped: countMissing(before, own) - countMissing(after, own),
        displaced: findDisplaced(after, before),
        missing: countUnaccepted(after, decided.plan.deployments),
      };
    });
    return 'value' in tried ? tried.value : undefined;
  };
  return (remedies) => {
    const key = JSON.stringify(remedies);
    if (!known.has(key)) known.set(key, run(remedies));
    return known.get(key);
  };
}

function countMissing(short: readonly Shortfall[], deployments: ReadonlySet<string>): number {
  return short.reduce((sum, { deployment, missing }) => sum + (deployments.has(deployment) ? missing : 0), 0);
}

/** Counts replicas without a place, apart from as many as are accepted. */
function countUnaccepted(short: readonly Shortfall[], plans: readonly DeploymentPlan[]): number {
  const accepted = new Map(
    plans.map(({ deployment, shortfall }) => [deployment, shortfall?.accepted ? shortfall.missing : 0]),
  );
  return short.reduce(
    (sum, { deployment, missing }) => sum + Math.max(0, missing - (accepted.get(deployment) ?? 0)),
    0,
  );
}

function findDisplaced(short: readonly Shortfall[], before: readonly Shortfall[]): RemedyOutcome['displaced'] {
  const former = new Map(before.map(({ deployment, missing }) => [deployment, missing]));
  return short.flatMap(({ deployment, missing }) => {
    const count = missing - (former.get(deployment) ?? 0);
    return count > 0 ? [{ deployment, count }] : [];
  });
}
