import { writeOutput } from '../files/write-output';
import { plural } from '../plan/format';
import { formatPlan } from '../plan/text';
import { renderFleet } from '../render/fleet';
import { EMPTY_LOCK } from '../scheduler/lock';
import { type CommonFlags, decideFleet, shortfallCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { readLock } from './inputs';
import { staleLock } from './lock';
import { type Io, jsonDocument, styleFor } from './output';

export interface SynthFlags extends CommonFlags {
  /** Default: `out`. */
  readonly out: string;
}

/**
 * `fleetwright synth`: writes the manifests of every cluster to `OUT/CLUSTER/`. Refuses a lock that is stale;
 * with `--ephemeral` it reads none and decides afresh, for fleets that are thrown away.
 */
export function synth(target: string, flags: SynthFlags, io: Io): ExitCode {
  const previous = flags.ephemeral ? EMPTY_LOCK : readLock(target, flags);
  const decided = decideFleet(target, flags, io, previous);
  const { fleet, replicas, plan } = decided;
  const stale = decided.stale && !flags.ephemeral;
  const refusals = [...(stale ? [EXIT.stale] : []), ...shortfallCodes(decided)];
  if (refusals.length > 0) {
    if (plan.totals.unplaced > 0) io.err(`${formatPlan(plan, target, styleFor(io, flags))}\n`);
    if (stale) io.err(`${staleLock(target, flags).message}\n`);
    return exitCode(refusals);
  }
  const { written, removed, unchanged } = writeOutput(flags.out, renderFleet(fleet, replicas));
  if (flags.json) io.out(jsonDocument('Synth', { out: flags.out, written, removed, unchanged }));
  else if (!flags.quiet) {
    const counts = `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`;
    io.out(`Manifests of ${plural(fleet.clusters.length, 'cluster')} in ${flags.out}: ${counts}.\n`);
  }
  return EXIT.ok;
}
