import * as fc from 'fast-check';
import { edgeHostOf, egressHostOf } from '../../src/routing/addresses';

const chat = { namespace: 'team-a', name: 'chat' };
const llama = { namespace: 'team-a', name: 'llama' };
const at = { service: chat, tier: 0, deployment: llama, cluster: 'us-east' } as const;

const cases: Record<string, [string, string]> = {
  'a deployment on a cluster': [edgeHostOf(at), '0.llama.chat.team-a.us-east.fleetwright.internal'],
  'a deployment of another namespace': [
    edgeHostOf({ ...at, deployment: { namespace: 'ml', name: 'llama' } }),
    '0.llama.ml.chat.team-a.us-east.fleetwright.internal',
  ],
  'one replica': [edgeHostOf({ ...at, replica: 3 }), 'r3.0.llama.chat.team-a.us-east.fleetwright.internal'],
  'an endpoint': [
    egressHostOf({ service: chat, tier: 1, endpoint: { namespace: 'team-a', name: 'openai' } }),
    '1.openai.chat.team-a.egress.fleetwright.internal',
  ],
};

describe('the Host by which fronts ask for', () => {
  test.each(Object.entries(cases))('%s', (_, [host, want]) => {
    expect(host).toBe(want);
  });
});

const label = fc.constantFrom('0', '1', 'a', 'b', 'a.b', 'r0', 'egress', 'x'.repeat(63), `${'x'.repeat(62)}y`);
const named = fc.record({ namespace: fc.constantFrom('0', 'a', 'b', 'x'.repeat(63)), name: label });
const tier = fc.constantFrom(0 as const, 1 as const);
const edge = fc.record(
  {
    service: named,
    tier,
    deployment: named,
    cluster: label,
    replica: fc.constantFrom(0, 1, 999_999),
  },
  { requiredKeys: ['service', 'tier', 'deployment', 'cluster'] },
);
const egress = fc.record({ service: named, tier, endpoint: named });
const asked = fc.oneof(
  edge.map((one) => ({ identity: JSON.stringify(['edge', one]), host: edgeHostOf(one) })),
  egress.map((one) => ({ identity: JSON.stringify(['egress', one]), host: egressHostOf(one) })),
);

test('no two things have one host name, and Gateway API takes them all', () => {
  fc.assert(
    fc.property(asked, asked, (one, other) => {
      if (one.identity !== other.identity) expect(one.host).not.toBe(other.host);
      expect(one.host).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      expect(one.host.length).toBeLessThanOrEqual(253);
    }),
    { numRuns: 2000 },
  );
});
