import type { Decision } from '../plan/decision';
import { isDeniedByPolicy } from '../plan/policy/check-policies';

/** What the exit status of the command tells scripts. */
export const EXIT = {
  ok: 0,
  /** The input is wrong. */
  badInput: 1,
  /** Changes are pending; only with `--detailed-exitcode`. */
  pending: 2,
  /** Replicas have no place, and nobody accepted that. */
  unplaced: 3,
  /** A policy or gate says no. */
  refused: 4,
  /** The lock does not say what would be decided now. */
  stale: 5,
  /** A bug of ours. */
  bug: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where several things are true at once, the first of these is told. */
const PRECEDENCE: readonly ExitCode[] = [
  EXIT.bug,
  EXIT.badInput,
  EXIT.stale,
  EXIT.refused,
  EXIT.unplaced,
  EXIT.pending,
  EXIT.ok,
];

/** The exit status for everything that is true of a run. */
export function chooseExitCode(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}

/** The exit codes that rules of the fleet ask for. */
export function policyExitCodesOf({ plan }: Decision): ExitCode[] {
  return isDeniedByPolicy(plan) ? [EXIT.refused] : [];
}

/** The exit codes that a shortfall asks for. */
export function shortfallExitCodesOf({ plan }: Decision): ExitCode[] {
  return plan.totals.unplaced > 0 ? [EXIT.unplaced] : [];
}
