import type { Breach } from './judge';

/** A breach that is not mended yet. */
interface Known {
  readonly rule: RegExp;

  /** What the input, or what came of it, has to say. */
  readonly about: RegExp;
  readonly why: string;
}

/** What fails and is not mended yet: a line each. It should be empty. */
const KNOWN: readonly Known[] = [
  { rule: /invisible characters/, about: /U\+20[26]/, why: 'marks of direction reach the terminal' },
  { rule: /key in a manifest/, about: /literal/, why: 'messages quote values that are keys' },
  { rule: /credential of the env/, about: /with an echo/, why: 'messages quote credentials that a server echoes' },
  { rule: /documented|stack|uncaught/, about: /a server with/, why: 'odd objects of a server end a command with 70' },
  { rule: /documented|stack/, about: /the program "a\\u0000b"/, why: 'NUL in the program ends a command with 70' },
  { rule: /processor/, about: /pages|leads to itself/, why: 'pages of a server are read without end' },
  { rule: /processor/, about: /a link to/, why: 'links that leave the folder of the fleet are followed' },
  { rule: /snapshot/, about: /a server with/, why: 'a snapshot is replaced by a worse one' },
  { rule: /after a kill leaves/, about: /\.fleetwright-\d+\.tmp/, why: 'what a killed lock leaves is not removed' },
];

/** Why a breach is known. Undefined: it is not. */
export function whyKnown({ rule, what }: Breach, input: string): string | undefined {
  return KNOWN.find((one) => one.rule.test(rule) && one.about.test(`${input}\n${what}`))?.why;
}
