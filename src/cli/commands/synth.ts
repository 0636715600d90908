import { join, resolve } from 'node:path';
import { type Diagnostic, errorAt, formatDiagnostic } from '../../base/diagnostic';
import { toDiagnosticDocument } from '../../base/diagnostic-document';
import { FleetwrightError } from '../../base/errors';
import { compareText, sortUnique } from '../../base/order';
import { formatCommandArguments, joinNames, pluralize, quoteShellWord } from '../../base/text';
import { estimateStateCost } from '../../diff/cost-estimates';
import { findProgram } from '../../files/fleet-paths';
import type { KeptManifests } from '../../files/kept-files';
import { KeptTexts } from '../../files/kept-texts';
import { keepsRouting, qualifiedNameIn } from '../../files/set-aside';
import { type ClusterOutput, writeClusterFiles } from '../../files/write-cluster-files';
import { writeOutput } from '../../files/write-output';
import type { ProgramChart } from '../../manifest/program-charts';
import { diagnoseDenials, hasBlockingShortfall } from '../../plan/apply-blockers';
import { findLostLines } from '../../plan/held-deployments';
import { formatFleetFiles, renderFleetFiles, renderFleetTexts, type TextMemo } from '../../render/fleet';
import { formatDashboards } from '../../render/monitoring/dashboards/dashboards';
import { withProgramCharts } from '../../render/program-files';
import { findProgramWarnings } from '../../render/program-findings';
import { annotatePlan } from '../../report/plan/plan-annotations';
import { countReleases } from '../../report/plan/releases-text';
import { countRequiredObjects, formatPlan, formatWarnings } from '../../report/plan/plan-text';
import { mergeRequiredObjects } from '../../report/plan/required-objects-text';
import type { Item } from '../../report/document/document';
import { formatPolicyVerdict } from '../../report/plan/policy-text';
import { formatFaultVerdict } from '../../report/plan/resource-error-text';
import { formatRoutingFiles } from '../../routing/routing-document';
import { EMPTY_LOCK } from '../../scheduler/lock/lock';
import { commandError } from '../command-error';
import {
  type CommonFlags,
  createOutOfDateLockAnnotation,
  createOutOfDateLockError,
  type DecidedFleet,
} from '../decide-fleet';
import { type ValidDecision, decideValidResources } from '../decide-valid-resources';
import { policyExitCodesOf, shortfallExitCodesOf } from '../decision-exit-codes';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { planDocument } from '../json-documents';
import { createStyle, formatBlocks, type Io, printAnnotations } from '../output';
import { lockPathOf, readLock } from '../read-inputs';
import { faultExitCodesOf, printFaults, printImpossible, toFaultFields } from '../resource-errors';
import { runProgramToEnd } from '../run-program';

export interface SynthFlags extends CommonFlags {
  readonly out: string;

  /** The folder for dashboards. Default: they are not written. */
  readonly dashboards?: string;
}

/**
 * `fleetwright synth`: writes the manifests of all clusters to `OUT/CLUSTER/`. Rejects a lock that is out of date, and plans that
 * policies deny. With `--ephemeral`, it reads no lock and decides again, for temporary fleets.
 */
export function runSynth(target: string, flags: SynthFlags, io: Io): ExitCode {
  const decided = decideValidResources(target, flags, io, flags.ephemeral ? () => EMPTY_LOCK : readLock);
  refuseUndeclaredClusters(target, flags, decided);
  const { plan } = decided;
  const outOfDate = decided.outOfDate && !flags.ephemeral;
  printAnnotations(
    () => [...(outOfDate ? [createOutOfDateLockAnnotation(target, flags, decided)] : []), ...annotatePlan(decided)],
    flags,
    io,
  );
  const faults = [...faultExitCodesOf(decided), ...shortfallExitCodesOf(decided)];
  const short = hasBlockingShortfall(plan) ? [EXIT.unplaced] : [];
  const refusals = [...(outOfDate ? [EXIT.outOfDate] : []), ...policyExitCodesOf(decided), ...short];
  printFaults(decided, flags, io);
  if (short.length === 0) printImpossible(decided, flags, io);
  if (refusals.length > 0) {
    reportRefusals(decided, outOfDate ? createOutOfDateLockError(target, flags, decided).diagnostics : [], {
      target,
      flags,
      io,
    });
    return chooseExitCode([...faults, ...refusals]);
  }
  writeFiles(decided, { target, flags, io });
  return chooseExitCode(faults);
}

