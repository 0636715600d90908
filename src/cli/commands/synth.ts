import { join } from 'node:path';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { diagnosticDocument } from '../../base/diagnostic-document';
import { pluralize, quoteShellWord } from '../../base/text';
import { type ClusterOutput, writeClusterFiles } from '../../files/write-cluster-files';
import { diagnoseDenials } from '../../plan/apply-blockers';
import { renderFleet } from '../../render/fleet';
import { annotatePlan } from '../../report/plan/plan-annotations';
import { formatPlan, formatRequiredObjects } from '../../report/plan/plan-text';
import { formatPolicyFinding, formatPolicyVerdict } from '../../report/plan/policy-text';
import { formatRoutingFiles } from '../../routing/routing-document';
import { EMPTY_LOCK } from '../../scheduler/lock/lock';
import { commandError } from '../command-error';
import {
  type CommonFlags,
  createStaleLockAnnotation,
  createStaleLockError,
  type DecidedFleet,
  decideFleet,
} from '../decide-fleet';
import { chooseExitCode, EXIT, type ExitCode, policyExitCodesOf, shortfallExitCodesOf } from '../exit-code';
import { planDocument } from '../json-documents';
import { createStyle, formatBlocks, formatJsonDocument, type Io, printAnnotations } from '../output';
import { readLock } from '../read-inputs';

export interface SynthFlags extends CommonFlags {
  readonly out: string;
}

/**
 * `fleetwright synth`: writes the manifests of all clusters to `OUT/CLUSTER/`. Rejects a stale lock, and plans that
 * policies deny. With `--ephemeral`, it reads no lock and decides again, for temporary fleets.
 */
export function runSynth(target: string, flags: SynthFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, flags.ephemeral ? () => EMPTY_LOCK : readLock);
  refuseProgramRenderers(target, decided);
  const { fleet, replicas, routing, plan } = decided;
  const stale = decided.stale && !flags.ephemeral;
  printAnnotations(
    () => [...(stale ? [createStaleLockAnnotation(target, flags, decided)] : []), ...annotatePlan(decided)],
    flags,
    io,
  );
  const refusals = [...(stale ? [EXIT.stale] : []), ...policyExitCodesOf(decided), ...shortfallExitCodesOf(decided)];
  if (refusals.length > 0) {
    reportRefusals(decided, stale ? createStaleLockError(target, flags, decided).diagnostics : [], {
      target,
      flags,
      io,
    });
    return chooseExitCode(refusals);
  }
  for (const finding of flags.json || flags.quiet ? [] : plan.policies) io.err(`${formatPolicyFinding(finding)}\n`);
  const files = new Map([...renderFleet(fleet, replicas, { routing }), ...formatRoutingFiles(routing)]);
  const output = writeClusterFiles(flags.out, files);
  if (flags.json) {
    const { policies, mustExist } = planDocument(plan);
    io.out(formatJsonDocument('Synth', { out: flags.out, ...output, policies, mustExist }));
  } else if (!flags.quiet) {
    const { written, removed, unchanged, deleteLists } = output;
    const counts = `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`;
    for (const line of formatPolicyVerdict(fleet, plan.policies)) io.out(`${line}\n`);
    io.out(`Manifests of ${pluralize(fleet.clusters.length, 'cluster')} in ${flags.out}: ${counts}.\n`);
    for (const list of deleteLists) io.out(`${formatDeleteList(flags.out, list)}\n`);
    io.out(formatBlocks(formatRequiredObjects(plan.mustExist), { flags, io }));
  }
  return EXIT.ok;
}

function formatDeleteList(out: string, { path, objects }: ClusterOutput['deleteLists'][number]): string {
  const file = quoteShellWord(join(out, path));
  return `${pluralize(objects, 'object')} to delete, unless Argo CD or Flux prunes: kubectl delete --ignore-not-found -f ${file}`;
}

/** Rejects a program with custom renderers, whose objects this command cannot render. */
export function refuseProgramRenderers(target: string, { programRenderers }: DecidedFleet): void {
  if (programRenderers.length === 0) return;
  const what = `the program renders with ${programRenderers.join(', ')}, which this command does not have`;
  const hint = "Run the program itself, as in 'npx cdk8s synth'";
  throw commandError('other-renderer', target, what, hint);
}

/** Prints why nothing is written: replicas without a place, policies that deny the plan, a stale lock. */
function reportRefusals(
  { plan }: DecidedFleet,
  refusals: readonly Diagnostic[],
  { target, flags, io }: { target: string; flags: SynthFlags; io: Io },
): void {
  const problems = [...refusals, ...diagnoseDenials(plan)];
  if (flags.json) {
    io.out(formatJsonDocument('Problems', { problems: problems.map(diagnosticDocument), plan: planDocument(plan) }));
    return;
  }
  if (plan.totals.unplaced > 0) io.err(`${formatPlan(plan, target, createStyle(io, flags))}\n`);
  for (const problem of problems) io.err(`${formatDiagnostic(problem)}\n`);
}
