import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aClass, aCluster, MACHINES } from '../../api/build';
import { cache, cluster, deployment, nodeClass, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const FREE = nodeClass('free');
const on = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const gke = (name: string, region: string): Resource =>
  aCluster(name, {
    cluster: { source: 'GKE', gke: { region } },
    pools: { h100: { nodeCount: 1, zones: [`${region}-a`] } },
  });
const prices = '  prices: InferenceClass h100 (undated)';

const rows: Record<string, { resources: Resource[]; steps: string[]; want: string[] }> = {
  'what changes and has no price is unknown': {
    resources: [H100, FREE, on('eu', 1), cluster('us', { b: 'free x 1' })],
    steps: ['add-nodes us/b=1', 'add-nodes eu/a=1'],
    want: [
      'Cost an hour: $10 and 1 pool without a price, then $20 and 1 pool without a price (+$10, or +$7,300 a month, and 1 pool without a price).',
      prices,
      'Total: no replica changes.',
    ],
  },
  'what changes and has a price in another region is estimated': {
    resources: [aClass('h100', { provisioning: MACHINES.GKE }), gke('eu', 'europe-west4'), gke('us', 'us-central1')],
    steps: ['add-nodes eu/h100=1'],
    want: [
      'Cost a month: ≈ $129,000, then ≈ $194,000 (about +$64,600: eu/h100 priced as in us-central1).',
      '  prices: cloudpilot-ai/karpenter-provider-gcp, pricing data (2026-08-03)',
      'Total: no replica changes.',
    ],
  },
  'what has a price in another region and stays is estimated too': {
    resources: [aClass('h100', { provisioning: MACHINES.GKE }), gke('eu', 'europe-west4'), gke('us', 'us-central1')],
    steps: ['add-nodes us/h100=1'],
    want: [
      'Cost a month: ≈ $129,000, then ≈ $194,000 (+$64,598: eu/h100 priced as in us-central1).',
      '  prices: cloudpilot-ai/karpenter-provider-gcp, pricing data (2026-08-03)',
      'Total: no replica changes.',
    ],
  },
  'what has no price and does not change does not matter': {
    resources: [H100, FREE, on('eu', 1), cluster('us', { b: 'free x 1' })],
    steps: ['add-nodes eu/a=1'],
    want: [
      'Cost an hour: $10 and 1 pool without a price, then $20 and 1 pool without a price (+$10, or +$7,300 a month).',
      prices,
      'Total: no replica changes.',
    ],
  },
};
test.each(Object.entries(rows))('what if: %s', (_, { resources, steps, want }) => {
  const decision = settled(...resources);
  const lines = terminalLines(formatOutcomes(whatIf(decision, [scenarioOf(decision, ...steps)]), decision.fleet));
  expect(lines.slice(1).filter((line) => line !== '')).toEqual(want);
});

test('where caches are staged changes with replicas, and so does what storage costs', () => {
  const stored = { storage: true, labels: { side: 'one' } };
  const cached = deployment('ml/q', { replicas: 1, template: { modelCacheRef: { name: 'w' } } });
  const decision = settled(H100, on('eu', 1, stored), on('us', 1, stored), cache('ml/w'), cached);
  const [outcome] = whatIf(decision, [scenarioOf(decision, 'lose eu')]);
  expect(outcome?.cost.delta.least).toMatchObject({ perHour: -10, unknown: 2 });
});
