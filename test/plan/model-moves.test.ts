import { formatRemedyLines } from '../../src/report/plan/remedy-text';
import { formatLock, type Lock } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { classText, clusterText, decideParts, H200, L40S } from './model-fleets';

const ONE = '{apiVersion: fleetwright.dev/v1alpha1, kind: ModelDeployment, metadata: {namespace: ml, name: ';

/** One H200, or four L40S. */
const SMALL = 'repository: Qwen/Qwen3-32B, context: 32768, concurrency: 4';
/** Two H200, or all eight L40S of a node. */
const LARGE = 'repository: Qwen/Qwen3-32B, context: 32768, concurrency: 20';

const modelText = (name: string, model: string, template = ''): string =>
  `${ONE}${name}}, spec: {replicas: 1, model: {${model}}${template}}}`;

const ON_A = ', template: {spec: {clusterSelector: {matchLabels: {fleetwright.dev/cluster: a}}}}';

/** A deployment whose only replica takes a whole node of a class. */
const wholeText = (name: string, gpu: string): string =>
  `${ONE}${name}}, spec: {replicas: 1, template: {spec: {healthCheck: {enabled: false}, engines: [{name: main, members: [{nodeSelector: {devices: [{name: gpu, count: 8, where: {productName: ${gpu}}}]}, template: {spec: {containers: [{name: engine, image: "my/engine:1"}]}}}]}]}}}}`;

const lockOf = (parts: readonly string[]): Lock => parseLock(formatLock(decideParts(parts).lock), 'lock');

const linesOf = ({ placements }: Pick<Lock, 'placements'>): string[] =>
  placements.map(
    ({ deployment, cluster, pools, draining }) =>
      `${draining ? '~' : ''}${deployment} ${cluster} / ${Object.values(pools).join('+')}`,
  );

const HARDWARE = [classText(H200), classText(L40S)];

interface Row {
  before: string[];
  added: string;
  want: string[];
  remedy: RegExp;
}

const rows: Record<string, Row> = {
  'a replica of another deployment moves for the layout that is not the cheapest': {
    before: [
      clusterText('a', { h200: 1, l40s: 1 }),
      clusterText('b', { l40s: 1 }),
      wholeText('fixed', 'NVIDIA H200'),
      modelText('small', `${SMALL}, hardware: [l40s]`),
    ],
    added: modelText('large', `${LARGE}, hardware: [h200, l40s]`, ON_A),
    want: ['ml/fixed a / h200', '~ml/small a / l40s', 'ml/small b / l40s'],
    remedy:
      /^cheapest: move 1 replica of ml\/small from a to b, without downtime \(\$0\): fleetwright lock DIR --rebalance ml\/small;/,
  },
  'a replica with several layouts moves to hardware of another one': {
    before: [
      clusterText('a', { h200: 1 }),
      clusterText('b', { l40s: 1 }),
      modelText('small', `${SMALL}, hardware: [h200, l40s]`),
    ],
    added: wholeText('whole', 'NVIDIA H200'),
    want: ['~ml/small a / h200', 'ml/small b / l40s'],
    remedy:
      /^cheapest: move 1 replica of ml\/small from a to b, without downtime \(\$0\): fleetwright lock DIR --rebalance ml\/small;/,
  },
};

describe('moves for models with several layouts', () => {
  test.each(Object.entries(rows))('%s', (_, { before, added, want, remedy }) => {
    const lock = lockOf([...HARDWARE, ...before]);
    const parts = [...HARDWARE, ...before, added];
    const { shortfall } = decideParts(parts, lock).plan.deployments.find((one) => one.shortfall) ?? {};
    expect(shortfall && formatRemedyLines(shortfall)[0]).toMatch(remedy);
    const moved = decideParts(parts, lock, { rebalance: {} });
    expect(linesOf(moved.lock)).toEqual(want);
    const finalized = { ...moved.lock, placements: moved.lock.placements.filter(({ draining }) => !draining) };
    const done = decideParts(parts, finalized);
    expect([done.plan.totals.unplaced, done.replicas.length]).toEqual([0, done.lock.placements.length]);
    expect(decideParts(parts, parseLock(formatLock(done.lock), 'lock')).outOfDate).toBe(false);
  });

  test('are made among new replicas, so that all have a place', () => {
    const parts = [
      clusterText('a', { h200: 1 }),
      clusterText('b', { l40s: 1 }),
      modelText('small', `${SMALL}, hardware: [h200, l40s]`),
      wholeText('whole', 'NVIDIA H200'),
    ];
    const { lock, plan } = decideParts([...HARDWARE, ...parts]);
    expect([plan.totals.unplaced, ...linesOf(lock)]).toEqual([0, 'ml/small b / l40s', 'ml/whole a / h200']);
  });

  test('are not the only options: nodes for each layout are, the cheapest first', () => {
    const parts = [
      clusterText('a', { h200: 1 }),
      clusterText('b', { l40s: 1 }),
      wholeText('fixed', 'NVIDIA H200'),
      wholeText('other', 'NVIDIA L40S'),
    ];
    const added = modelText('large', `${LARGE}, hardware: [h200, l40s]`);
    const lock = lockOf([...HARDWARE, ...parts]);
    const { shortfall } =
      decideParts([...HARDWARE, ...parts, added], lock).plan.deployments.find((one) => one.shortfall) ?? {};
    expect(shortfall && formatRemedyLines(shortfall)).toEqual([
      'cheapest: 1 more node in b / l40s (8 GPUs, +$17,520 a month)',
      'or: 1 more node in a / h200 (8 GPUs, +$29,200 a month)',
    ]);
  });
});
