/** Matchers of labels, by label. A list matches any of its texts. */
export type Matchers = Readonly<Record<string, string | readonly string[]>>;

/** A text of PromQL, in quotes. */
export function quoteText(text: string): string {
  return JSON.stringify(text);
}

/**
 * Selects the series of a metric.
 *
 * @param more matchers in PromQL
 * @example
 * selectSeries('up', { namespace: 'ml', pod: ['a', 'b'] }); // 'up{namespace="ml",pod=~"a|b"}'
 */
export function selectSeries(name: string, matchers: Matchers, more?: string): string {
  const parts = Object.entries(matchers).map(([label, value]) => {
    const isList = typeof value !== 'string' && value.length !== 1;
    return isList
      ? `${label}=~${quoteText(value.map(escapePattern).join('|'))}`
      : `${label}=${quoteText(String(value))}`;
  });
  return `${name}{${[...parts, ...(more === undefined ? [] : [more])].join(',')}}`;
}

/** Escapes a text for a regular expression of RE2. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.+*?()[\]{}|^$\\]/g, String.raw`\$&`);
}

/** Aggregates over all labels but some: `sum by (namespace, deployment) (...)`. */
export function aggregateBy(operator: string, labels: readonly string[], expression: string): string {
  return `${operator} by (${labels.join(', ')}) (${expression})`;
}