/** Writes the files of a fleet, and prints what was written. */
function writeFiles(decided: ValidDecision, run: SynthRun): void {
  const { fleet, plan } = decided;
  const { flags, io } = run;
  const texts = io.records && new KeptTexts(flags.out, io.records('synth', resolve(flags.out)));
  const { files, warnings } = renderFiles(decided, run, texts?.textsOf);
  const kept = keptManifestsOf(decided);
  const output = writeClusterFiles(flags.out, files, { kept, isUnchanged: texts?.isUnchanged });
  texts?.keep();
  const dashboards = writeDashboards(decided, flags);
  if (flags.json) {
    const { policies, mustExist } = planDocument(plan);
    const paths = dashboards && { dashboards };
    const found = warnings.length > 0 && { warnings: warnings.map(toDiagnosticDocument) };
    const rest = { ...paths, policies, mustExist, ...found, ...toFaultFields(decided) };
    io.outDocument('Synth', { out: flags.out, ...output, ...rest });
  } else if (!flags.quiet) {
    const { written, removed, unchanged, deleteLists } = output;
    const counts = `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`;
    for (const line of [...formatWarnings(warnings), ...verdictsOf(decided)]) io.out(`${line}\n`);
    io.out(`Manifests of ${pluralize(fleet.clusters.length, 'cluster')} in ${flags.out}: ${counts}.\n`);
    if (dashboards) io.out(`${describeDashboards(dashboards.length, flags.dashboards)}\n`);
    for (const list of deleteLists) io.out(`${formatDeleteList(flags.out, list)}\n`);
    const needs = formatNeeds(decided, run, unchanged.length > 0);
    io.out(formatBlocks(needs, { flags, io }));
  }
}

/** Lists the objects that must exist once, and counts them where an earlier run listed them. Releases are counted. */
function formatNeeds({ fleet, plan: { mustExist } }: ValidDecision, run: SynthRun, isLater: boolean): Item[] {
  const command = `fleetwright plan ${formatCommandArguments(run.target, run.flags.lock)} --all`;
  const releases = countReleases(fleet);
  if (isLater || mustExist.length === 0) return countRequiredObjects(mustExist, command, releases);
  return [
    ...mergeRequiredObjects(mustExist, undefined, command),
    ...countRequiredObjects([], command, releases, 'Also'),
  ];
}

function describeDashboards(count: number, folder: string | undefined): string {
  const what = `${pluralize(count, 'dashboard')} in ${folder}`;
  return count === 0 ? `${what}: no cluster with a replica declares 'monitoring'.` : `${what}.`;
}

/** Writes the dashboards of the fleet as files to import, where a folder is named. Returns their names. */
function writeDashboards({ replicas }: ValidDecision, { dashboards }: SynthFlags): string[] | undefined {
  if (dashboards === undefined) return undefined;
  const files = formatDashboards(replicas);
  writeOutput(dashboards, files);
  return [...files.keys()].sort(compareText);
}

interface SynthRun {
  readonly target: string;
  readonly flags: SynthFlags;
  readonly io: Io;
}

interface RenderedFiles {
  readonly files: ReadonlyMap<string, string>;

  /** What is wrong with objects of a program. */
  readonly warnings: readonly Diagnostic[];
}

/** Renders the files of all clusters. What a program adds to charts can depend on anything, so that all is rendered. */
function renderFiles(decided: ValidDecision, { target, flags, io }: SynthRun, memo?: TextMemo): RenderedFiles {
  const { fleet, replicas, routing } = decided;
  const charts = readCharts(target, flags, io);
  if (!charts) refuseProgramRenderers(target, decided);
  const options = { routing, progress: io.progress };
  const more = formatRoutingFiles(routing);
  if (!charts) {
    const files = renderFleetTexts(fleet, replicas, { ...options, memo });
    return { files: new Map([...files, ...more]), warnings: [] };
  }
  const rendered = [...renderFleetFiles(fleet, replicas, options)];
  const files = formatFleetFiles(withProgramCharts(rendered, charts));
  return { files: new Map([...files, ...more]), warnings: findProgramWarnings(fleet, rendered, charts) };
}

