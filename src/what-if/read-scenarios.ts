import { scenarioFile } from '../api/scenario-file';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source';
import { isFault, STEP_FORMS, type StepFault } from './read-step';
import { type Scenario, type Step, STEP_KINDS } from './scenario';

/** Scenarios of a fleet, and what is wrong with the file that they were read from. */
export interface ScenarioReading {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly Problem[];
}

/** Reads a file of scenarios for a fleet. */
export function readScenarios(file: SourceFile, fleet: Fleet): ScenarioReading {
  const read = readDataFile(file, scenarioFile);
  if ('problems' in read) return { scenarios: [], problems: read.problems };
  const problems: Problem[] = [];
  const scenarios = read.value.scenarios.map(({ name, ...written }, index): Scenario => {
    if (FIELDS.every((field) => written[field].length === 0)) {
      problems.push({ ...nothingSaid(name), where: read.place(['scenarios', index]) });
    }
    const steps = STEP_KINDS.flatMap((kind) => {
      const { field, read: readStep } = STEP_FORMS[kind];
      return written[field].flatMap((text, item): Step[] => {
        const step = readStep(text, fleet);
        if (!isFault(step)) return [step];
        problems.push({ ...step, where: read.place(['scenarios', index, field, item]) });
        return [];
      });
    });
    return { name, steps };
  });
  return { scenarios, problems };
}

const FIELDS = STEP_KINDS.map((kind) => STEP_FORMS[kind].field);

function nothingSaid(name: string): StepFault {
  const what = `scenario '${name}' does not say what may happen`;
  return { code: 'no-scenario', what, hint: `Give it one of ${FIELDS.join(', ')}` };
}
