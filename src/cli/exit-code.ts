import type { Decision } from '../plan/decision';
import { isDeniedByPolicy } from '../plan/policy/check-policies';

export const EXIT = {
  ok: 0,
  /** The input is wrong. */
  badInput: 1,
  /** Changes are pending; only with `--detailed-exitcode`. */
  pending: 2,
  /** Replicas have no place, and the shortfall is not accepted. */
  unplaced: 3,
  /** A policy or gate rejects the change. */
  refused: 4,
  /** The lock differs from the current decision. */
  stale: 5,
  /** A bug in Fleetwright. */
  bug: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The precedence of exit codes. The first one that applies is used. */
const PRECEDENCE: readonly ExitCode[] = [
  EXIT.bug,
  EXIT.badInput,
  EXIT.stale,
  EXIT.refused,
  EXIT.unplaced,
  EXIT.pending,
  EXIT.ok,
];

export function chooseExitCode(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}

export function policyExitCodesOf({ plan }: Decision): ExitCode[] {
  return isDeniedByPolicy(plan) ? [EXIT.refused] : [];
}

export function shortfallExitCodesOf({ plan }: Decision): ExitCode[] {
  return plan.totals.unplaced > 0 ? [EXIT.unplaced] : [];
}
