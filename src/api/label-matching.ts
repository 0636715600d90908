import { toCanonicalLabel } from './labels';
import type { LabelExpression, LabelSelector } from './schema/label-selector';

/** A requirement that labels do not meet. */
export interface UnmetRequirement {
  /** The requirement in kubectl's notation: `region=eu`, `tier in (a, b)`, `!spot`. */
  readonly requirement: string;
  /** The label's value. Absent when the label is. */
  readonly actual?: string;
}

type Labels = Readonly<Record<string, string>>;

/** What an operator means, and how kubectl writes it. A missing label satisfies the negative ones. */
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

/** The first requirement of a selector that labels do not meet; none when it selects them. */
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

/** The requirements of a selector, in kubectl's notation. */
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
