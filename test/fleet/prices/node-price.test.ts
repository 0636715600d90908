import { priceFile } from '../../../src/api/price-file';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { BUILT_IN_HARDWARE } from '../../../src/fleet/hardware/hardware';
import { assumePrice, priceOf } from '../../../src/fleet/prices/node-price';
import { buildPriceBook } from '../../../src/fleet/prices/price-book';
import { checkFleet } from '../../../src/plan/check-fleet';
import { aCluster, byPath, type Doc, MACHINES, parsed } from '../../api/build';

interface Row {
  /** The class. Default: a p5.48xlarge from the catalog. */
  spec?: Doc;
  /** The cluster. Default: EKS in us-east-1. */
  cluster?: Doc & { source?: string };
  /** The price file. */
  file?: Doc;
  spot?: boolean;
  want: Doc | undefined;
}

const P5 = { instanceType: 'aws/p5.48xlarge', source: 'invoice 2026-10', asOf: '2026-10-31' };
const commit = { name: 'three years', kind: 'Committed', factor: 0.5 };
const agreed = { name: 'agreement', kind: 'Negotiated', factor: 0.9 };
const EXISTING = { source: 'Existing', labels: { 'topology.kubernetes.io/region': 'us-east-1' } };

const rows: Record<string, Row> = {
  'the catalog knows the list price, its source and its day': {
    want: {
      perHour: 55.04,
      currency: 'USD',
      origin: 'List',
      source: 'aws/karpenter-provider-aws, zz_generated.pricing_aws.go',
      asOf: '2026-07-20',
      discounts: [],
    },
  },
  'a price of another region is none': {
    cluster: { source: 'EKS', cluster: { source: 'EKS', eks: { region: 'eu-west-1' } } },
    want: undefined,
  },
  'a price on spot that no one states is unknown': { spot: true, want: undefined },
  'the price on spot is another one': {
    spec: { from: 'gcp/g2-standard-4' },
    cluster: { source: 'GKE' },
    spot: true,
    want: { perHour: 0.397 },
  },
  'a class that is written out has the price of its machine': {
    spec: { provisioning: MACHINES.EKS, devices: [{ name: 'gpu', claim: 'Synthetic', driver: 'x' }] },
    want: { perHour: 55.04 },
  },
  'a macro costs what its machine on the cloud of the cluster costs': {
    spec: { from: 'H100-8x' },
    cluster: { source: 'GKE' },
    want: { perHour: 88.49 },
  },
  'a cluster that exists has the price of the provider of its class, in its region': {
    cluster: EXISTING,
    want: { perHour: 55.04 },
  },
  'so has a class that is written out': {
    spec: { provisioning: MACHINES.EKS, devices: [{ name: 'gpu', claim: 'Synthetic', driver: 'x' }] },
    cluster: EXISTING,
    want: { perHour: 55.04 },
  },
  'a cluster that exists and says no region has no price': {
    cluster: { source: 'Existing' },
    want: undefined,
  },
  'the class wins over all callers': {
    spec: { from: 'aws/p5.48xlarge', price: { perHour: 30, asOf: '2026-11-01' } },
    file: { prices: [{ ...P5, perHour: 40 }], discounts: [commit] },
    want: { perHour: 30, origin: 'Class', source: 'InferenceClass x', asOf: '2026-11-01', discounts: [] },
  },
  'the price on spot of a class is its own': {
    spec: { from: 'aws/p5.48xlarge', price: { perHour: 30, spotPerHour: 12 } },
    spot: true,
    want: { perHour: 12 },
  },
  'a class that does not say a price on spot leaves it to the others': {
    spec: { from: 'aws/p5.48xlarge', price: { perHour: 30 } },
    file: { prices: [{ ...P5, spotPerHour: 20 }] },
    spot: true,
    want: { perHour: 20, origin: 'Paid' },
  },
  'what is paid wins over the list, and no discount lowers it': {
    file: { prices: [{ ...P5, perHour: 40 }], discounts: [commit] },
    want: { perHour: 40, origin: 'Paid', source: 'invoice 2026-10', asOf: '2026-10-31', discounts: [] },
  },
  'what is paid in the region wins over what is paid everywhere': {
    file: {
      prices: [
        { ...P5, perHour: 40 },
        { ...P5, region: 'us-east-1', perHour: 41 },
      ],
    },
    want: { perHour: 41 },
  },
  'what is paid in another region is none of this one': {
    file: { prices: [{ ...P5, region: 'us-west-2', perHour: 41 }] },
    want: { perHour: 55.04, origin: 'List' },
  },
  'discounts multiply': {
    file: { discounts: [commit, agreed] },
    want: { perHour: 55.04 * 0.5 * 0.9, discounts: ['three years', 'agreement'] },
  },
  'a commitment does not lower what spot costs, an agreement does': {
    spec: { from: 'gcp/g2-standard-4' },
    cluster: { source: 'GKE' },
    file: { discounts: [commit, agreed] },
    spot: true,
    want: { perHour: 0.397 * 0.9, discounts: ['agreement'] },
  },
  'a discount for one instance type is for no other': {
    file: { discounts: [{ ...commit, instanceTypes: ['aws/p5en.48xlarge'] }] },
    want: { perHour: 55.04 },
  },
  'a discount may be for all types that start alike': {
    file: { discounts: [{ ...commit, instanceTypes: ['aws/p5.*'] }] },
    want: { perHour: 27.52 },
  },
  'a discount for one region is for no other': {
    file: { discounts: [{ ...commit, regions: ['us-west-2'] }] },
    want: { perHour: 55.04 },
  },
  'list prices are no prices in another currency': { file: { currency: 'EUR' }, want: undefined },
};

