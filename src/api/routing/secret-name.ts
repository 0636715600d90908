import type { z } from 'zod';
import { looksLikeKey } from '../literal-secret';
import { type Rule, rules } from '../reading/rule';
import { fields } from '../reading/fields';
import { dnsSubdomain } from '../shared/names';

/** A key in the place of a name is never shown: the message would carry it on. */
export const notAKey: Rule<string> = function* (value) {
  if (!looksLikeKey(value)) return;
  yield {
    code: 'secret-in-manifest',
    path: [],
    what: 'this looks like a key, and whoever reads the manifest could use it',
    hint: 'Put it into a Secret and write the name of that; the key itself should be replaced',
  };
};

/** The name of a Secret. */
const secretName: z.ZodString = dnsSubdomain.check(rules(notAKey));

/** A reference to a Secret as a whole. Only references are ever written down. */
export function secretRef(what: string) {
  return fields({ name: secretName.describe('The name of the Secret.') }).describe(what);
}
