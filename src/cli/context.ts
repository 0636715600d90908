import { type Declared, type InputFlags, readFleet } from './inputs';
import { type Decision, decide } from '../plan/decide';
import type { Lock } from '../scheduler/lock';
import { EXIT, type ExitCode } from './exit-code';
import type { Io, OutputFlags } from './output';

/** Flags that every command on a fleet takes. */
export type CommonFlags = InputFlags & OutputFlags;

/** A fleet that was read and decided. */
export interface Decided extends Declared, Decision {}

/** Reads a fleet and decides it from a lock. */
export function decideFleet(target: string, flags: InputFlags, io: Io, lock: Lock): Decided {
  const declared = readFleet(target, flags, io);
  return { ...declared, ...decide(declared.fleet, declared.locate, lock, declared) };
}

/** The exit codes that a shortfall asks for. */
export function shortfallCodes({ plan }: Decision): ExitCode[] {
  return plan.totals.unplaced > 0 ? [EXIT.unplaced] : [];
}
