import { formatPlan, formatTotals } from '../plan/text';
import { type CommonFlags, decideFleet, shortfallCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { readLock } from './inputs';
import { type Io, jsonDocument, styleFor } from './output';

export interface PlanFlags extends CommonFlags {
  readonly detailedExitcode?: boolean;
  readonly from?: string;
}

/** `fleetwright plan`: shows what accepting the declarations would do. Writes nothing. */
export function plan(target: string, flags: PlanFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, readLock(target, flags));
  if (flags.json) io.out(jsonDocument('Plan', { ...decided.plan, stale: decided.stale }));
  else if (flags.quiet) io.out(`${formatTotals(decided.plan)}\n`);
  else io.out(`${formatPlan(decided.plan, target, styleFor(io, flags))}\n`);
  const pending = flags.detailedExitcode && decided.stale ? [EXIT.pending] : [];
  return exitCode([...shortfallCodes(decided), ...pending]);
}
