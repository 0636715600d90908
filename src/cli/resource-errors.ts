import { formatDiagnostic, limitListed } from '../base/diagnostic';
import { type DiagnosticDocument, toDiagnosticDocument } from '../base/diagnostic-document';
import { formatHomelessRejections } from '../report/plan/homeless-text';
import { toImpossibleProblems } from '../report/plan/plan-annotations';
import { formatOtherFaults, listCauses } from '../report/plan/resource-error-text';
import type { ValidDecision } from './decide-valid-resources';
import { EXIT, type ExitCode } from './exit-code';
import { formatBlocks, type Io, type OutputFlags } from './output';

type Faults = Pick<ValidDecision, 'problems' | 'others'>;

/** The exit code of a run in which some resources have errors: nothing else stops because of them. */
export function faultExitCodesOf({ problems }: Faults): ExitCode[] {
  return problems.length > 0 ? [EXIT.badInput] : [];
}

/** The fields of a JSON document for errors of resources. Absent if there are none. */
export function toFaultFields({ problems, others }: Faults): {
  readonly problems?: readonly DiagnosticDocument[];
  readonly otherProblems?: number;
} {
  return {
    ...(problems.length > 0 && { problems: limitListed(problems).map(toDiagnosticDocument) }),
    ...(others > 0 && { otherProblems: others }),
  };
}

/** Prints the errors of resources to standard error. In JSON they are fields of the document. */
export function printFaults({ problems, others }: Faults, flags: OutputFlags, io: Io): void {
  if (flags.json) return;
  for (const problem of limitListed(listCauses(problems))) {
    io.err(`${formatDiagnostic(problem)}\n`);
    const below = formatHomelessRejections(problem);
    io.err(formatBlocks(below.length > 0 ? [{ indent: 4, blocks: below }] : [], { flags, io }));
  }
  for (const line of formatOtherFaults(others)) io.err(`${line}\n`);
}

/** Prints why deployments that ask for what no cluster has have no place, where the plan is not printed. */
export function printImpossible(decided: ValidDecision, { json }: OutputFlags, io: Io): void {
  if (json) return;
  for (const problem of toImpossibleProblems(decided)) io.err(`${formatDiagnostic(problem)}\n`);
}
