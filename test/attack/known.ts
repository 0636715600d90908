import type { Breach } from './judge';

/** A breach that is not mended yet. */
interface Known {
  readonly rule: RegExp;

  /** What the input, or what came of it, has to say. */
  readonly about: RegExp;
  readonly why: string;
}

/** What fails and is not mended yet: a line each. It should be empty. */
const KNOWN: readonly Known[] = [];

/** Why a breach is known. Undefined: it is not. */
export function whyKnown({ rule, what }: Breach, input: string): string | undefined {
  return KNOWN.find((one) => one.rule.test(rule) && one.about.test(`${input}\n${what}`))?.why;
}
