/** vLLM reads its own flags so: lower-case suffixes are decimal, upper-case ones binary. */
const SUFFIXES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, K: 2 ** 10, M: 2 ** 20 };

/** The largest number that is accepted. */
export const MOST_TOKENS = 1e9;

/**
 * Parses a whole number from 1 on, with a suffix. Undefined for another text.
 *
 * @example
 * parseTokenCount('32k'); // 32000
 * parseTokenCount('32K'); // 32768
 */
export function parseTokenCount(text: string): number | undefined {
  const [, digits = '', suffix = ''] = /^(\d{1,12}(?:\.\d{1,6})?)([kmKM]?)$/.exec(text) ?? [];
  const value = digits === '' ? Number.NaN : Number(digits) * (SUFFIXES[suffix] ?? 1);
  return Number.isInteger(value) && value >= 1 && value <= MOST_TOKENS ? value : undefined;
}