/** The charts of a program at its end. Undefined for manifests, and for a program without charts. */
function readCharts(target: string, flags: SynthFlags, io: Io): readonly ProgramChart[] | undefined {
  const program = findProgram(target);
  if (!program) return undefined;
  return runProgramToEnd(program, io, flags.ephemeral ? 'ephemeral' : resolve(lockPathOf(target, flags)));
}

function verdictsOf({ fleet, plan, problems }: ValidDecision): string[] {
  return [...formatFaultVerdict(problems), ...formatPolicyVerdict(fleet, plan.policies)];
}

/** What keeps the files of an earlier run, because this one cannot render it. */
function keptManifestsOf({ held, aside }: ValidDecision): KeptManifests {
  const removed = [...aside].flatMap(([id, earlier]) => (earlier === undefined ? [id] : []));
  const lines = held.unknown.map(({ deployment, cluster }) => ({ cluster, ...splitName(deployment) }));
  const isOf = (kind: string): string[] => removed.filter((id) => id.startsWith(`${kind} `)).map(qualifiedNameIn);
  return {
    deployments: lines,
    caches: isOf('ModelCache').map(splitName),
    routing: lines.length > 0 || keepsRouting(aside),
  };
}

function splitName(qualified: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = qualified.split('/');
  return { namespace, name };
}

function formatDeleteList(out: string, { path, objects }: ClusterOutput['deleteLists'][number]): string {
  const file = quoteShellWord(join(out, path));
  return `${pluralize(objects, 'object')} to delete, unless Argo CD or Flux prunes: kubectl delete --ignore-not-found -f ${file}`;
}

/**
 * Rejects a lock with replicas on undeclared clusters. Their manifests would be removed, and the routes of the other
 * clusters would lead there.
 */
function refuseUndeclaredClusters(target: string, flags: SynthFlags, { model, held, problems }: ValidDecision): void {
  const lines = findLostLines(model, held);
  if (lines.length === 0) return;
  const path = lockPathOf(target, flags);
  const clusters = sortUnique(lines.map(({ cluster }) => cluster)).map((name) => `'${name}'`);
  const ids = sortUnique(lines.map(({ deployment }) => deployment));
  const where = `${clusters.length === 1 ? 'cluster' : 'clusters'} ${joinNames(clusters)}`;
  const are = clusters.length === 1 ? 'is' : 'are';
  const what = `replicas of ${joinNames(ids)} are in the lock on ${where}, which ${are} not declared`;
  const command = `fleetwright lock ${formatCommandArguments(target, flags.lock)} --accept-unplaced`;
  const hint = `Correct the errors, or remove these replicas with '${command}'`;
  throw new FleetwrightError([...problems, errorAt('lost-cluster', path, what, hint)]);
}

/** Rejects a program with custom renderers whose objects a command cannot have: it reads no charts, or there are none. */
export function refuseProgramRenderers(target: string, { programRenderers }: DecidedFleet): void {
  if (programRenderers.length === 0) return;
  const what = `the program renders with ${programRenderers.join(', ')}, which this command does not have`;
  const hint = "Run the program itself, as in 'npx cdk8s synth' or 'pulumi up'";
  throw commandError('other-renderer', target, what, hint);
}

/** Prints why nothing is written: replicas without a place, policies that deny the plan, a lock that is out of date. */
function reportRefusals(decided: DecidedFleet, refusals: readonly Diagnostic[], { target, flags, io }: SynthRun): void {
  const { plan } = decided;
  const problems = [...refusals, ...diagnoseDenials(plan)];
  if (flags.json) {
    io.outDocument('Problems', { problems: problems.map(toDiagnosticDocument), plan: planDocument(plan) });
    return;
  }
  if (plan.totals.unplaced > 0)
    io.err(`${formatPlan(plan, target, { style: createStyle(io, flags), estimate: estimateStateCost(decided) })}\n`);
  for (const problem of problems) io.err(`${formatDiagnostic(problem)}\n`);
  if (plan.totals.unplaced > 0) io.err(`Nothing was written. ${hintToWrite(target, flags)}\n`);
}

/** How manifests are written although replicas have no place. */
function hintToWrite(target: string, { lock, ephemeral }: SynthFlags): string {
  const command = `fleetwright lock ${formatCommandArguments(target, lock)} --accept-unplaced`;
  const next = ephemeral ? `'${command}', then synth without --ephemeral` : `'${command}', then synth`;
  return `Add capacity, or accept the shortfall: ${next}, or set 'allowPartial: true' on the deployments.`;
}
