const MIN_LENGTH = 16;
const MIN_DIGITS = 2;

/** How often a digit, a capital and a small letter follow each other inside of words. */
const MIN_CHANGES = 5;

/** In bits a character. Texts of one repeated part have less. */
const MIN_ENTROPY = 3;

/** The hash at the end of the names that cdk8s makes. */
const CDK8S_HASH = /-c8[0-9a-f]{6}$/;

/**
 * Reports whether a text looks random, as generated keys and UUIDs do. Names of objects, models and images do not:
 * inside of their words, letters and digits seldom alternate. The hash of a name of cdk8s does not count.
 */
export function isRandomText(text: string): boolean {
  const words = text.replace(CDK8S_HASH, '');
  if (words.length < MIN_LENGTH || (words.match(/\d/g)?.length ?? 0) < MIN_DIGITS) return false;
  return countChanges(words) >= MIN_CHANGES && entropyOf(words) >= MIN_ENTROPY;
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
