import * as fc from 'fast-check';
import {
  budgetNameOf,
  cacheClaimNameOf,
  claimTemplateNameOf,
  deploymentFileNameOf,
  networkPolicyNameOf,
  serviceNameOf,
  shortenName,
  workloadNameOf,
} from '../../../src/manifest/kubernetes/object-names';

const qwen = { namespace: 'ml', name: 'qwen3' };
const long = { namespace: 'ml', name: `${'a'.repeat(60)}.${'b'.repeat(192)}` };

describe('names stay what they are from release to release', () => {
  const cases: Record<string, { got: string; want: string }> = {
    'a workload says deployment, index and engine': {
      got: workloadNameOf(qwen, 0, 'main'),
      want: 'qwen3-0-main-a0de0',
    },
    'dots and digits in front become a DNS-1035 label': {
      got: workloadNameOf({ namespace: 'ml', name: '7b.chat' }, 12, 'main'),
      want: 'm-7b-chat-12-main-46dc1',
    },
    'a long workload is cut to 49': {
      got: workloadNameOf(long, 0, 'main'),
      want: `${'a'.repeat(43)}-564cb`,
    },
    'a cut does not leave a dash before the digest': {
      got: workloadNameOf({ namespace: 'ml', name: `${'a'.repeat(42)}.b` }, 0, 'main'),
      want: `${'a'.repeat(42)}-aaf71`,
    },
    'a Service says the deployment': { got: serviceNameOf(qwen), want: 'qwen3-28b66b' },
    'a long Service is cut to 63': { got: serviceNameOf(long), want: `${'a'.repeat(56)}-ac29e2` },
    'a claim template says engine and role, and its content': {
      got: claimTemplateNameOf(qwen, 'main', 'Leader', '{}'),
      want: 'qwen3-main-leader-e647c-44136fa3',
    },
    'a long claim template is cut to 63': {
      got: claimTemplateNameOf(long, 'main', 'Leader', '{}'),
      want: `${'a'.repeat(48)}-4736e-44136fa3`,
    },
    'a budget says the deployment': { got: budgetNameOf(qwen), want: 'qwen3-8e6c5' },
    'a policy says the replica': { got: networkPolicyNameOf(qwen, 2), want: 'qwen3-2-03e9c' },
    'a cache says its name': { got: cacheClaimNameOf(qwen), want: 'qwen3-9dc49' },
    'a file says namespace and deployment': { got: deploymentFileNameOf(qwen), want: 'ml.qwen3.yaml' },
    'a label value of 63 characters stays whole': { got: shortenName('a'.repeat(63)), want: 'a'.repeat(63) },
    'a longer one ends with a digest': {
      got: shortenName('a'.repeat(64)),
      want: `${'a'.repeat(54)}_ffe054fe`,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => {
    expect(got).toBe(want);
  });
});

test('the file of a deployment with a long name still has a name that file systems take', () => {
  const file = deploymentFileNameOf({ namespace: 'n'.repeat(63), name: 'd'.repeat(253) });
  expect(file).toMatch(/^n{63}\.d+_[0-9a-f]{8}\.yaml$/);
  expect(file.length).toBeLessThanOrEqual(200);
});

describe('what differs has different names', () => {
  const cases: Record<string, [string, string]> = {
    'a workload in another namespace': [
      workloadNameOf(qwen, 0, 'main'),
      workloadNameOf({ ...qwen, namespace: 'web' }, 0, 'main'),
    ],
    'a dash that belongs to the namespace': [
      cacheClaimNameOf({ namespace: 'team-a', name: 'b' }),
      cacheClaimNameOf({ namespace: 'team', name: 'a-b' }),
    ],
    'an index that looks like part of the engine': [
      workloadNameOf({ namespace: 'ml', name: 'a' }, 0, '0-b'),
      workloadNameOf({ namespace: 'ml', name: 'a-0' }, 0, 'b'),
    ],
    'a dot and a dash': [
      serviceNameOf({ namespace: 'ml', name: 'a.b' }),
      serviceNameOf({ namespace: 'ml', name: 'a-b' }),
    ],
    'names that differ after the cut': [
      workloadNameOf({ namespace: 'ml', name: `${'a'.repeat(60)}1` }, 0, 'main'),
      workloadNameOf({ namespace: 'ml', name: `${'a'.repeat(60)}2` }, 0, 'main'),
    ],
    'claim templates of another content': [
      claimTemplateNameOf(qwen, 'main', 'Leader', '{"count":1}'),
      claimTemplateNameOf(qwen, 'main', 'Leader', '{"count":2}'),
    ],
    'claim templates of other roles with one content': [
      claimTemplateNameOf(qwen, 'main', 'Leader', '{}'),
      claimTemplateNameOf(qwen, 'main', 'Worker', '{}'),
    ],
    'claim templates of two namespaces with one content': [
      claimTemplateNameOf(qwen, 'main', 'Leader', '{}'),
      claimTemplateNameOf({ ...qwen, namespace: 'web' }, 'main', 'Leader', '{}'),
    ],
    'label values that differ after the cut': [shortenName(`${'a'.repeat(80)}1`), shortenName(`${'a'.repeat(80)}2`)],
    'files that differ after the cut': [
      deploymentFileNameOf({ namespace: 'ml', name: `${'a'.repeat(240)}1` }),
      deploymentFileNameOf({ namespace: 'ml', name: `${'a'.repeat(240)}2` }),
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [one, other]) => {
    expect(one).not.toBe(other);
  });
});

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const subdomain = fc
  .oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    fc.stringMatching(/^[ab0]([-.]?[ab0]){0,4}$/),
    fc.constantFrom('a'.repeat(253), `0${'a'.repeat(252)}`, `${'a'.repeat(40)}.b`, `${'a'.repeat(42)}-b`),
  )
  .map((name) => name.slice(0, 253).replace(/[-.]+$/, ''));