describe('the price of a node', () => {
  test.each(Object.entries(rows))(
    '%s',
    (_, { spec = { from: 'aws/p5.48xlarge' }, cluster = {}, file = {}, spot, want }) => {
      const prices = buildPriceBook(priceFile.parse(file));
      const [declared] = assemble([parsed('InferenceClass', 'x', spec)]).classes;
      const query = {
        declared: declared!,
        cluster: aCluster('us', { source: 'EKS', ...cluster }),
        ...(spot && { spot }),
      };
      const price = priceOf(query, prices);
      if (want) expect(price).toMatchObject(want);
      else expect(price).toBeUndefined();
    },
  );

  test('is in one currency for the whole fleet', () => {
    const prices = buildPriceBook(priceFile.parse({ currency: 'EUR' }));
    const spec = { from: 'aws/p5.48xlarge', price: { perHour: 30 } };
    const fleet = assemble([parsed('InferenceClass', 'x', spec)], { ...BUILT_IN_HARDWARE, prices });
    expect(checkFleet(fleet, byPath).map(formatDiagnostic)).toEqual([
      'InferenceClass x spec.price.currency: the price is in USD, and the currency of the fleet is EUR. Convert it, or set the currency in the file at Fleet.spec.prices.',
    ]);
  });

  test.each(
    Object.entries({
      'of the most similar region is assumed where there is none': ['eu-west-9', { region: 'eu-west-1', perHour: 60 }],
      'of the first region by name is assumed where no region is similar': [
        'me-x-1',
        { region: 'ap-a-1', perHour: 70 },
      ],
    } as Record<string, [string, { region: string; perHour: number }]>),
  )('%s', (_, [region, want]) => {
    const paid = [
      ['us-z-1', 50],
      ['eu-west-1', 60],
      ['ap-a-1', 70],
      ['eu-north-1', 80],
    ].map(([where, perHour]) => ({ ...P5, instanceType: 'aws/p4de.24xlarge', region: where, perHour }));
    const prices = { ...buildPriceBook(priceFile.parse({ prices: paid })), list: new Map() };
    const [declared] = assemble([parsed('InferenceClass', 'x', { from: 'aws/p4de.24xlarge' })]).classes;
    const cluster = aCluster('us', { cluster: { source: 'EKS', eks: { region } } });
    const { region: found, price } = assumePrice({ declared: declared!, cluster }, prices) ?? {};
    expect({ region: found, perHour: price?.perHour }).toEqual(want);
  });

  test.each(
    Object.entries({
      'in a region of a cloud': { 'topology.kubernetes.io/region': 'us-east-2' },
      'whose label names its cloud': { 'fleetwright.dev/provider': 'EKS' },
    }),
  )('of a cluster %s is assumed where no row has its region', (_, labels) => {
    const [declared] = assemble([parsed('InferenceClass', 'x', { from: 'aws/p4de.24xlarge' })]).classes;
    const { prices } = BUILT_IN_HARDWARE;
    expect(assumePrice({ declared: declared!, cluster: aCluster('us', { labels }) }, prices)).toBeDefined();
  });

  test.each(
    Object.entries({
      'that no cloud sells is not assumed': undefined,
      'in a region that no price list has is not assumed': 'berlin',
    } as Record<string, string | undefined>),
  )("of a data center of one's own %s", (_, region) => {
    const [declared] = assemble([parsed('InferenceClass', 'x', { from: 'H100-8x' })]).classes;
    const at = (where?: string): unknown => {
      const labels = where === undefined ? {} : { 'topology.kubernetes.io/region': where };
      return assumePrice({ declared: declared!, cluster: aCluster('dc', { labels }) }, BUILT_IN_HARDWARE.prices);
    };
    expect(at('europe-west4')).toBeDefined();
    expect(at(region)).toBeUndefined();
  });
});
