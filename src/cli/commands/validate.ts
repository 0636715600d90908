import { attempt } from '../../base/attempt';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { toDiagnosticDocument } from '../../base/diagnostic-document';
import { FleetwrightError } from '../../base/errors';
import { formatCommandArguments, joinNames, pluralize } from '../../base/text';
import { noteIgnoredDocuments } from '../../files/read-fleet';
import { describeUnplaced, diagnoseDenials } from '../../plan/apply-blockers';
import { decide } from '../../plan/decide';
import { isBeyondCapacity, lacksOnlyCapacity } from '../../plan/held-deployments';
import type { Plan } from '../../plan/plan';
import { withoutLockWarnings } from '../../plan/warnings/collect-warnings';
import { formatNotes, formatWarnings } from '../../report/plan/plan-text';
import { adviseOn } from '../../report/plan/plan-annotations';
import { formatPolicyFinding } from '../../report/plan/policy-text';
import { formatShortfallLine } from '../../report/plan/shortfall-text';
import { EMPTY_LOCK, type Lock } from '../../scheduler/lock/lock';
import type { CommonFlags } from '../decide-fleet';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { formatBlocks, type Io, printAnnotations, printResult } from '../output';
import { type DeclaredFleet, readInput, readLock } from '../read-inputs';
import { refuseWarnings, type StrictFlags } from '../strict-warnings';
import { validateFleet, type ValidFleet } from '../validate-fleet';

/**
 * `fleetwright validate`: finds everything for which a plan without a lock would reject the declarations, and warns of
 * what that plan warns of. Replicas that lack only capacity are no error. With `--strict`, warnings are.
 */
export function runValidate(target: string, flags: CommonFlags & StrictFlags, io: Io): ExitCode {
  const input = readInput(target, flags, io);
  const lock = readLockIfValid(target, flags);
  const checked = attempt(() => validateFleet(input, lock.unplaced));
  const failed = 'problems' in checked || checked.value.impossible.length > 0;
  // A document that is not read may be the one that others miss.
  if (failed && !flags.json && !flags.quiet) {
    const foreignDocuments = 'problems' in checked ? formatWarnings(input.foreignDocuments ?? []) : [];
    io.err(formatBlocks([...foreignDocuments, ...formatNotes(noteIgnoredDocuments(input.ignored))], { flags, io }));
  }
  if ('problems' in checked) throw new FleetwrightError(checked.problems);
  const valid = checked.value;
  const { decision, impossible } = valid;
  const { policies } = decision.plan;
  const { notes, unchecked } = decision.remarks;
  const found = { notes: [...notes, ...unchecked], warnings: withoutLockWarnings(decision.remarks.warnings) };
  printAnnotations(() => [...impossible, ...policies, ...found.warnings], flags, io);
  const problems = [...impossible, ...diagnoseDenials({ policies })];
  if (problems.length > 0) printProblems(problems, found.warnings, { flags, io });
  else printValid(target, valid, { ...found, lock }, { flags, io });
  return chooseExitCode([
    ...problems.map(({ code }) => (code === 'denied' ? EXIT.refused : EXIT.unplaced)),
    refuseWarnings([...policies, ...found.warnings], flags, io),
  ]);
}

interface Printing {
  readonly flags: CommonFlags;
  readonly io: Io;
}

function printValid(
  target: string,
  { declared, decision: { plan } }: ValidFleet,
  found: Pick<Plan, 'warnings' | 'notes'> & { readonly lock: Lock },
  { flags, io }: Printing,
): void {
  for (const finding of flags.json || flags.quiet ? [] : plan.policies) io.err(`${formatPolicyFinding(finding)}\n`);
  const command = formatCommandArguments(target, flags.lock);
  const planned = planWithLock(declared, plan, found.lock);
  const shortfalls = planned ? describeShortfalls(planned, command, '') : describeShortfalls(plan, command);
  const notes = [...found.notes, ...shortfalls];
  const count = declared.resources.length;
  const text = `${pluralize(count, 'resource')} in ${target}: all valid.`;
  const blocks = flags.quiet ? [] : [text, ...formatWarnings(found.warnings), ...formatNotes(notes)];
  const warnings = found.warnings.map(toDiagnosticDocument);
  printResult('Validation', { resources: count, warnings, notes }, () => blocks, { flags, io });
}

/** The plan from the lock, so that replicas without a place are as many as in a plan. Undefined: there is none. */
function planWithLock(
  { fleet, locate, notes, warnings }: DeclaredFleet,
  { deployments }: Plan,
  lock: Lock,
): Plan | undefined {
  if (lock.placements.length === 0 || deployments.every(({ shortfall }) => shortfall === undefined)) return undefined;
  const decided = attempt(() => decide(fleet, locate, lock, { notes, warnings }));
  return 'value' in decided ? decided.value.plan : undefined;
}

/** Names the deployments that some number of nodes or a change of a cluster gives room, and what keeps each out. */
function describeShortfalls({ deployments }: Plan, command: string, start = 'Without a lock file, '): string[] {
  const short = deployments.flatMap((one) => {
    const text = one.shortfall && !isBeyondCapacity(one.shortfall) ? describeUnplaced(one) : undefined;
    return one.shortfall && text !== undefined ? [{ text, shortfall: one.shortfall }] : [];
  });
  if (short.some(({ shortfall }) => shortfall.rejections.length === 0)) {
    return ['No cluster is declared, so no replica has a place. Declare an InferenceCluster.'];
  }
  const full = short.filter(({ shortfall }) => lacksOnlyCapacity(shortfall));
  const closed = short.filter((one) => !full.includes(one));
  const names = joinNames(full.map(({ text }) => text));
  return [
    ...(full.length > 0 ? [`${start}${names}, for lack of capacity. 'fleetwright plan ${command}' says why.`] : []),
    ...closed.map(({ text, shortfall }) => {
      return `${start}${text} (${formatShortfallLine(shortfall)}). ${adviseOn(shortfall, [])}.`;
    }),
  ];
}

/** Validation needs no lock, so that one with errors is none. */
function readLockIfValid(target: string, flags: CommonFlags): Lock {
  const lock = attempt(() => readLock(target, flags));
  return 'value' in lock ? lock.value : EMPTY_LOCK;
}

/** Prints why the declarations are refused, with the warnings, which may say what is meant. */
function printProblems(
  problems: readonly Diagnostic[],
  warnings: readonly Diagnostic[],
  { flags, io }: Printing,
): void {
  if (flags.json) {
    io.outDocument('Problems', { problems: problems.map(toDiagnosticDocument) });
    return;
  }
  const printAll = (some: readonly Diagnostic[]): void => some.forEach((one) => io.err(`${formatDiagnostic(one)}\n`));
  printAll(problems.filter(({ code }) => code !== 'denied'));
  if (!flags.quiet) io.err(formatBlocks(formatWarnings(warnings), { flags, io }));
  // A misspelled region or label is a warning, and may be why a rule denies the plan.
  printAll(problems.filter(({ code }) => code === 'denied'));
}
