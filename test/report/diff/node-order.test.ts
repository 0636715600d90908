import type { Resource } from '../../../src/api/kinds';
import { warningAt } from '../../../src/base/diagnostic';
import { formatStep } from '../../../src/report/diff/change-steps';
import { describeNodeOrder } from '../../../src/report/diff/node-order';
import { aClass, aCluster, aDeployment, aMember, type Doc, gpus, MACHINES } from '../../api/build';
import { diff } from '../../diff/build';

const { provider, gke } = MACHINES.GKE;
const nodes = (amount: number, machine: Doc = {}): Resource =>
  aClass('h100', {
    devices: [gpus(8)],
    provisioning: { provider, gke: { ...gke, ...machine } },
    node: { allocatable: { cpu: amount, memory: `${amount}Gi` } },
  });
const H100 = nodes(100);
const DISK = { diskSizeGb: 500 };
const on = (name: string, pools: Doc, source = 'GKE'): Resource => {
  const declared = Object.entries(pools).map(([pool, nodeCount]) => [pool, { className: 'h100', nodeCount }]);
  return aCluster(name, { source, pools: Object.fromEntries(declared) });
};
const q = (replicas: number, args: string[] = []): Resource =>
  aDeployment('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8, args })] }] });
const fleet = (pools: Doc, replicas = 1, source = 'GKE'): Resource[] => [
  source === 'GKE' ? H100 : aClass('h100'),
  on('us', pools, source),
  q(replicas),
];
const byHand = (machineType: string, amount = 100): Resource[] => [
  nodes(amount, { machineType }),
  on('dc', { a: 4 }, 'Existing'),
  q(2),
];
const bounds = (pool: Doc, replicas = 1): Resource[] => [
  aClass('h100'),
  aCluster('us', { source: 'Existing', pools: { a: { className: 'h100', ...pool } } }),
  q(replicas),
];
const remade = (amount: number, machine: Doc = {}, args: string[] = []): Resource[] => [
  nodes(amount, machine),
  on('us', { a: 4 }),
  q(1, args),
];

const STACK = '(pulumi up of its stack, or your own tool).';
const STACKS = '(pulumi up of their stacks, or your own tool).';
const HAND = '(by hand or with your own tool: neither merging nor pulumi up changes these nodes).';
const anytime = (tool: string): string => tool.replace(/\.$/, ', before or after manifests are applied.');
const FIRST = 'Before manifests are applied:';
const LAST = 'Last, when manifests are applied and the pods that they stop are gone:';
const ONE_RUN =
  'One run of the stack creates and removes nodes: unless it applies the manifests too, remove these nodes in a later change.';
const MANIFESTS_WAIT = 'Apply manifests only when all replicas serve on the new nodes: earlier,';
const NODES_WAIT = 'Recreate them only when all new pods serve: earlier,';
const BOTH = 'both restarts at the same time stop more replicas.';
const REPLACED =
  'one n2, node by node: add the new node, drain the old one, and delete it when its replicas serve again';
const NEW_PODS = `the new pods may find no room, and ${BOTH}`;
const OLD_PODS = `the old pods may find no room on the new nodes, and ${BOTH}`;

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'nodes that stay have no step': { before: fleet({ a: 2 }), after: fleet({ a: 2 }, 2), want: [] },
  'a new pool comes before the pods that need it': {
    before: fleet({ a: 1 }),
    after: fleet({ a: 1, b: 1 }, 2),
    want: [`${FIRST} create the node pool us/b ${STACK}`],
  },
  'people replace nodes with those of another machine, as nothing else says': {
    before: byHand('n1'),
    after: byHand('n2'),
    want: [`To do: replace each n1 of dc/a with ${REPLACED} ${anytime(HAND)}`],
  },
  'they do so first where pods then request more': {
    before: byHand('n1'),
    after: byHand('n2', 120),
    want: [`${FIRST} replace each n1 of dc/a with ${REPLACED} ${HAND} ${MANIFESTS_WAIT} ${NEW_PODS}`],
  },
  'more nodes come before the pods that need them': {
    before: fleet({ a: 1 }),
    after: fleet({ a: 2 }, 2),
    want: [`${FIRST} give us/a 2 nodes instead of 1 ${STACK}`],
  },
  'fewer nodes come when pods have gone': {
    before: fleet({ a: 2 }, 2),
    after: fleet({ a: 1 }),
    want: [`${LAST} give us/a 1 node instead of 2 ${STACK}`],
  },
  'nodes alone wait for no manifests': {
    before: fleet({ a: 1, b: 2 }),
    after: fleet({ a: 2, b: 1 }),
    want: [`To do: give us/a 2 nodes instead of 1, give us/b 1 node instead of 2 ${anytime(STACKS)}`],
  },
  'a pool in the place of another is there first, and is a change of its own where a stack makes nodes alone': {
    before: fleet({ a: 1 }),
    after: fleet({ b: 1 }),
    want: [`${FIRST} create the node pool us/b ${STACK}`, `${LAST} remove the node pool us/a ${STACK} ${ONE_RUN}`],
  },
  'people or other tools change the nodes of a cluster that exists': {
    before: fleet({ a: 1, c: 2 }, 1, 'Existing'),
    after: fleet({ a: 2, b: 1, c: 1 }, 3, 'Existing'),
    want: [
      `${FIRST} give us/a 2 nodes instead of 1, create the node pool us/b ${HAND}`,
      `${LAST} give us/c 1 node instead of 2 ${HAND}`,
    ],
  },
  'people change the bounds of an autoscaler with their own tool': {
    before: bounds({ minNodeCount: 1, maxNodeCount: 4 }),
    after: bounds({ minNodeCount: 1, maxNodeCount: 3 }),
    want: [`To do: give us/a at most 3 nodes instead of 4 ${anytime(HAND)}`],
  },
  'both bounds are one step': {
    before: bounds({ minNodeCount: 1, maxNodeCount: 4 }),
    after: bounds({ minNodeCount: 0, maxNodeCount: 6 }, 2),
    want: [`${FIRST} give us/a 0 to 6 nodes instead of 1 to 4 ${HAND}`],
  },
  'the least alone moves nodes too': {
    before: bounds({ minNodeCount: 2, maxNodeCount: 4 }, 2),
    after: bounds({ minNodeCount: 1, maxNodeCount: 4 }, 1),
    want: [`${LAST} give us/a at least 1 node instead of 2 ${HAND}`],
  },
  'a pool that begins to autoscale stays': {
    before: bounds({ nodeCount: 2 }),
    after: bounds({ minNodeCount: 1, maxNodeCount: 4 }),
    want: [`To do: give us/a 1 to 4 nodes instead of 2 ${anytime(HAND)}`],
  },
  'a pool that no longer autoscales may have fewer nodes': {
    before: bounds({ maxNodeCount: 4 }, 2),
    after: bounds({ nodeCount: 2 }, 1),
    want: [`${LAST} give us/a 2 nodes instead of at most 4 ${HAND}`],
  },
  'a pool of a cluster that exists goes last': {
    before: fleet({ a: 1, b: 1 }, 2, 'Existing'),
    after: fleet({ a: 1 }, 1, 'Existing'),
    want: [`${LAST} remove the node pool us/b ${HAND}`],
  },
  'a cluster that exists is deleted by people or other tools, last': {
    before: [H100, on('eu', { a: 1 }, 'Existing'), on('us', { a: 1 }, 'Existing'), q(2)],
    after: [H100, on('us', { a: 1 }, 'Existing'), q(1)],
    want: [`${LAST} remove the cluster eu ${HAND}`],
  },
  'a cluster that exists under another name stays': {
    before: [H100, on('eu', { a: 1 }, 'Existing'), q(1)],
    after: [H100, on('us', { a: 1 }, 'Existing'), q(1)],
    want: [],
  },
  'a cluster comes and goes with its pools': {
    before: [H100, on('eu', { a: 1 }), q(1)],
    after: [H100, on('us', { a: 1 }), q(1)],
    want: [`${FIRST} create the cluster us ${STACK}`, `${LAST} remove the cluster eu ${STACK}`],
  },
  'of many pools three are named': {
    before: fleet({ a: 1 }),
    after: fleet({ a: 1, b: 1, c: 1, d: 1, e: 1 }, 2),
    want: [
      `${FIRST} create the node pool us/b, create the node pool us/c, create the node pool us/d, 1 more ${STACKS}`,
    ],
  },
  'new nodes come before pods that request more, which do not restart at the same time': {
    before: remade(100),
    after: remade(200, DISK),
    want: [`${FIRST} recreate the nodes of us/a ${STACK} ${MANIFESTS_WAIT} ${NEW_PODS}`],
  },
  'and after pods that request less': {
    before: remade(200),
    after: remade(100, DISK),
    want: [`${LAST} recreate the nodes of us/a ${STACK} ${NODES_WAIT} ${OLD_PODS}`],
  },
  'pods that fit on both have room': {
    before: remade(100),
    after: remade(100, DISK, ['--max-model-len=8192']),
    want: [`${FIRST} recreate the nodes of us/a ${STACK} ${MANIFESTS_WAIT} ${BOTH}`],
  },
  'pods that restart with their nodes alone wait for nothing': {
    before: remade(100),
    after: remade(100, DISK),
    want: [`To do: recreate the nodes of us/a ${anytime(STACK)}`],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(describeNodeOrder(diff(before, after)).map(formatStep)).toEqual(want);
});

