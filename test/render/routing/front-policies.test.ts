import type { RoutedService, ServiceListener } from '../../../src/routing/routing';
import type { Doc } from '../../api/build';
import { aDoor, aMember, aRouted, atFront, JWT, OPENAI, specOf, WEST } from './build';

const withDoor = (door: Partial<ServiceListener>): RoutedService => aRouted([aMember()], { gateways: [aDoor(door)] });
const both = aRouted([aMember(), WEST, OPENAI]);

const policy = (service: RoutedService): Doc => specOf(atFront(service), 'BackendTrafficPolicy', 'chat-public');
const security = (door: Partial<ServiceListener>): Doc =>
  specOf(atFront(withDoor(door)), 'SecurityPolicy', 'chat-public');
const at = (name: string, key: string) => ({ name: key, secret: { namespace: 'team-a', name, key } });
const patches = (service: RoutedService): [string, string, unknown][] => {
  const all = atFront(service);
  return all
    .filter(({ kind }) => kind === 'EnvoyPatchPolicy')
    .flatMap(({ spec }) => spec?.['jsonPatches'] as { name: string; operation: Doc }[])
    .map(({ name, operation }) => [
      name.replace(/-[0-9a-f]{5}\/rule/, '/rule'),
      operation['path'] as string,
      operation['value'],
    ]);
};

describe('the traffic policy of a front', () => {
  const limited = (door: Partial<ServiceListener>): unknown => policy(withDoor(door)).rateLimit;
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'asks members by their own Host, and never sends to one that is down': {
      got: policy(both).healthCheck,
      want: {
        panicThreshold: 0,
        active: {
          type: 'HTTP',
          interval: '10s',
          timeout: '5s',
          healthyThreshold: 1,
          unhealthyThreshold: 3,
          http: { path: '/team-a/chat/-/ready', expectedStatuses: [200] },
        },
        passive: {
          consecutive5XxErrors: 5,
          consecutiveGatewayErrors: 5,
          interval: '2s',
          baseEjectionTime: '10s',
          maxEjectionPercent: 100,
        },
      },
    },
    'sends again only what has no answer yet, to any other member': {
      got: policy(both).retry,
      want: {
        numRetries: 2,
        retryOn: {
          triggers: ['connect-failure', 'refused-stream', 'reset', 'retriable-status-codes'],
          httpStatusCodes: [429, 503],
        },
      },
    },
    'lets answers take as long as they do': {
      got: policy(both).timeout,
      want: { tcp: { connectTimeout: '5s' }, http: { requestTimeout: '0s', streamIdleTimeout: '1h' } },
    },
    'ends what takes longer than it is given': {
      got: policy(withDoor({ timeouts: { request: 90, idle: 60, connect: 1 } })).timeout,
      want: { tcp: { connectTimeout: '1s' }, http: { requestTimeout: '1m30s', streamIdleTimeout: '1m' } },
    },
    'refuses bodies that are too large': { got: policy(both).requestBuffer, want: { limit: '32Mi' } },
    'keeps sessions on their member': {
      got: policy(aRouted([aMember()], { affinity: 'x-session' })).loadBalancer,
      want: {
        type: 'ConsistentHash',
        consistentHash: { type: 'Headers', headers: [{ name: 'x-session' }] },
      },
    },
    'limits nothing unless asked': { got: limited({}), want: undefined },
    'counts each client for itself': {
      got: limited({ rateLimits: [{ requests: 5, per: 'Minute', by: 'Key' }] }),
      want: {
        local: {
          rules: [
            {
              clientSelectors: [{ headers: [{ name: 'x-fleetwright-client', type: 'Distinct' }] }],
              limit: { requests: 5, unit: 'Minute' },
            },
          ],
        },
      },
    },
    'counts all together whose token does not name them': {
      got: limited({
        auth: { kind: 'Jwt', issuer: 'i', audiences: [], jwksUri: 'https://i', clientClaim: 'sub' },
        rateLimits: [{ requests: 5, per: 'Minute', by: 'Key' }],
      }),
      want: {
        local: {
          rules: [
            {
              clientSelectors: [{ headers: [{ name: 'x-fleetwright-client', type: 'Distinct' }] }],
              limit: { requests: 5, unit: 'Minute' },
            },
            {
              clientSelectors: [
                {
                  headers: [{ name: 'x-fleetwright-client', type: 'RegularExpression', value: '.*', invert: true }],
                },
              ],
              limit: { requests: 5, unit: 'Minute' },
            },
          ],
        },
      },
    },
    'counts all together where it shall, or where no one is known': {
      got: limited({ auth: { kind: 'None' }, rateLimits: [{ requests: 5, per: 'Hour', by: 'Key' }] }),
      want: { local: { rules: [{ limit: { requests: 5, unit: 'Hour' } }] } },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));
});

