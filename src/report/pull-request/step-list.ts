import { capitalize } from '../../base/text';
import type { ApplyMode } from '../../diff/serving-during-change';

/** Lines with a blank line behind each. */
interface StepLines {
  /** What comes before manifests are applied and last, and other lines. */
  readonly first: readonly string[];

  /** What comes when new gateways have their addresses. */
  readonly records: readonly string[];

  /** What comes in a change of its own. */
  readonly next: readonly string[];
}

/** The fewest steps that are a numbered list. */
const MIN_LISTED = 3;

/** How the lines of steps begin, in their order. */
const STEP_WORDS = ['First, ', 'To do: ', 'Next, '];

/** Arranges steps around the tables, or many of them above these in a numbered list. */
export function arrangeSteps({ first, records, next }: StepLines, tables: readonly string[]): string[] {
  const lines = [...first, ...records].flatMap((line) => line.split(/ (?=Last, )/)).filter((line) => line !== '');
  const steps = STEP_WORDS.flatMap((word) => lines.filter((line) => line.startsWith(word)));
  const last = lines.filter((line) => line.startsWith('Last, '));
  const all = [...steps, ...last, ...next.filter((line) => line !== '')];
  if (all.length < MIN_LISTED) return [...first, ...tables, ...next, ...records];
  const others = lines.filter((line) => !steps.includes(line) && !last.includes(line));
  const numbered = all.map(
    (line, i) => `${i + 1}. ${capitalize(line.replace(/^(First, |Next, |Last, |To do: )/, ''))}`,
  );
  return [...numbered, '', ...others.flatMap((line) => [line, '']), ...tables];
}

const BEFORE_APPLY = 'before manifests are applied';

/** Says once that Argo CD applies manifests when a change is merged, where it is the tool that a gate assumes. */
export function sayBeforeMerging(lines: readonly string[], applied: ApplyMode | undefined): string[] {
  const at = applied === 'perCluster' ? lines.findIndex((line) => line.includes(BEFORE_APPLY)) : -1;
  return lines.map((line, i) =>
    i === at ? line.replace(BEFORE_APPLY, `${BEFORE_APPLY} (with Argo CD: before merging, from the branch)`) : line,
  );
}