const identity = fc.record({
  namespace: fc.oneof(label, fc.constantFrom('a', 'a-b')),
  name: subdomain,
  index: fc.nat(999),
  engine: fc.oneof(label, fc.constantFrom('a', '0-a', 'b')),
});

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

test('every name is valid for its kind', () => {
  fc.assert(
    fc.property(identity, ({ index, engine, ...owner }) => {
      const workload = workloadNameOf(owner, index, engine);
      expect(workload).toMatch(DNS_1035);
      expect(workload.length).toBeLessThanOrEqual(49);
      for (const name of [
        serviceNameOf(owner),
        claimTemplateNameOf(owner, engine, 'Standalone', 'x'),
        cacheClaimNameOf(owner),
        budgetNameOf(owner),
        networkPolicyNameOf(owner, index),
      ]) {
        expect(name).toMatch(DNS_1035);
        expect(name.length).toBeLessThanOrEqual(63);
      }
      expect(shortenName(owner.name)).toMatch(LABEL_VALUE);
      expect(deploymentFileNameOf(owner).length).toBeLessThanOrEqual(255);
    }),
  );
});

/** A digest has no dash, so its length alone tells two kinds of names apart. */
function digestLength(name: string): number {
  return name.split('-').at(-1)!.length;
}

test('no Service is ever called like a workload, whatever they belong to', () => {
  fc.assert(
    fc.property(identity, identity, (a, b) => {
      expect(digestLength(serviceNameOf(a))).not.toBe(digestLength(workloadNameOf(b, b.index, b.engine)));
    }),
  );
});

test('different identities get different names', () => {
  fc.assert(
    fc.property(identity, identity, (a, b) => {
      const same = (['namespace', 'name', 'index', 'engine'] as const).every((key) => a[key] === b[key]);
      expect(workloadNameOf(a, a.index, a.engine) === workloadNameOf(b, b.index, b.engine)).toBe(same);
      const owner = a.namespace === b.namespace && a.name === b.name;
      expect(serviceNameOf(a) === serviceNameOf(b)).toBe(owner);
      expect(cacheClaimNameOf(a) === cacheClaimNameOf(b)).toBe(owner);
      expect(budgetNameOf(a) === budgetNameOf(b)).toBe(owner);
      expect(networkPolicyNameOf(a, a.index) === networkPolicyNameOf(b, b.index)).toBe(owner && a.index === b.index);
      expect(deploymentFileNameOf(a) === deploymentFileNameOf(b)).toBe(owner);
      expect(shortenName(a.name) === shortenName(b.name)).toBe(a.name === b.name);
    }),
  );
});
