import { attempt } from '../base/attempt';
import { findGateFindings, type GateContext, type GateFinding } from '../diff/gate-findings';
import type { FleetState } from '../diff/fleet-state';
import { type DeclaredRemedy, declareRemedies } from '../plan/declared-remedy';
import { compareSupposed } from './compare-against';
import type { ValidDecision } from './decide-valid-resources';

/** What the gate refuses where a change declares remedies too. Undefined: they were not tried. */
export type RemedyTrial = (remedies: readonly DeclaredRemedy[]) => readonly GateFinding[] | undefined;

/** Creates a function that tries remedies, the same ones once. */
export function createRemedyTrial(
  before: FleetState,
  decided: ValidDecision,
  context: Pick<GateContext, 'applied' | 'acceptRemovals'>,
): RemedyTrial {
  const known = new Map<string, readonly GateFinding[] | undefined>();
  const run: RemedyTrial = (remedies) => {
    const fleet = decided.problems.length > 0 ? undefined : declareRemedies(decided.fleet, remedies);
    if (!fleet) return undefined;
    const tried = attempt(() => {
      const { diff, decision } = compareSupposed(fleet, before, decided);
      return findGateFindings(diff, { ...context, before: before.decision, after: decision });
    });
    return 'value' in tried ? tried.value : undefined;
  };
  return (remedies) => {
    const key = JSON.stringify(remedies);
    if (!known.has(key)) known.set(key, run(remedies));
    return known.get(key);
  };
}
