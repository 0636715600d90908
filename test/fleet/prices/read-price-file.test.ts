import { BUILT_IN_CATALOGUE } from '../../../src/fleet/hardware/hardware';
import { readPrices } from '../../../src/fleet/prices/read-price-file';
import { aCluster } from '../../api/build';

const REGION = 'topology.kubernetes.io/region';

const rows: Record<string, { region?: string; want: number }> = {
  'of a region of a cloud is used': { region: 'us-east-1', want: 1 },
  'of a region of a cluster is used': { region: 'berlin', want: 1 },
  'of all regions is used': { want: 1 },
  'of a misspelled region is not used, so that no estimate takes it': { region: 'us-esat-1', want: 0 },
};

test.each(Object.entries(rows))('a price %s', (_, { region, want }) => {
  const where = region === undefined ? '' : `region: ${region}, `;
  const text = `prices: [{ instanceType: aws/p5.48xlarge, ${where}perHour: 1, source: invoice, asOf: 2026-10-31 }]\n`;
  const clusters = [aCluster('dc', { labels: { [REGION]: 'berlin' } })];
  const { prices } = readPrices({ path: 'prices.yaml', text }, BUILT_IN_CATALOGUE, clusters);
  expect([...prices.paid.values()]).toHaveLength(want);
});
