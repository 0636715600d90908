import { FleetwrightError, type Problem } from '../errors';
import { readTextFile } from '../files/read-file';
import type { Fleet } from '../fleet';
import { fitted } from './fitted';
import { formatOutcomes, formatOutcomesTotals } from '../plan/what-if-text';
import { readScenarios } from '../what-if/read-scenarios';
import { isFault, STEP_FORMS, type StepField } from '../what-if/read-step';
import { type Scenario, type Step, STEP_KINDS } from '../what-if/scenario';
import { whatIf as outcomesOf } from '../what-if/what-if';
import { type CommonFlags, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { type Io, print } from './output';
import type { WhatIfDocument } from './trial-documents';

/** Every kind of step as a flag, each given as often as the user likes; together they are one scenario. */
export interface WhatIfFlags extends CommonFlags, Partial<Record<StepField, readonly string[]>> {
  /** A file of scenarios, beside the one of the flags. */
  readonly scenarios?: string;
}

/**
 * `fleetwright what-if`: what scenarios would change of the fleet as it would be decided now. Writes nothing. Exits
 * with 3 where one leaves replicas without a place that have one.
 */
export function whatIf(target: string, flags: WhatIfFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, readLock);
  const scenarios = scenariosOf(flags, decided.fleet);
  const outcomes = outcomesOf(decided, scenarios);
  print<WhatIfDocument>(
    'WhatIf',
    { stale: decided.stale, outcomes },
    (style) => {
      const text = flags.quiet ? formatOutcomesTotals(outcomes) : formatOutcomes(outcomes, style);
      return `${fitted(text, io.width)}\n`;
    },
    { flags, io },
  );
  return outcomes.some(({ totals }) => totals.unplaced > 0) ? EXIT.unplaced : EXIT.ok;
}

/** The scenarios that flags and a file name; all that is wrong with either at once. */
function scenariosOf(flags: WhatIfFlags, fleet: Fleet): Scenario[] {
  const { steps, problems } = stepsOf(flags, fleet);
  const named = flags.scenarios;
  const file = named === undefined ? undefined : { path: named, text: readTextFile(named) };
  const read = file ? readScenarios(file, fleet) : { scenarios: [], problems: [] };
  const all = [...problems, ...read.problems];
  if (all.length > 0) throw new FleetwrightError(all);
  const own = steps.length > 0 ? [{ name: nameOf(flags), steps }] : [];
  const scenarios = [...own, ...read.scenarios];
  if (scenarios.length > 0) return scenarios;
  const what = 'it is not said what may happen';
  const hint = `Use ${STEP_KINDS.map((kind) => `--${kind}`).join(', ')} or --scenarios FILE`;
  throw new FleetwrightError([{ code: 'no-scenario', where: 'what-if', what, hint }]);
}

function stepsOf(flags: WhatIfFlags, fleet: Fleet): { steps: Step[]; problems: Problem[] } {
  const steps: Step[] = [];
  const problems: Problem[] = [];
  for (const kind of STEP_KINDS) {
    for (const text of flags[STEP_FORMS[kind].field] ?? []) {
      const read = STEP_FORMS[kind].read(text, fleet);
      if (isFault(read)) problems.push({ ...read, where: `--${kind} ${text}` });
      else steps.push(read);
    }
  }
  return { steps, problems };
}

/** The flags, as they were given. */
function nameOf(flags: WhatIfFlags): string {
  return STEP_KINDS.flatMap((kind) =>
    (flags[STEP_FORMS[kind].field] ?? []).map((text) => `${kind} ${text}`),
  ).join(', ');
}
