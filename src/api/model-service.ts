import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { BOTH_GROUPS, type Path, type ResourceOf } from './resource';
import { auth } from './routing/auth';
import { exactHeaders, externalEndpoints, headerName, rateLimits, timeouts } from './routing/traffic-policy';
import { allowShorthand, fields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { requiredLabels } from './schema/label-selector';
import { integer } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';
import { nonEmptyText } from './schema/string-formats';

const entry = fields({
  weight: withDefault(integer(1, 1_000_000), 1, 'The share of requests, relative to other entries of its tier.'),
  selector: requiredLabels.describe(
    'The endpoints of this entry. An endpoint belongs to the first entry that selects it.',
  ),
  tier: z
    .literal([0, 1])
    .default(0)
    .meta({ type: 'integer' })
    .describe('1: gets requests only while nothing of tier 0 serves. Default: 0.'),
  match: fields({ headers: exactHeaders.describe('Headers that a request carries, with their values.') })
    .optional()
    .describe('Requests for this entry alone, as for a canary; it gets no others. Default: - all requests.'),
});

function* poolNeedsPicker({ kind, pool }: { kind?: string | undefined; pool: boolean }): Iterable<Diagnostic<Path>> {
  if (!pool || kind === undefined || kind === 'PrefixCache') return;
  const what = `picker ${kind} has no endpoint picker, and a pool names one`;
  yield errorAt('contradiction', ['pool'], what, 'Use kind PrefixCache, or remove pool');
}

const PICKERS = ['LeastRequest', 'ConsistentHash', 'PrefixCache'] as const;

const picker = fields({
  kind: z.enum(PICKERS).optional().describe('As the word alone. Default: PrefixCache with pool.'),
  pool: withDefault(
    z.boolean(),
    false,
    'Whether an InferencePool stands next to the endpoint picker, on clusters with servingStack.inferenceCrds, for tools that look for one.',
  ),
})
  .check(rules(poolNeedsPicker))
  .transform(({ kind, pool }) => ({ kind: kind ?? (pool ? 'PrefixCache' : undefined), pool }));

const spec = fields({
  endpoints: z.array(entry).min(1).max(256).describe('Where requests go, by weight.'),
  picker: allowShorthand(PICKERS, 'kind', picker)
    .optional()
    .describe(
      'Which pod of a cluster gets a request. PrefixCache: the one that has its beginning cached, by an endpoint picker. Default: PrefixCache for prefill and decode, ConsistentHash with sessionAffinity, else that of the Fleet, else LeastRequest.',
    ),
  sessionAffinity: fields({
    header: headerName.describe('Requests with the same value of this header go to the same replica: x-session.'),
  })
    .optional()
    .describe('What keeps the requests of a session together. Default: - nothing.'),
  auth: auth
    .optional()
    .describe('The clients that may send requests. None: all clients. Default: that of the gateway.'),
  rateLimits: rateLimits.optional().describe('The most requests. Default: that of the gateway.'),
  timeouts: timeouts.prefault({}).describe('Timeouts of requests. Default: those of the gateway.'),
  servedModelName: nonEmptyText(253)
    .optional()
    .describe('The model that requests name. Default: what engines and endpoints serve.'),
  failureDomains: fields({ min: integer(1, 100).describe('The fewest regions, or other domains of its deployments.') })
    .optional()
    .describe('Over how many failure domains its replicas are spread at least.'),
  webSocket: withDefault(
    z.boolean(),
    false,
    'Whether clients can open WebSockets to replicas. The limits of the gateway do not apply to data that is sent through them.',
  ),
  maxShareChange: withDefault(
    integer(1, 100),
    100,
    'The most percentage points by which one change may raise or lower the share of an entry. plan --gate refuses more.',
  ),
  externalEndpoints: externalEndpoints.describe('Forbidden: no request leaves the fleet. Default: Allowed.'),
});

type Spec = z.output<typeof spec>;

const hashNeedsHeader: SchemaRule<Spec> = function* ({ picker, sessionAffinity }) {
  if (picker?.kind === 'ConsistentHash' && sessionAffinity === undefined) {
    const what = 'picker ConsistentHash needs a header to hash';
    yield errorAt('missing-field', ['sessionAffinity'], what, "Set 'sessionAffinity.header'");
  }
  if (picker?.kind === 'LeastRequest' && sessionAffinity !== undefined) {
    const hint = 'Use ConsistentHash, or remove one of picker and sessionAffinity';
    yield errorAt('contradiction', ['picker'], 'picker LeastRequest keeps no session on its replica', hint);
  }
};

export const modelService = defineKind({
  kind: 'ModelService',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  description: 'One address for a model, over endpoints that serve it.',
  spec: spec.check(rules(hashNeedsHeader)),
});

/** One address for a model, over endpoints that serve it. */
export type ModelService = ResourceOf<'ModelService', z.output<typeof spec>>;

export type ModelServiceInput = z.input<typeof spec>;
