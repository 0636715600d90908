import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { renderNetworkPolicy } from '../../src/render/replica-objects';
import { aDeployment, aMember, anEngine, type Doc } from '../api/build';
import { aReplica } from './build';

/** The policy of a replica of a deployment that says this. */
function policyOf(said: Doc, index = 0): Manifest | undefined {
  return renderNetworkPolicy(aReplica(aDeployment('ml/qwen3', { networkPolicy: said }), { index }))[0];
}

/** An engine that listens on a port of its own. */
function served(name: string, port: number): Doc {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m', `--port=${port}`] };
  return anEngine(name, { members: [aMember({ template: { spec: { containers: [container] } } })] });
}

const own = {
  matchLabels: { 'fleetwright.dev/deployment': 'qwen3', 'fleetwright.dev/replica-index': '0' },
  matchExpressions: [{ key: 'fleetwright.dev/engine', operator: 'Exists' }],
};
const clients = {
  namespaceSelector: {
    matchExpressions: [
      {
        key: 'kubernetes.io/metadata.name',
        operator: 'In',
        values: ['fleetwright-system', 'gke-gmp-system', 'gmp-system', 'monitoring'],
      },
    ],
  },
};
const apps = {
  namespaceSelector: { matchLabels: { team: 'apps' } },
  podSelector: { matchLabels: { app: 'chat' } },
};
const http = [{ protocol: 'TCP', port: 8000 }];
const dns = [
  { protocol: 'UDP', port: 53 },
  { protocol: 'TCP', port: 53 },
];

describe('the pods of a replica', () => {
  const cases: Record<string, { said: Doc; want: Doc }> = {
    'are reached by gateways and Prometheus where they serve, by each other everywhere, and connect anywhere': {
      said: {},
      want: {
        podSelector: own,
        policyTypes: ['Ingress'],
        ingress: [{ from: [clients], ports: http }, { from: [{ podSelector: own }] }],
      },
    },
    'are reached by others that the user names, where they serve': {
      said: { from: [apps] },
      want: {
        podSelector: own,
        policyTypes: ['Ingress'],
        ingress: [{ from: [clients, apps], ports: http }, { from: [{ podSelector: own }] }],
      },
    },
    'connect only to each other, names and whom the user names': {
      said: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      want: {
        podSelector: own,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [clients], ports: http }, { from: [{ podSelector: own }] }],
        egress: [{ to: [{ podSelector: own }] }, { ports: dns }, { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
      },
    },
    'connect to no other where the user names no one': {
      said: { to: [] },
      want: {
        podSelector: own,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [clients], ports: http }, { from: [{ podSelector: own }] }],
        egress: [{ to: [{ podSelector: own }] }, { ports: dns }],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { said, want }) => {
    expect(policyOf(said)!.spec).toEqual(want);
  });

  test('of a pair are reached by those of all its replicas, whose halves a picker puts together', () => {
    const engines = (['Prefill', 'Decode'] as const).map((phase) => anEngine(phase.toLowerCase(), { phase }));
    const pair = aDeployment('ml/qwen3', {
      serving: { mode: 'PrefillDecode' },
      engines,
      networkPolicy: { to: [] },
    });
    const spec = renderNetworkPolicy(aReplica(pair, { index: 1 }))[0]!.spec!;
    const both = {
      podSelector: { ...own, matchLabels: { 'fleetwright.dev/deployment': 'qwen3' } },
    };
    expect(spec['podSelector']).toMatchObject({ matchLabels: { 'fleetwright.dev/replica-index': '1' } });
    expect((spec['ingress'] as Doc[])[1]).toEqual({ from: [both] });
    expect((spec['egress'] as Doc[])[0]).toEqual({ to: [both] });
  });

  test('that decode are asked for metrics behind their sidecar too', () => {
    const engines = (['Prefill', 'Decode'] as const).map((phase) => anEngine(phase.toLowerCase(), { phase }));
    const pair = aDeployment('ml/qwen3', { serving: { mode: 'PrefillDecode' }, engines });
    const [policy] = renderNetworkPolicy(aReplica(pair));
    expect(policy!.spec!.ingress).toMatchObject([{ ports: [...http, { protocol: 'TCP', port: 8001 }] }, {}]);
  });

  test('are open where the user says so', () => {
    expect(policyOf({ enabled: false })).toBeUndefined();
  });

  test('are asked on the ports of all engines, each of them once', () => {
    const engines = [served('b', 9000), served('a', 8500), served('c', 9000)];
    const [policy] = renderNetworkPolicy(aReplica(aDeployment('ml/qwen3', { engines })));
    expect(policy!.spec!.ingress).toMatchObject([
      {
        ports: [
          { protocol: 'TCP', port: 8500 },
          { protocol: 'TCP', port: 9000 },
        ],
      },
      { from: [{ podSelector: own }] },
    ]);
  });

  test('are those of one replica, whose policy has a name of its own', () => {
    const [zero, one] = [policyOf({}), policyOf({}, 1)];
    expect(one!.spec!.podSelector).toMatchObject({ matchLabels: { 'fleetwright.dev/replica-index': '1' } });
    expect(zero!.metadata.name).not.toBe(one!.metadata.name);
  });
});
