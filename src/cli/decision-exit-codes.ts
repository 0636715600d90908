import type { FleetDiff } from '../diff/fleet-diff';
import type { Decision } from '../plan/decision';
import { isDeniedByPolicy } from '../plan/policy/check-policies';
import { EXIT, type ExitCode } from './exit-code';

/** The exit code of a plan that policies deny. Loads what decides, which `exit-code.ts` does not: all commands load that. */
export function policyExitCodesOf({ plan }: Decision): ExitCode[] {
  return isDeniedByPolicy(plan) ? [EXIT.refused] : [];
}

/** A lock shows changed places only. What restarts where it is shows in the comparison with an earlier state. */
export function pendingExitCodesOf(
  { outOfDate }: { readonly outOfDate: boolean },
  diff: FleetDiff | undefined,
): ExitCode[] {
  const changed = diff ? [diff.deployments, diff.cloud, diff.objects] : [];
  return outOfDate || changed.some(({ length }) => length > 0) ? [EXIT.pending] : [];
}

export function shortfallExitCodesOf({ plan }: Decision): ExitCode[] {
  return plan.totals.unplaced > 0 ? [EXIT.unplaced] : [];
}