describe('who may send requests', () => {
  test('has a key, which no one behind the front sees', () => {
    expect(security({}).apiKeyAuth).toEqual({
      credentialRefs: [{ group: '', kind: 'Secret', name: 'keys' }],
      extractFrom: [{ headers: ['authorization', 'x-api-key'] }],
      forwardClientIDHeader: 'x-fleetwright-client',
      sanitize: true,
    });
  });
  test('has one of several keys, each Secret of which is named once', () => {
    const auth = { kind: 'ApiKeys', keys: [at('z', 'a'), at('b', 'c'), at('z', 'd')] } as const;
    expect(security({ auth }).apiKeyAuth).toMatchObject({ credentialRefs: [{ name: 'b' }, { name: 'z' }] });
  });
  test('has a token, whose claim names the client', () => {
    expect(security({ auth: JWT }).jwt).toEqual({
      providers: [
        {
          name: 'issuer',
          issuer: 'https://accounts.example.com',
          audiences: ['models'],
          remoteJWKS: { uri: 'https://accounts.example.com/keys' },
          claimToHeaders: [{ claim: 'sub', header: 'x-fleetwright-client' }],
        },
      ],
    });
  });
  test('is all callers where the gateway says so', () => {
    const all = atFront(withDoor({ auth: { kind: 'None' } }));
    expect(all.filter(({ kind }) => kind === 'SecurityPolicy')).toEqual([]);
  });
});

describe('patches', () => {
  const spill = ['/load_assignment/policy', { overprovisioning_factor: 10_000 }];
  const spread = [
    '/load_balancing_policy/policies/0/typed_extension_config/typed_config/locality_weighted_lb_config',
    {},
  ];
  const eject = ['/outlier_detection/successful_active_health_check_uneject_host', false];
  const cases: Record<string, { service: RoutedService; want: unknown }> = {
    'keep the second tier untouched, and a failing provider out': {
      service: aRouted([aMember(), OPENAI]),
      want: [
        ['httproute/team-a/chat-public/rule/0', ...spill],
        ['httproute/team-a/chat-public/rule/0', ...eject],
      ],
    },
    'have sessions spread by weight': {
      service: aRouted([aMember(), WEST], { affinity: 'x-session' }),
      want: [['httproute/team-a/chat-public/rule/0', ...spread]],
    },
    'are not needed for sessions of one member': {
      service: aRouted([aMember()], { affinity: 'x-session' }),
      want: [],
    },
    'are not needed for edges of one tier': { service: aRouted([aMember()]), want: [] },
    'keep a failing provider out of the first tier too': {
      service: aRouted([aMember(), { ...OPENAI, tier: 0 }]),
      want: [['httproute/team-a/chat-public/rule/0', ...eject]],
    },
    'name the rule by its place': {
      service: aRouted([], {
        rules: [
          { headers: [{ name: 'x', value: 'y' }], members: [aMember()] },
          { headers: [], members: [aMember(), { ...aMember(), tier: 1, hostname: '1.llama' }] },
        ],
      }),
      want: [['httproute/team-a/chat-public/rule/1', ...spill]],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { service, want }) => expect(patches(service)).toEqual(want));
});
