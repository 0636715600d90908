import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { KSERVE_SERVICE_SUFFIX } from '../catalog/kserve-service';
import { MODEL_PROVIDER_NAMES } from '../catalog/model-providers';
import { BOTH_GROUPS, type ResourceOf } from './resource';
import { headerName, timeouts } from './routing/traffic-policy';
import { fields, sameHint, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { describeMissingField, rules, type SchemaRule } from './schema/rules';
import { secretReference } from './schema/secret-reference';
import { nonEmptyText, referencedName } from './schema/string-formats';

/** Findings never quote the address, because it can contain a password. */
const isHttpUrl: SchemaRule<string> = function* (value) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    yield errorAt('bad-url', [], 'this is not an HTTP URL', "Write it as in 'https://api.example.com'");
  } else if (url.username || url.password) {
    yield errorAt('bad-url', [], 'the address holds a credential', 'Remove the part before the @');
  }
};

/** The longest name of an LLMInferenceService whose Service has that name with a suffix. KServe hashes longer ones. */
const MAX_SERVICE_NAME = 63 - KSERVE_SERVICE_SUFFIX.length;

const credential = fields(
  {
    secretRef: secretReference(
      'The Secret, in this namespace on clusters with an ingress gateway. Its key credential contains the whole value of the header.',
    ),
    header: headerName
      .optional()
      .describe('The header that carries it. Default: that of the provider, else authorization.'),
    scheme: nonEmptyText(32)
      .optional()
      .describe(
        'The beginning of the value in the Secret. Default: that of the provider, else Bearer for authorization.',
      ),
  },
  sameHint(
    ['key', 'value', 'apiKey', 'token'],
    'Put it into a Secret, set secretRef to its name, and replace the credential',
  ),
);

interface Addressed {
  readonly url?: string | undefined;
  readonly provider?: string | undefined;
  readonly credential?: object | undefined;
  readonly tls?: object | undefined;
  readonly inside?: object | undefined;
}

const addressed: SchemaRule<Addressed> = function* ({ url, provider, credential, tls, inside }) {
  if (url === undefined && provider === undefined && inside === undefined) {
    yield describeMissingField(['url'], "Or set 'provider' to a known provider, or 'inside' to a service of a cluster");
  }
  if (inside === undefined) return;
  for (const [field, value] of Object.entries({ url, provider, credential, tls })) {
    if (value === undefined) continue;
    yield errorAt(
      'contradiction',
      [field],
      `'inside' sets the address and the access of the server, so it excludes '${field}'`,
      'Remove one of the two',
    );
  }
};

const spec = fields(
  {
    provider: z
      .enum(MODEL_PROVIDER_NAMES)
      .optional()
      .describe(
        'A provider from the built-in table, which defines its address and the form of its credential. Default: - none.',
      ),
    url: z
      .string()
      .check(rules(isHttpUrl))
      .meta({ minLength: 1 })
      .optional()
      .describe(
        'The base address: https://api.example.com/v1. Its path replaces /v1 of the service. Default: that of the provider.',
      ),
    inside: fields({
      cluster: referencedName.describe('The cluster.'),
      llmInferenceService: nonEmptyText(MAX_SERVICE_NAME).describe(
        'The LLMInferenceService of KServe, in this namespace of the cluster. Fleetwright does not create it.',
      ),
    })
      .optional()
      .describe(
        'A service of KServe on a cluster of the fleet, in place of url and provider. Only ingress gateways on that cluster reach it. Default: none.',
      ),
    private: withDefault(
      z.boolean(),
      false,
      'Whether the server is within a cluster or a private network. Link-local and loopback addresses, API servers and gateways of the fleet are always rejected.',
    ),
    rewritePath: z.string().optional().describe('The path that replaces the whole path of the service in requests: /.'),
    models: z
      .array(nonEmptyText(253))
      .max(256)
      .default([])
      .describe('The models that it serves, by the names of its own API, after model.as. Default: - unknown.'),
    credential: credential.optional().describe('The credential that it requires. Default: none.'),
    tls: fields({
      caRef: fields({
        name: referencedName.describe('The name of the ConfigMap, in this namespace: ca.crt.'),
      }).describe('The authority that signed its certificate, if it is not a publicly trusted one.'),
    })
      .optional()
      .describe('How its certificate is verified. Default: with the publicly trusted authorities.'),
    model: fields({ as: nonEmptyText(253).describe('How the name of the model in requests is rewritten.') })
      .optional()
      .describe('The name of the model in its API. Default: the name that the client sends.'),
    timeouts: timeouts.prefault({}).describe('Timeouts of requests.'),
  },
  sameHint(['baseUrl', 'baseURL', 'address', 'host', 'endpoint'], "Use 'url', as in 'url: https://api.example.com/v1'"),
).check(rules(addressed));

export const modelEndpoint = defineKind({
  kind: 'ModelEndpoint',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  description: 'A server that the fleet does not run and that serves a model.',
  spec,
});

/** A server that the fleet does not run, with the API of the model. */
export type ModelEndpoint = ResourceOf<'ModelEndpoint', z.output<typeof spec>>;

export type ModelEndpointInput = z.input<typeof spec>;
