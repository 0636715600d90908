import { whatIf } from '../../../src/analyze/what-if/what-if';
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
