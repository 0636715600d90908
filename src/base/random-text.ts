const MIN_LENGTH = 16;
const MIN_DIGITS = 2;

/** How often a digit, a capital and a small letter follow each other inside of words. */
const MIN_CHANGES = 5;

/** In bits a character. Texts of one repeated part have less. */
const MIN_ENTROPY = 3;

/**
 * Reports whether a text looks random, as generated keys and UUIDs do. Names of objects, models and images do not:
 * inside of their words, letters and digits seldom alternate.
 */
export function isRandomText(text: string): boolean {
  if (text.length < MIN_LENGTH || (text.match(/\d/g)?.length ?? 0) < MIN_DIGITS) return false;
  return countChanges(text) >= MIN_CHANGES && entropyOf(text) >= MIN_ENTROPY;
}

function countChanges(text: string): number {
  return text.match(/\d(?=[A-Za-z])|[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])/g)?.length ?? 0;
}

/** The entropy of a text from the frequencies of its characters. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