test('where merging applies manifests, it waits for new nodes', () => {
  const changes = diff(byHand('n1'), byHand('n2', 120));
  const [step] = describeNodeOrder(changes, String, { merges: true });
  expect(step?.what).toContain(` Merge only when all replicas serve on the new nodes: earlier, ${NEW_PODS}`);
});

const code = (name: string): string => `\`${name}\``;

test.each([
  ['nodes whose warning says when they go are not repeated', ['us/a'], []],
  [
    'nodes of which many warnings may not tell',
    ['us/a', 'us/b', 'us/c'],
    [`${LAST} give us/a 1 node instead of 2 ${HAND}`],
  ],
])('%s', (_, pools, want) => {
  const warnings = pools.map((pool) => ({
    ...warningAt('fewer-nodes', 'fleet', 'a pool loses a node', 'Choose'),
    pool,
  }));
  const changes = diff(fleet({ a: 2 }, 2, 'Existing'), fleet({ a: 1 }, 1, 'Existing'));
  expect(describeNodeOrder(changes, String, { warnings }).map(formatStep)).toEqual(want);
});

test('what else comes first stands next to nodes', () => {
  const changes = diff(fleet({ a: 1 }), fleet({ a: 1, b: 1 }, 2));
  expect(describeNodeOrder(changes, code, { wanted: ['Secret `x` on `us`'] }).map(formatStep)).toEqual([
    `${FIRST} create the node pool \`us/b\` (\`pulumi up\` of its stack, or your own tool); Secret \`x\` on \`us\`.`,
  ]);
  expect(
    describeNodeOrder(diff(fleet({ a: 1 }), fleet({ a: 1 })), code, { wanted: ['Secret `x`'] }).map(formatStep),
  ).toEqual([`${FIRST} Secret \`x\`.`]);
});

test.each([
  ['a stack makes', 'GKE', 1, 'node stays', true],
  ['people make', 'Existing', 2, 'nodes stay', false],
])('added nodes that %s say that they stay idle, and who takes the step', (_, source, added, stay, isByStack) => {
  const changes = diff(fleet({ a: 1 }, 1, source), fleet({ a: 1 + added }, 1, source));
  const [step] = describeNodeOrder(changes, String, { idle: new Map([['us/a', added]]) });
  expect(step?.what).toContain(`give us/a ${1 + added} nodes instead of 1, where the new ${stay} idle as things are (`);
  expect(step?.isByStack).toBe(isByStack);
});
