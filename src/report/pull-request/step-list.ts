import { type ChangeStep, formatNumberedStep, formatStep, STEP_TIMES, type StepTime } from '../diff/change-steps';

/** The fewest steps that are a numbered list. */
const MIN_LISTED = 3;

/** Steps that follow the tables where few are around them. */
const BELOW: ReadonlySet<StepTime> = new Set(['ready', 'later']);

/**
 * Arranges steps around the tables, or many of them above these in a numbered list.
 *
 * @param notes lines above the tables that are no steps
 */
export function arrangeSteps(
  all: readonly ChangeStep[],
  notes: readonly string[],
  tables: readonly string[],
): string[] {
  const steps = STEP_TIMES.flatMap((time) => all.filter((step) => step.time === time));
  if (steps.length >= MIN_LISTED) return [...steps.map(formatNumberedStep), '', ...spaceOut(notes), ...tables];
  const [above = [], below = []] = [false, true].map((isBelow) =>
    steps.filter(({ time }) => BELOW.has(time) === isBelow),
  );
  return [...spaceOut([...above.map(formatStep), ...notes]), ...tables, ...spaceOut(below.map(formatStep))];
}

/** Lines with a blank line behind each. */
function spaceOut(lines: readonly string[]): string[] {
  return lines.flatMap((line) => [line, '']);
}
