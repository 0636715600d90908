import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { allowKeyword, fields, sameHint, withDefault } from '../schema/fields';
import { namedList } from '../schema/list';
import { rules, type SchemaRule } from '../schema/rules';
import { notCredential, secretReference } from '../schema/secret-reference';
import { dnsLabel, nonEmptyText, webAddress } from '../schema/string-formats';

/** Fields in which users write a key in plain text, with a hint to use a Secret. */
const PLAIN_TEXT_FIELDS = sameHint(
  ['key', 'value', 'apiKey', 'token', 'secret'],
  'Put the key into a Secret, set secretRef to its name, and replace the key',
);

const SECRET_NAME = sameHint(['secretName'], "Use 'secretRef', as in 'secretRef: { name: NAME }'");

const apiKey = fields(
  {
    name: dnsLabel
      .check(rules(notCredential))
      .describe('The name of the API key in logs and limits, and its key in the Secret.'),
    secretRef: secretReference('The Secret, on the clusters of the gateway. Each of its entries is an API key.'),
  },
  { ...PLAIN_TEXT_FIELDS, ...SECRET_NAME },
);

const jwt = fields({
  issuer: nonEmptyText(253).describe('The issuer of the tokens: https://accounts.example.com.'),
  audiences: z
    .array(nonEmptyText(253))
    .max(8)
    .default([])
    .describe('The accepted audiences of the tokens. Default: all.'),
  jwksUri: webAddress.describe('The address of the public keys of the issuer.'),
  clientClaim: withDefault(nonEmptyText(128), 'sub', 'The claim that identifies the client, for limits.'),
});

const declared = fields({
  enabled: withDefault(z.boolean(), true, 'Whether requests must be authenticated.'),
  apiKeys: namedList(apiKey, { max: 64 }).default([]).describe('API keys of clients. Default: none.'),
  jwt: jwt.optional().describe('Tokens of clients, instead of API keys.'),
});

export type DeclaredAuth = z.output<typeof declared>;

/** Checks that exactly one method is set: with both, each request would need both credentials. */
const hasOneMethod: SchemaRule<DeclaredAuth> = function* ({ enabled, apiKeys, jwt: token }) {
  const methods = (apiKeys.length > 0 ? 1 : 0) + (token === undefined ? 0 : 1);
  if (!enabled && methods === 0) return;
  if (enabled && methods === 1) return;
  yield errorAt(
    'not-exactly-one',
    [],
    enabled
      ? methods === 0
        ? 'authentication has neither keys nor tokens'
        : 'apiKeys and jwt exclude each other'
      : 'authentication is configured, but enabled: false disables it',
    enabled ? 'Set apiKeys or jwt, or write None to accept requests from everyone' : 'Remove one of the two',
  );
};

/** The schema of the clients that may send requests. The text `None` allows all clients. */
export const auth = allowKeyword('None', { enabled: false }, declared.check(rules(hasOneMethod)));
