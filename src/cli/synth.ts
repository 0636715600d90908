import { writeOutput } from '../files/write-output';
import { plural } from '../plan/format';
import { asErrors } from '../plan/annotations';
import { formatNeeds } from '../plan/needs-text';
import { planAnnotations } from '../plan/plan-annotations';
import { formatPolicy, formatVerdict } from '../plan/policies-of';
import { denied } from '../plan/refusals';
import { formatPlan } from '../plan/text';
import { renderFleet } from '../render/fleet';
import { routingFiles } from '../routing/document';
import { EMPTY_LOCK } from '../scheduler/lock';
import { describe, FleetwrightError, type Problem } from '../errors';
import { type CommonFlags, type Decided, decideFleet, policyCodes, shortfallCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { readLock } from './inputs';
import { staleInFile, staleLock } from './lock';
import { annotate, type Io, jsonDocument, styleFor } from './output';

export interface SynthFlags extends CommonFlags {
  /** Default: `out`. */
  readonly out: string;
}

/**
 * `fleetwright synth`: writes the manifests of every cluster to `OUT/CLUSTER/`. Refuses a lock that is stale, and what
 * rules of the fleet deny; with `--ephemeral` it reads no lock and decides afresh, for fleets that are thrown away.
 */
export function synth(target: string, flags: SynthFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, flags.ephemeral ? () => EMPTY_LOCK : readLock);
  refuseOthersManifests(target, decided);
  const { fleet, replicas, routing, plan } = decided;
  const stale = decided.stale && !flags.ephemeral;
  annotate(
    () => [...asErrors(stale ? [staleInFile(target, flags)] : []), ...planAnnotations(decided)],
    flags,
    io,
  );
  const refusals = [...(stale ? [EXIT.stale] : []), ...policyCodes(decided), ...shortfallCodes(decided)];
  if (refusals.length > 0) {
    refuse(decided, stale ? staleLock(target, flags).problems : [], { target, flags, io });
    return exitCode(refusals);
  }
  for (const finding of flags.json || flags.quiet ? [] : plan.policies) io.err(`${formatPolicy(finding)}\n`);
  const files = new Map([...renderFleet(fleet, replicas, { routing }), ...routingFiles(routing)]);
  const { written, removed, unchanged } = writeOutput(flags.out, files);
  if (flags.json) {
    const { policies, mustExist } = plan;
    io.out(jsonDocument('Synth', { out: flags.out, written, removed, unchanged, policies, mustExist }));
  } else if (!flags.quiet) {
    const counts = `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`;
    for (const line of formatVerdict(fleet, plan.policies)) io.out(`${line}\n`);
    io.out(`Manifests of ${plural(fleet.clusters.length, 'cluster')} in ${flags.out}: ${counts}.\n`);
    for (const line of formatNeeds(plan.mustExist, styleFor(io, flags))) io.out(`${line}\n`);
  }
  return EXIT.ok;
}

/** A program that brings renderers makes other objects than this command could. */
export function refuseOthersManifests(target: string, { programRenderers }: Decided): void {
  if (programRenderers.length === 0) return;
  const what = `the program renders with ${programRenderers.join(', ')}, which this command does not have`;
  const hint = "Run the program itself, as in 'npx cdk8s synth'";
  throw new FleetwrightError([{ code: 'other-renderer', where: target, what, hint }]);
}

/** Tells why nothing is written: what does not fit, rules that deny it, and a lock that is stale. */
function refuse(
  { plan }: Decided,
  refusals: readonly Problem[],
  { target, flags, io }: { target: string; flags: SynthFlags; io: Io },
): void {
  const problems = [...refusals, ...denied(plan)];
  if (flags.json) {
    io.out(jsonDocument('Problems', { problems, plan }));
    return;
  }
  if (plan.totals.unplaced > 0) io.err(`${formatPlan(plan, target, styleFor(io, flags))}\n`);
  for (const problem of problems) io.err(`${describe(problem)}\n`);
}
