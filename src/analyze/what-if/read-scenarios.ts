import { scenarioFile } from '../../api/scenario-file';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import { readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';
import { isStepFault, type Scenario, type Step, STEP_KINDS, STEP_SYNTAX } from './scenario';

/** Reads a scenario file and resolves its steps against a fleet. */
export function readScenarios(
  file: SourceFile,
  fleet: Fleet,
): { scenarios: Scenario[]; problems: readonly Diagnostic[] } {
  const read = readDataFile(file, scenarioFile);
  if ('problems' in read) return { scenarios: [], problems: read.problems };
  const problems: Diagnostic[] = [];
  const scenarios = read.value.scenarios.map(({ name, ...written }, index): Scenario => {
    if (FIELDS.every((field) => written[field].length === 0)) {
      const what = `scenario '${name}' has no change to examine`;
      problems.push(errorAt('no-scenario', read.place(['scenarios', index]), what, `Set one of ${FIELDS.join(', ')}`));
    }
    const steps = STEP_KINDS.flatMap((kind) => {
      const { field, read: readStep } = STEP_SYNTAX[kind];
      return written[field].flatMap((text, item): Step[] => {
        const step = readStep(text, fleet);
        if (!isStepFault(step)) return [step];
        problems.push(relocate(step, () => read.place(['scenarios', index, field, item])));
        return [];
      });
    });
    return { name, steps };
  });
  return { scenarios, problems };
}

const FIELDS = STEP_KINDS.map((kind) => STEP_SYNTAX[kind].field);
