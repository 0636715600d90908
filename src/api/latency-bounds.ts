/** The seconds of a latency: 0.5 for `500ms`. */
export function parseLatency(text: string): number {
  const amount = Number.parseFloat(text);
  return text.endsWith('ms') ? amount / 1000 : amount;
}

/**
 * The quantiles that an SLO can bound, apart from its schema, so that whoever decides loads no schema. A lower one
 * leaves too many requests without a bound to alert on.
 */
export const SLO_QUANTILES = ['p90', 'p95', 'p99'] as const;

export type SloQuantile = (typeof SLO_QUANTILES)[number];
