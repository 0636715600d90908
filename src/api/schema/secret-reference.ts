import type { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { isLikelyKey } from '../secret-detection';
import { fields } from './fields';
import { rules, type SchemaRule } from './rules';
import { dnsSubdomain, nonEmptyText, referencedName } from './string-formats';

/** A key in the place of a name is never shown: the message would carry it on. */
export const notCredential: SchemaRule<string> = function* (value) {
  if (!isLikelyKey(value)) return;
  yield errorAt(
    'secret-in-manifest',
    [],
    'this looks like a key, and whoever reads the manifest could use it',
    'Put it into a Secret and write the name of that; the key itself should be replaced',
  );
};

/** The name of a Secret. */
const secretName: z.ZodString = dnsSubdomain.check(rules(notCredential));

/** A reference to a Secret as a whole. Only references are ever written down. */
export function secretReference(what: string) {
  return fields({ name: secretName.describe('The name of the Secret.') }).describe(what);
}

/** A reference to one key of a Secret. Only references are ever written down. */
export function secretKeyReference(defaultKey: string) {
  return fields({
    name: referencedName.describe('The name of the Secret.'),
    key: nonEmptyText(253).default(defaultKey).describe(`The key in the Secret. Default: ${defaultKey}.`),
  });
}
