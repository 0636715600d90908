import type { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { hasSecret } from '../../base/redaction';
import { fields } from './fields';
import { rules, type SchemaRule } from './rules';
import { dnsSubdomain, nonEmptyText, referencedName } from './string-formats';

/** Checks that a name is not a credential. The finding never quotes the value. */
export const notCredential: SchemaRule<string> = function* (value) {
  if (!hasSecret(value)) return;
  const hint = 'Put it into a Secret, write the name of the Secret here, and replace the key';
  yield errorAt(
    'secret-in-manifest',
    [],
    'this looks like a key, and everyone who can read the manifest could use it',
    hint,
  );
};

const secretName: z.ZodString = dnsSubdomain.check(rules(notCredential));

/** Secrets of a gateway and of clusters are in fleetwright-system, others in the namespace of what names them. */
const FIXED_NAMESPACE = {
  namespace:
    'Remove it: the namespace of a reference is fixed, which is fleetwright-system for gateways and clusters, else that of the resource',
};

/** Creates the schema of a reference to a whole Secret. Manifests contain only references, never secret values. */
export function secretReference(what: string) {
  return fields({ name: secretName.describe('The name of the Secret.') }, FIXED_NAMESPACE).describe(what);
}

/** Creates the schema of a reference to a key of a Secret. Manifests contain only references, never secret values. */
export function secretKeyReference(defaultKey: string) {
  return fields(
    {
      name: referencedName.describe('The name of the Secret.'),
      key: nonEmptyText(253).default(defaultKey).describe(`The key in the Secret. Default: ${defaultKey}.`),
    },
    FIXED_NAMESPACE,
  );
}
