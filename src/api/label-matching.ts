import { toCanonicalLabel } from './labels';
import type { LabelExpression, LabelSelector } from './schema/label-selector';

interface UnmetRequirement {
  /** The requirement in the notation of kubectl: `region=eu`, `tier in (a, b)`, `!spot`. */
  readonly requirement: string;
  /** The value of the label. Absent if the label is absent. */
  readonly actual?: string;
}

type Labels = Readonly<Record<string, string>>;

/** The semantics and the kubectl notation of each operator. A missing label satisfies the negative operators. */
const OPERATORS: Record<
  LabelExpression['operator'],
  {
    readonly holds: (actual: string | undefined, values: readonly string[]) => boolean;
    readonly text: (key: string, values: readonly string[]) => string;
  }
> = {
  In: {
    holds: (actual, values) => actual !== undefined && values.includes(actual),
    text: (key, values) => `${key} in (${values.join(', ')})`,
  },
  NotIn: {
    holds: (actual, values) => actual === undefined || !values.includes(actual),
    text: (key, values) => `${key} notin (${values.join(', ')})`,
  },
  Exists: { holds: (actual) => actual !== undefined, text: (key) => key },
  DoesNotExist: { holds: (actual) => actual === undefined, text: (key) => `!${key}` },
};

/** The first requirement of a selector that labels do not meet. Undefined if the selector matches. */
export function findUnmetRequirement(selector: LabelSelector, labels: Labels): UnmetRequirement | undefined {
  for (const [key, value] of Object.entries(selector.matchLabels).sort()) {
    const actual = labels[toCanonicalLabel(key)];
    if (actual !== value) return toUnmetRequirement(`${key}=${value}`, actual);
  }
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const { holds, text } = OPERATORS[operator];
    const actual = labels[toCanonicalLabel(key)];
    if (!holds(actual, values)) return toUnmetRequirement(text(key, values), actual);
  }
  return undefined;
}

/** Formats the requirements of a selector in the notation of kubectl. */
export function formatRequirements({ matchLabels, matchExpressions = [] }: LabelSelector): string[] {
  return [
    ...Object.entries(matchLabels)
      .sort()
      .map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values }) => OPERATORS[operator].text(key, values)),
  ];
}

function toUnmetRequirement(requirement: string, actual: string | undefined): UnmetRequirement {
  return { requirement, ...(actual !== undefined && { actual }) };
}
