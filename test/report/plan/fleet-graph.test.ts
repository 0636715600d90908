import type { Resource } from '../../../src/api/kinds';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import type { Plan } from '../../../src/plan/plan';
import { formatFleetGraph } from '../../../src/report/plan/fleet-graph';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { anEndpoint, anEngine, byPath } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../../routing/build';

const planOf = (resources: readonly Resource[]): Plan => decide(assemble(resources), byPath, EMPTY_LOCK).plan;

const fleet = [
  H100,
  aSite('us'),
  aSite('eu'),
  aDoor(['us']),
  aModel('ml/stable', { replicas: 3, on: ['us'], replicaLabels: { track: 'stable' } }),
  aModel('ml/next', { replicas: 1, on: ['eu'], replicaLabels: { track: 'next' } }),
  anEndpoint('ml/saas', { labels: { track: 'saas' } }),
  aSplit('ml/chat', [
    to({ track: 'stable' }, { weight: 3 }),
    to({ track: 'next' }),
    to({ track: 'saas' }, { tier: 1 }),
  ]),
];

test('clusters hold their deployments, and services say who gets which share', () => {
  expect(formatFleetGraph(planOf(fleet)).split('\n')).toEqual([
    'flowchart LR',
    '  n0(["ml/chat"])',
    '  n1{{"ml/saas"}}',
    '  subgraph n2["eu"]',
    '    n3["ml/next<br>1 replica"]',
    '  end',
    '  subgraph n4["us"]',
    '    n5["ml/stable<br>3 replicas"]',
    '  end',
    '  n0 -->|"25 %"| n3',
    '  n0 -->|"75 %"| n5',
    '  n0 -.->|"100 % only while nothing else serves"| n1',
    '',
  ]);
});

test('the order of declarations does not matter', () => {
  expect(formatFleetGraph(planOf([...fleet].reverse()))).toBe(formatFleetGraph(planOf(fleet)));
});

const moving: Record<string, { left: Resource; replicas?: number; want: string[] }> = {
  'moves is on both clusters while the old one serves until it is finalized': {
    left: aSite('us', { taints: [{ key: 'gone', effect: 'NoExecute' }] }),
    want: ['eu ml/a 1 replica', 'us ml/a 1 replica'],
  },
  'has no place elsewhere is on a cluster that the graph calls lost': {
    left: aSite('us', { taints: [{ key: 'lost', effect: 'NoExecute' }] }),
    replicas: 2,
    want: ['eu ml/a 1 replica', 'us, lost ml/a 1 replica'],
  },
  'moves is only on the new cluster if the old one is gone at once': {
    left: aSite('us', { pools: {} }),
    want: ['eu ml/a 1 replica'],
  },
};

test.each(Object.entries(moving))('a replica that %s', (_, { left, replicas = 1, want }) => {
  const model = aModel('ml/a', { replicas, engines: [anEngine('main', { gpus: 8 })] });
  const { lock } = decide(assemble([H100, aSite('us'), model]), byPath, EMPTY_LOCK);
  const eu = aSite('eu', { pools: { h100: { nodeCount: 1 } } });
  const { plan } = decide(assemble([H100, left, eu, model]), byPath, lock);
  const boxes = [...formatFleetGraph(plan).matchAll(/subgraph n\d+\["(.*)"\]\n +n\d+\["(.*)<br>(.*)"\]/g)];
  expect(boxes.map(([, ...lines]) => lines.join(' '))).toEqual(want);
});

test('what matches on headers says so, and what would be markup means itself', () => {
  const canary = to({ track: 'next' }, { match: { headers: { 'x-track': '"]|<b> #1' } } });
  const text = formatFleetGraph(planOf([...fleet.slice(0, -2), aSplit('ml/chat', [to({ track: 'stable' }), canary])]));
  expect(text).toContain('n0 -.->|"100 % x-track: #34;#93;#124;#60;b#62; #35;1"| n2');
});

/** A plan of clusters with so many deployments each, and as many services as there are clusters. */
function large(clusters: number, deployments: number): Plan {
  const plan = planOf(fleet);
  const [service] = plan.services;
  const [one] = plan.deployments;
  const [change] = one?.changes ?? [];
  if (!service || !one || change?.action !== 'place') throw new Error('the fleet has none');
  const names = Array.from({ length: clusters }, (_, i) => `cluster-${String(i).padStart(4, '0')}`);
  return {
    ...plan,
    deployments: names.flatMap((cluster, i) =>
      Array.from({ length: deployments }, (_, d) => ({
        ...one,
        deployment: `ml/d${d}`,
        // Later clusters have more.
        changes: Array.from({ length: i + 1 }, (_, index) => ({
          ...change,
          replica: {
            ...change.replica,
            placement: { ...change.replica.placement, deployment: `ml/d${d}`, cluster, index },
          },
        })),
      })),
    ),
    services: names.map((cluster, i) => ({
      ...service,
      name: `s${String(i).padStart(4, '0')}`,
      rules: service.rules.map((rule) => ({
        ...rule,
        members: rule.members.slice(0, 1).map((member) => ({ ...member, cluster })),
      })),
    })),
  };
}

test('where there are many deployments, clusters are boxes with numbers', () => {
  const text = formatFleetGraph(large(20, 10));
  expect(text).toContain('  n20["cluster-0000<br>10 deployments, 10 replicas"]');
  expect(text).not.toContain('subgraph');
  expect(text.match(/-->/g)).toHaveLength(20);
});

test('of many clusters and services only the largest are boxes, and the rest is counted', () => {
  const text = formatFleetGraph(large(400, 1));
  expect(text.length).toBeLessThan(40_000);
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '  n12["cluster-0388<br>1 deployment, 389 replicas"]',
      '  n24["388 more clusters<br>75,466 replicas"]',
      '  n25(["388 more services"])',
    ]),
  );
  expect(text.split('\n').filter((line) => line.includes('-->')).length).toBeLessThan(300);
});
