import type { Random } from '../harness/random';

/** Ways to break an expression that was fine. */
const MUTATIONS: readonly ((tokens: string[], at: number, random: Random) => void)[] = [
  (tokens, at) => void tokens.splice(at, 1),
  (tokens, at) => void tokens.splice(at, 0, tokens[at] ?? ''),
  (tokens, at, random) => void (tokens[at] = random.pick(OPERATORS)),
  (tokens, at, random) => void (tokens[at] = random.pick(WORDS)),
  (tokens, at, random) => void (tokens[at] = random.pick(LITERALS)),
  (tokens, at, random) => {
    const other = random.below(tokens.length);
    [tokens[at], tokens[other]] = [tokens[other] ?? '', tokens[at] ?? ''];
  },
  (tokens, at, random) => void tokens.splice(at + random.below(4)),
];

const OPERATORS = ['==', '!=', '<', '>=', '&&', '||', '+', '-', '!', '.', ',', '(', ')', '[', ']', '?', ':', ' in '];
const WORDS = [
  'size',
  'has',
  'exists',
  'device',
  'attributes',
  'capacity',
  'quantity',
  'compareTo',
  'null',
  'int',
  'family',
  'foo',
  'format',
  'ip',
  'url',
];
const LITERALS = ['1', '1u', '1.5', '"a"', 'true', 'null', '[]', '{}', '"10Gi"', '"1.2.3"', '[1, "a"]'];

/** An expression with one or two of its tokens broken. */
export function mutate(expression: string, random: Random): string {
  const tokens = expression.match(/"(?:\\.|[^"\\])*"|\d+\.\d+|\w+|\s+|==|!=|<=|>=|&&|\|\||./gu) ?? [];
  const times = random.percent(70) ? 1 : 2;
  for (let i = 0; i < times && tokens.length > 0; i++)
    random.pick(MUTATIONS)(tokens, random.below(tokens.length), random);
  return tokens.join('');
}
