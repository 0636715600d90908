import { computeCostDelta } from '../../src/cost/compare-costs';
import type { ClusterCost } from '../../src/cost/cost';

interface Pool {
  nodes?: number;
  perHour?: number | undefined;

  /** What is bought without a price. */
  unpriced?: string;
}

/** A cluster that buys one pool, and one volume of some size. */
function bought(name: string, { nodes = 1, unpriced, ...price }: Pool, sizeGiB = 0) {
  const perHour = 'perHour' in price ? price.perHour : 2;
  const sum = { unknown: perHour === undefined ? 1 : 0, ...(perHour !== undefined && { perHour }) };
  const pool = { pool: 'a', nodes: { least: nodes, most: nodes }, least: sum, most: sum, unpriced };
  const volume = { cache: 'ml/w', sizeGiB, cost: { perHour: sizeGiB, unknown: 0 } };
  return { cluster: name, pools: [pool], volumes: sizeGiB > 0 ? [volume] : [] } as unknown as ClusterCost;
}

const UNKNOWN = { perHour: undefined };

const rows: Record<string, { was: ClusterCost[]; is: ClusterCost[]; delta: object }> = {
  'nothing, where all is bought as before': {
    was: [bought('us', UNKNOWN)],
    is: [bought('us', UNKNOWN)],
    delta: { perHour: 0, unknown: 0 },
  },
  'another price of as many nodes': {
    was: [bought('us', { perHour: 2 })],
    is: [bought('us', { perHour: 5 })],
    delta: { perHour: 3 },
  },
  'unknown, where there are more nodes of which no one knows the price': {
    was: [bought('us', UNKNOWN)],
    is: [bought('us', { ...UNKNOWN, nodes: 2 })],
    delta: { unknown: 1 },
  },
  'an unknown amount, where nodes of another kind have no price either': {
    was: [bought('us', { ...UNKNOWN, unpriced: 'g2-standard-12 in us-east4' })],
    is: [bought('us', { ...UNKNOWN, unpriced: 'a2-highgpu-1g in us-east4' })],
    delta: { unknown: 1 },
  },
  'what a volume grows by': {
    was: [bought('us', {}, 1)],
    is: [bought('us', {}, 4)],
    delta: { perHour: 3 },
  },
  'unknown, where a cluster of which no one knows the price takes the place of another': {
    was: [bought('us', UNKNOWN)],
    is: [bought('eu', UNKNOWN)],
    delta: { unknown: 2 },
  },
};

test.each(Object.entries(rows))('a fleet costs more by %s', (_, { was, is, delta }) => {
  const reported = computeCostDelta({ clusters: was }, { clusters: is });
  expect([reported.least, reported.most]).toMatchObject([delta, delta]);
});
