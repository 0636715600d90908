import { z } from 'zod';
import { type Rule, rules } from '../reading/rule';
import { formed } from '../shared/names';
import { shortened } from '../wording';

const NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;
const LONGEST_NAME = 256;
const LONGEST_VALUE = 4096;

const HINT = "Write letters, digits and '-', as in 'x-session'";

/** The name of an HTTP header. Large and small letters are the same. */
export const headerName = formed({
  noun: 'the name of a header',
  code: 'bad-header',
  pattern: NAME,
  max: LONGEST_NAME,
  hint: HINT,
});

const soundHeaders: Rule<Readonly<Record<string, string>>> = function* (headers) {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (name.length > LONGEST_NAME || !NAME.test(name)) {
      const what = `'${shortened(name)}' is not the name of a header`;
      yield { code: 'bad-header', path: [name], what, hint: HINT };
    } else if (seen.has(name.toLowerCase())) {
      const what = `the header '${name}' stands here twice: large and small letters are the same`;
      yield { code: 'duplicate-name', path: [name], what, hint: 'Remove one of the two' };
    } else if (value === '' || value.length > LONGEST_VALUE) {
      const what = `a header has a value of 1 to ${LONGEST_VALUE} characters`;
      yield { code: 'bad-header', path: [name], what, hint: 'Write the value that requests carry' };
    }
    seen.add(name.toLowerCase());
  }
};

/** Headers that a request has to carry, by name, with the value that each has exactly. At most 16. */
export const exactHeaders = z.record(z.string(), z.string()).check(rules(soundHeaders, fewHeaders));

const MOST_HEADERS = 16;

function* fewHeaders(headers: Readonly<Record<string, string>>) {
  const { length } = Object.keys(headers);
  if (length >= 1 && length <= MOST_HEADERS) return;
  const what = `a match has 1 to ${MOST_HEADERS} headers, not ${length}`;
  yield { code: 'out-of-bounds', path: [], what, hint: 'Name the headers that choose this entry' };
}
