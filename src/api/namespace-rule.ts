import { z } from 'zod';
import { fields, withDefault } from './schema/fields';
import { referencedName, stringFormat } from './schema/string-formats';

/** A name, or the beginning of names: with one `*`, at the end only, a match never takes long. */
const pattern = (noun: string, max: number) =>
  stringFormat({
    noun,
    code: 'bad-pattern',
    pattern: /^(?:\*|[a-z0-9]([-.a-z0-9]*[a-z0-9])?|[a-z0-9][-.a-z0-9]*\*)$/,
    max,
    hint: "Use a name, or a prefix with '*' at the end, as in 'team-*'",
  });

/** The schema of what resources in some namespaces may use. */
export const namespaceRule = fields({
  match: z
    .array(pattern('a namespace', 64))
    .min(1)
    .max(256)
    .describe('The namespaces that it applies to: names, or prefixes with * at the end. * means all.'),
  podSecurity: withDefault(
    z.enum(['Restricted', 'Baseline', 'Privileged']),
    'Baseline',
    'The Pod Security level that engine pods must meet, apart from what hostPath and privileged allow.',
  ),
  privileged: withDefault(z.boolean(), false, 'Whether containers may be privileged.'),
  hostPath: withDefault(z.boolean(), false, 'Whether pods may mount paths of their node.'),
  serviceAccounts: z
    .array(referencedName)
    .max(256)
    .optional()
    .describe(
      'The ServiceAccounts that pods may run as, with a mounted token if they ask for one. Default: - any, and no token is mounted.',
    ),
  secrets: z
    .array(pattern('the name of a Secret', 253))
    .max(256)
    .optional()
    .describe(
      'The Secrets that resources may refer to: names, or prefixes with * at the end. Default: - any of the namespace.',
    ),
});

/** What resources in some namespaces may use. */
export type NamespaceRule = z.output<typeof namespaceRule>;
