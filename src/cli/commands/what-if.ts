import { readScenarios } from '../../analyze/what-if/read-scenarios';
import {
  isStepFault,
  type Scenario,
  type Step,
  STEP_KINDS,
  STEP_SYNTAX,
  type StepField,
} from '../../analyze/what-if/scenario';
import { whatIf } from '../../analyze/what-if/what-if';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { readTextFile } from '../../files/read-file';
import type { Fleet } from '../../fleet/fleet';
import { formatOutcomes, formatOutcomeTotals } from '../../report/analyze/what-if-text';
import { commandError } from '../command-error';
import { type CommonFlags, PLACES } from '../decide-fleet';
import { decideValidResources } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { outcomeDocument, type WhatIfDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';

/** Each kind of step has a flag that can be repeated. Together they form one scenario. */
export interface WhatIfFlags extends CommonFlags, Partial<Record<StepField, readonly string[]>> {
  /** A file of scenarios, in addition to the scenario of the flags. */
  readonly scenarios?: string;
}

/**
 * `fleetwright what-if`: shows what scenarios would change in the fleet. Writes nothing. Exits with 1 if `plan` would
 * have errors after a scenario, and with 3 if replicas have no place after it, and neither the lock nor `allowPartial`
 * accepts that. Resources with errors count as the lock has them.
 */
export function runWhatIf(target: string, flags: WhatIfFlags, io: Io): ExitCode {
  const decided = decideValidResources(target, { ...flags, ...PLACES }, io);
  const scenarios = readScenariosOf(flags, decided.fleet);
  const outcomes = whatIf(decided, scenarios, decided.locate);
  printResult<WhatIfDocument>(
    'WhatIf',
    { outOfDate: decided.outOfDate, outcomes: outcomes.map(outcomeDocument), ...toFaultFields(decided) },
    () => (flags.quiet ? formatOutcomeTotals(outcomes) : formatOutcomes(outcomes, decided.fleet)),
    { flags, io, fit: true },
  );
  printFaults(decided, flags, io);
  const isFaulty = outcomes.some(({ problems }) => problems);
  const isShort = outcomes.some(({ totals }) => totals.unplaced > 0);
  return chooseExitCode([
    ...faultExitCodesOf(decided),
    ...(isFaulty ? [EXIT.badInput] : []),
    ...(isShort ? [EXIT.unplaced] : []),
  ]);
}

/** Reads the scenarios of the flags and of the file. Reports the problems of both together. */
function readScenariosOf(flags: WhatIfFlags, fleet: Fleet): Scenario[] {
  const { steps, problems } = parseSteps(flags, fleet);
  const named = flags.scenarios;
  const file = named === undefined ? undefined : { path: named, text: readTextFile(named) };
  const read = file ? readScenarios(file, fleet) : { scenarios: [], problems: [] };
  const all = [...problems, ...read.problems];
  if (all.length > 0) throw new FleetwrightError(all);
  const fromFlags = steps.length > 0 ? [{ name: formatScenarioName(flags), steps }] : [];
  const scenarios = [...fromFlags, ...read.scenarios];
  if (scenarios.length > 0) return scenarios;
  const what = 'no event or change is given';
  const hint = `Use ${STEP_KINDS.map((kind) => `--${kind}`).join(', ')} or --scenarios FILE`;
  throw commandError('no-scenario', 'what-if', what, hint);
}

function parseSteps(flags: WhatIfFlags, fleet: Fleet): { steps: Step[]; problems: Diagnostic[] } {
  const steps: Step[] = [];
  const problems: Diagnostic[] = [];
  for (const kind of STEP_KINDS) {
    for (const text of flags[STEP_SYNTAX[kind].field] ?? []) {
      const read = STEP_SYNTAX[kind].read(text, fleet);
      if (isStepFault(read)) problems.push(relocate(read, () => `--${kind} ${text}`));
      else steps.push(read);
    }
  }
  return { steps, problems };
}

/** The name of the scenario of the flags: the flags as typed. */
function formatScenarioName(flags: WhatIfFlags): string {
  return STEP_KINDS.flatMap((kind) => (flags[STEP_SYNTAX[kind].field] ?? []).map((text) => `${kind} ${text}`)).join(
    ', ',
  );
}
