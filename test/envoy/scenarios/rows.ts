import type { Answer } from '../traffic/ask';
import type { Row } from '../scenario';

/** A row that holds when two values are the same. */
export function same(what: string, wanted: string | number, measured: string | number): Row {
  return { what, wanted: String(wanted), measured: String(measured), holds: wanted === measured };
}

/** A row about failures of many requests: at most a share of them, in percent. */
export function atMost(what: string, percent: number, failures: readonly Answer[], all: readonly Answer[]): Row {
  const share = all.length > 0 ? (failures.length / all.length) * 100 : 100;
  const why = failures.length > 0 ? ` (${reasons(failures)})` : '';
  return {
    what,
    wanted: percent === 0 ? '0 failures' : `at most ${percent} % failures`,
    measured: `${failures.length} of ${all.length} failed${why}`,
    holds: share <= percent,
  };
}

/** Why requests failed, each reason with its number. */
export function reasons(failures: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, error } of failures) {
    const reason = error ?? String(status);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} x ${reason}`).join(', ');
}
