import { whatIf } from '../../../src/analyze/what-if/what-if';
import { formatMoreNodesLine } from '../../../src/report/analyze/added-nodes-text';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { ask, cluster, deployment, device, engine, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled } from './build';

/** Two replicas that take a node each, and small ones that may be on any of the nodes. */
const RESOURCES = [
  nodeClassWith('h100', { price: 10 }),
  cluster('eu', { a: 'h100 x 3' }),
  deployment('ml/large', { replicas: 2 }),
  deployment('ml/small', { gpus: 1 }),
];

test('a further pool is offered where pods of other sizes would block nodes of the present one', () => {
  const decision = settled(...RESOURCES);
  const lines = terminalLines(
    formatOutcomes(whatIf(decision, [scenarioOf(decision, 'scale ml/small=10')]), decision.fleet),
  );
  const text = lines.map((line) => line.trim()).join('\n');
  expect(text).toContain(`
cheapest: set packing: BinPack on eu / a ($0), once an administrator has configured the scheduler of eu to pack pods (for 7 of the 9)
or: 1 more node in eu / a (8 GPUs, +$7,300 a month) (for 1 of the 9)
`);
  expect(text).toContain(`
With a new pool of 2 nodes like eu / a (16 GPUs) all 9 missing replicas fit:
cost an hour: +$20
With 9 more nodes in existing pools all 9 missing replicas fit (the smallest set):
9 in eu / a (72 GPUs)
cost an hour: +$90
prices: InferenceClass h100 (undated)
`);
});

test('where no nodes help, the reason is against the pool whose devices match, not the first', () => {
  const small = nodeClassWith('small', {}, device('gpu', { memory: '22Gi' }));
  const request = ask('gpu', 16, 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) > 0');
  const wide = deployment('ml/wide', { replicas: 0, engines: [engine('main', [request])] });
  const decision = settled(small, nodeClassWith('h100', {}), cluster('eu', { a: 'small x 2', b: 'h100 x 2' }), wide);
  const lines = terminalLines(
    formatOutcomes(whatIf(decision, [scenarioOf(decision, 'scale ml/wide=2')]), decision.fleet),
  );
  const text = lines.join('\n');
  expect(text).toMatch(/More nodes do not help 2 replicas of ml\/wide \(eu \/ b: /);
});

test('where more nodes of another pool cost less than the smallest set, they are named too', () => {
  const [large, small] = [
    nodeClassWith('large', { price: 30 }),
    nodeClassWith('small', { price: 10 }, device('gpu', { count: 4 })),
  ];
  const half = deployment('ml/half', { replicas: 0, engines: [engine('main', [ask('gpu', 4)])] });
  const decision = settled(large, small, cluster('eu', { a: 'large x 0', b: 'small x 0' }), half);
  const outcomes = whatIf(decision, [scenarioOf(decision, 'scale ml/half=2')]);
  expect(terminalLines(formatOutcomes(outcomes, decision.fleet)).join('\n')).toContain(`
With 1 more node all 2 missing replicas fit (the smallest set in existing pools):
  1 in eu / a (8 GPUs)
  cost an hour: +$30
or, cheapest: 2 more nodes:
  2 in eu / b (8 GPUs)
  cost an hour: +$20
`);
  const more = outcomes[0]?.moreNodes;
  expect(more && formatMoreNodesLine(more)).toBe(
    'With 1 more node all 2 missing replicas fit: 1 node in eu / a (8 GPUs); +$21,900 a month; or, cheapest: 2 nodes in eu / b (8 GPUs); +$14,600 a month',
  );
});

const limited: Record<string, { replicas: number; want: string }> = {
  'where a limit of placement keeps a replica off all nodes, the line says to change it too': {
    replicas: 2,
    want: "With 2 more nodes and 'maxPerCluster: 2' instead of 1 of ml/q all 2 missing replicas fit: 2 nodes in eu / a (16 GPUs); +$14,600 a month",
  },
  'where the next value of the limit is not enough, the line says which replicas no nodes help': {
    replicas: 3,
    want: 'With 1 more node the 1 other missing replica fits: 1 node in eu / a (8 GPUs); +$7,300 a month; more nodes do not help 2 replicas of ml/q (eu: at most 1 replica may be on one cluster (maxPerCluster))',
  },
};

test.each(Object.entries(limited))('%s', (_, { replicas, want }) => {
  const one = deployment('ml/q', { replicas: 0, spec: { placement: { maxPerCluster: 1 } } });
  const decision = settled(nodeClassWith('h100', { price: 10 }), cluster('eu', { a: 'h100 x 0' }), one);
  const [outcome] = whatIf(decision, [scenarioOf(decision, `scale ml/q=${replicas}`)]);
  expect(outcome?.moreNodes && formatMoreNodesLine(outcome.moreNodes)).toBe(want);
});

test('a limit of placement is changed also where other replicas have an obstacle that no limit is', () => {
  const ofOther = engine('main', [ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].productName == "other"')]);
  const decision = settled(
    nodeClassWith('h100', { price: 10 }),
    cluster('eu', { a: 'h100 x 0' }),
    deployment('ml/q', { replicas: 0, spec: { placement: { maxPerCluster: 1 } } }),
    deployment('ml/other', { replicas: 0, engines: [ofOther] }),
  );
  const [outcome] = whatIf(decision, [scenarioOf(decision, 'scale ml/q=2', 'scale ml/other=1')]);
  expect(outcome?.moreNodes && formatMoreNodesLine(outcome.moreNodes)).toMatch(
    /^With 2 more nodes and 'maxPerCluster: 2' instead of 1 of ml\/q all other 2 missing replicas fit: .*; more nodes do not help 1 replica of ml\/other \(/,
  );
});
