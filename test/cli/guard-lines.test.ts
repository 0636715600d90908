import * as fc from 'fast-check';
import { guardLines } from '../../src/cli/guard-lines';
import { guardOutput } from '../../src/cli/output';
import { daily } from '../daily';

/** A text that is large enough to be guarded by line. */
const FILLER = '      "cluster": "cluster-00001",\n'.repeat(2500);

/** What the command line prints of a text. */
function printed(text: string, secret?: string): string {
  let out = '';
  const raw = { out: (part: string) => (out += part), err: () => {}, terminal: false, env: {}, stdin: () => '' };
  const io = guardOutput(raw);
  if (secret !== undefined) io.hide(secret);
  io.out(text);
  return out;
}

/** The same, of a text that is not large. */
function guardWhole(text: string): string {
  return printed(text);
}

const KEY = 'hf_abcdefghijklmnopqrstuvwx';
const RANDOM = '3Xk9fQ2mZ81pLw7cYt5R';

describe('in a document of many equal lines', () => {
  const cases: Record<string, { part: string; want: string }> = {
    'a key is hidden on each of its lines': {
      part: `"a": "${KEY}",\n"b": "${KEY}"\n`,
      want: '"a": "(hidden)",\n"b": "(hidden)"\n',
    },
    'a value is hidden below its name': {
      part: `"name": "TOKEN",\n          "value": "${RANDOM}"\n`,
      want: '"name": "TOKEN",\n          "value": "(hidden)"\n',
    },
    'a value is hidden below two names': {
      part: `secret\ntoken\n\n${RANDOM}\n`,
      want: 'secret\ntoken\n\n(hidden)\n',
    },
    'a private key is hidden on all of its lines': {
      part: `-----BEGIN PRIVATE KEY-----\n${RANDOM.repeat(3)}\n-----END PRIVATE KEY-----\n`,
      want: '(hidden)\n',
    },
    'an invisible character is shown': { part: 'a\u202Eb\n', want: 'a\\u202eb\n' },
    'a command to a CI is shown': { part: '::error::a\n', want: '\\u003a:error::a\n' },
  };
  test.each(Object.entries(cases))('%s', (_, { part, want }) => {
    expect(printed(FILLER + part + FILLER)).toBe(FILLER + want + FILLER);
  });

  test('a secret of the run is hidden where it has line breaks', () => {
    expect(printed(`${FILLER}my\nsecond-value\n`, 'my\nsecond-value')).toBe(`${FILLER}(hidden)\n`);
  });
});

const WORDS = 'token secret api_key bearer authorization password value a b-c : = & ? :: ##[ - \\u0068\\u0066_ %68%66_';

const PIECES = WORDS.split(' ').concat(
  [KEY, RANDOM, 'https://u:pa55word@host/x', Buffer.from(KEY).toString('base64')],
  ['\n', '\n', '\n  ', ' ', ': ', '"', '": "', '",\n  "', '\u001B[1m', '\u202E', '\\'],
);

test('each line alone yields what the whole text yields', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      expect(guardLines(FILLER + text + FILLER, guardWhole)).toBe(
        FILLER + guardWhole(text + FILLER.slice(0, 400)).slice(0, -400) + FILLER,
      );
    }),
    { numRuns: daily(200), seed: 3 },
  );
});
