import { parseScript } from '../../src/engine/command-line';

/** Words as text; those that only the container knows in angle brackets. */
function words(script: string): string[][] {
  return parseScript(script).map((line) => line.map(({ text, literal }) => (literal ? text : `<${text}>`)));
}

describe('a script', () => {
  const cases: Record<string, { script: string; want: string[][] }> = {
    'is split at blanks': { script: ' vllm  serve\tqwen ', want: [['vllm', 'serve', 'qwen']] },
    'is split at the ends of commands': {
      script: 'a 1 && b || c; d | e & f\ng',
      want: [['a', '1'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']],
    },
    'goes on after a backslash at the end of a line': {
      script: 'vllm serve \\\n  --tp 8\\\n6',
      want: [['vllm', 'serve', '--tp', '86']],
    },
    'keeps blanks in quotes': { script: `a "b c" 'd  e'`, want: [['a', 'b c', 'd  e']] },
    'joins quoted parts of a word': { script: `--x="a b"'c'd`, want: [['--x=a bcd']] },
    'keeps an empty word': { script: `a ''`, want: [['a', '']] },
    'reads JSON in single quotes': { script: `--kv '{"a":"$b"}'`, want: [['--kv', '{"a":"$b"}']] },
    'reads escapes in double quotes': { script: String.raw`"a\"b\$c\d"`, want: [['a"b$c\\d']] },
    'reads an escaped blank': { script: String.raw`a\ b`, want: [['a b']] },
    'tells words that only the container knows': {
      script: 'a $B $B=1 ${C:-x y} $(d e (f)) `g` "h$I" \'$J\' --k=$L $@',
      want: [['a', '<$B>', '<$B=1>', '<${C:-x y}>', '<$(d e (f))>', '<`g`>', '<h$I>', '$J', '<--k=$L>', '<$@>']],
    },
    'does not take an escaped dollar for a variable': {
      script: String.raw`"\$a" "\\$a"`,
      want: [['$a', '<\\$a>']],
    },
    'leaves comments out': { script: 'a # b c\nd', want: [['a'], ['d']] },
    'takes a number sign within a word for what it is': { script: 'a b#c d', want: [['a', 'b#c', 'd']] },
    'leaves redirections out': {
      script: 'a > b c 2>&1 d >>e <f g &> h i',
      want: [['a', 'c', 'd', 'g', 'i']],
    },
    'may end in the middle of a quote': { script: `a "b c`, want: [['a', '"b', 'c']] },
    'has no words where it is empty': { script: ' \n;\n', want: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { script, want }) => {
    expect(words(script)).toEqual(want);
  });
});
