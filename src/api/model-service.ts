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
import { atLeast } from './schema/value-remedies';
import { slo } from './slo';
import { IN_SERVICE, IN_SERVICE_ENTRY, IN_SERVICE_MATCH } from './kubernetes-spellings';

const weight = z.int().check(atLeast(1, 'To send no requests, remove the entry')).max(1_000_000);

const entry = fields(
  {
    weight: withDefault(weight, 1, 'The share of requests, relative to other entries of its tier.'),
    selector: requiredLabels.describe(
      'The endpoints of this entry. An endpoint belongs to the first entry that selects it.',
    ),
    tier: z
      .literal([0, 1])
      .default(0)
      .meta({ type: 'integer' })
      .describe('1: gets requests only while no entry of tier 0 serves. Default: 0.'),
    match: fields({ headers: exactHeaders.describe('Headers of requests, with their values.') }, IN_SERVICE_MATCH)
      .optional()
      .describe(
        'Routes only matching requests to this entry, and matching requests only to it, as for a canary. Default: - all requests.',
      ),
  },
  IN_SERVICE_ENTRY,
);

function* poolNeedsPicker({ kind, pool }: { kind?: string | undefined; pool: boolean }): Iterable<Diagnostic<Path>> {
  if (!pool || kind === undefined || kind === 'PrefixCache') return;
  const what = `picker ${kind} has no endpoint picker, so it cannot have a pool`;
  yield errorAt('contradiction', ['pool'], what, 'Use kind PrefixCache, or remove pool');
}

const PICKERS = ['LeastRequest', 'ConsistentHash', 'PrefixCache'] as const;

const picker = fields({
  kind: z.enum(PICKERS).optional().describe('The same as the short form. Default: PrefixCache with pool.'),
  pool: withDefault(
    z.boolean(),
    false,
    'Whether to create an InferencePool for the endpoint picker, on clusters with servingStack.inferenceCrds, for tools that look for one.',
  ),
})
  .check(rules(poolNeedsPicker))
  .transform(({ kind, pool }) => ({ kind: kind ?? (pool ? 'PrefixCache' : undefined), pool }));

const spec = fields(
  {
    endpoints: z.array(entry).min(1).max(256).describe('The targets of requests, by weight.'),
    picker: allowShorthand(PICKERS, 'kind', picker)
      .optional()
      .describe(
        'How a gateway chooses the pod of a cluster for a request. PrefixCache: an endpoint picker chooses the pod that has the beginning of the prompt cached. Default: PrefixCache for prefill and decode, ConsistentHash with sessionAffinity, else that of the Fleet, else LeastRequest.',
      ),
    sessionAffinity: fields({
      header: headerName.describe('Requests with the same value of this header go to the same replica: x-session.'),
    })
      .optional()
      .describe('How requests of a session are kept on one replica. Default: - nothing.'),
    auth: auth
      .optional()
      .describe('The clients that may send requests. None: all clients. Default: that of the gateway.'),
    rateLimits: rateLimits
      .optional()
      .describe('The rate limit. Each proxy of a gateway counts alone. Default: that of the gateway.'),
    timeouts: timeouts.prefault({}).describe('Timeouts of requests. Default: those of the gateway.'),
    servedModelName: nonEmptyText(253)
      .optional()
      .describe('The model that requests name. Default: what engines and endpoints serve.'),
    failureDomains: fields({
      min: integer(1, 100).describe('The fewest regions, or other domains of its deployments.'),
    })
      .optional()
      .describe('The fewest failure domains that its replicas must be in.'),
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
    slo: slo.optional().describe('What it guarantees its clients: alerts compare metrics with it. Default: - nothing.'),
    externalEndpoints: externalEndpoints.describe('Forbidden: no request leaves the fleet. Default: Allowed.'),
  },
  IN_SERVICE,
);

type Spec = z.output<typeof spec>;

const hashNeedsHeader: SchemaRule<Spec> = function* ({ picker, sessionAffinity }) {
  if (picker?.kind === 'ConsistentHash' && sessionAffinity === undefined) {
    const what = 'picker ConsistentHash needs a header';
    yield errorAt('missing-field', ['sessionAffinity'], what, "Set 'sessionAffinity.header'");
  }
  if (picker?.kind === 'LeastRequest' && sessionAffinity !== undefined) {
    const hint = 'Use ConsistentHash, or remove one of picker and sessionAffinity';
    yield errorAt('contradiction', ['picker'], 'picker LeastRequest ignores session affinity', hint);
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
