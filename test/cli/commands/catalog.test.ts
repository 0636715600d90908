import { SMALL, Workspace } from '../cli';
import { FROM_CATALOGUE, writeFleet } from '../named-files';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

describe('fleetwright catalog', () => {
  test('prints a table of what matches a part of a name', () => {
    expect(
      work.run('catalog p5en').out,
    ).toBe(`INSTANCE TYPE        GPUS      MEMORY    CPU    GiB  FABRIC  Gbit/s  REGION     PER HOUR  SPOT  MACROS
aws/p5en.48xlarge ~  8 x h200  143771Mi  192  2,048  EFA      3,200  us-east-1    $63.30     -  H200-8x

1 instance type. Prices: USD a node in REGION, list prices less discounts, or your own prices. For other regions and sources, use --json.
MACROS: names for the same GPUs on several clouds, which 'from' of an InferenceClass takes in place of a type.
~ some figures are inferred: see --json.
`);
  });

  test.each([
    [
      'a GPU',
      'b300',
      [
        'aws/p6-b300.48xlarge',
        'azure/Standard_ND128isr_GB300_v6',
        'coreweave/b300-8x',
        'coreweave/gb300-4x',
        'coreweave/gb300-4x-e',
        'nebius/gpu-b300-sxm_1gpu-24vcpu-346gb',
        'nebius/gpu-b300-sxm_8gpu-192vcpu-2768gb',
        'oci/BM.GPU.B300.8',
        'oci/BM.GPU.GB300.4',
      ],
    ],
    [
      'an architecture',
      'turing',
      [
        'aws/g4dn.12xlarge',
        'aws/g4dn.xlarge',
        ...['16as', '4as', '64as', '8as'].map((size) => `azure/Standard_NC${size}_T4_v3`),
      ],
    ],
    ['a macro', 'GB200-4x', ['aws/p6e-gb200.36xlarge', 'coreweave/gb200-4x', 'gcp/a4x-highgpu-4g']],
    [
      'a product',
      'A100-SXM4-80GB',
      [
        'aws/p4de.24xlarge',
        'azure/Standard_ND96amsr_A100_v4',
        'coreweave/gd-8xa100-i128',
        'gcp/a2-ultragpu-1g',
        'gcp/a2-ultragpu-2g',
        'gcp/a2-ultragpu-4g',
        'gcp/a2-ultragpu-8g',
        'lambda/gpu_8x_a100_80gb_sxm4',
        'oci/BM.GPU.A100-v2.8',
      ],
    ],
  ])('finds the instance types of %s', (_, query, want) => {
    const { entries } = JSON.parse(work.run(`catalog ${query} --json`).out);
    expect(entries.map(({ type }: { type: { name: string } }) => type.name)).toEqual(want);
  });

  test.each([
    ['gke', 'gcp/'],
    ['EKS', 'aws/'],
    ['aks', 'azure/'],
  ])('finds the machines of the cloud that clusters call %s', (query, prefix) => {
    const { entries } = JSON.parse(work.run(`catalog ${query} --json`).out);
    const names: string[] = entries.map(({ type }: { type: { name: string } }) => type.name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !name.startsWith(prefix))).toEqual([]);
  });

  test('says in JSON where each figure comes from and which are second-hand', () => {
    expect(JSON.parse(work.run('catalog p5.48xlarge --json').out)).toMatchObject({
      kind: 'Catalog',
      currency: 'USD',
      entries: [
        {
          type: { name: 'aws/p5.48xlarge', asOf: '2026-07-20', secondHand: ['localDiskGiB'] },
          gpu: { productName: 'NVIDIA H100 80GB HBM3', memory: '81559Mi' },
          provider: 'EKS',
          macros: ['H100-8x'],
          prices: [{ region: 'us-east-1', onDemand: { perHour: 55.04, asOf: '2026-07-20', origin: 'List' } }],
        },
      ],
    });
  });

  test('prints the class that an instance type stands for, which reads back', () => {
    const { out } = work.run('catalog p5.48xlarge --yaml');
    expect(out).toContain('name: aws-p5.48xlarge');
    expect(out).not.toContain('from:');
    work.write({ 'class.yaml': out });
    expect(work.run('validate ./class.yaml')).toMatchObject({ code: 0 });
  });

  test('is all that it prints, so that nothing of it is left out', () => {
    const { code, err } = work.run('catalog h100 --quiet');
    expect(err).toContain("unknown option '--quiet'");
    expect(code).toBe(1);
  });

  test('names the nearest where nothing matches', () => {
    expect(work.run('catalog h300')).toEqual({
      code: 1,
      out: '',
      err: "catalog: nothing in the catalog matches 'h300'. Did you mean 'b300'?\n",
    });
  });

  test('shows what a fleet adds, corrects and pays', () => {
    writeFleet(work, {
      catalogue: 'gpus: [{ name: h100, memory: 81Gi, source: our nodes, asOf: 2026-11-01 }]\n',
      prices: 'prices: [{ instanceType: aws/p5.48xlarge, perHour: 30, source: invoice, asOf: 2026-10-31 }]\n',
    });
    expect(work.run('catalog p5.48xlarge --fleet ./fleet').out).toMatch(
      /^aws\/p5\.48xlarge ~ +8 x h100 +81Gi .* us-east-1 +\$30\.00 /m,
    );
  });
});

/** A cluster that has a region as a label. */
function inRegion(name: string, region: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: ${name}, labels: { topology.kubernetes.io/region: ${region} } }
spec: { cluster: { source: Existing, existing: { context: c } }, nodePools: [] }
`;
}

test.each([
  ['each region of a fleet', ' --fleet ./fleet', ['westeurope $127.82', 'westus3 $98.32']],
  ['the first region by name without a fleet', '', ['eastus $98.32']],
])('catalog has the price in %s', (_, flags, want) => {
  work.write({ 'fleet/fleet.yaml': `${inRegion('a', 'westeurope')}---\n${inRegion('b', 'westus3')}` });
  const { out } = work.run(`catalog ND96isr_H100${flags}`);
  const rows = [...out.matchAll(/ (\w+) +(\$\S+) /g)].map(([, region, price]) => `${region} ${price}`);
  expect(rows).toEqual(want);
});

describe('explain class/NAME', () => {
  test('--quiet leaves the prices of its pools', () => {
    work.write({ 'fleet/fleet.yaml': SMALL });
    expect(work.run('explain class/h100 ./fleet --quiet').out).toBe(
      'us / h100   the price of a node there is unknown\n',
    );
  });

  test('prints the class written out, and what it costs where', () => {
    writeFleet(work, { prices: 'discounts: [{ name: commitment, kind: Committed, factor: 0.5 }]\n' });
    const { code, out } = work.run('explain class/h100 ./fleet');
    expect(code).toBe(0);
    expect(out).toMatch(/^# 'aws\/p5.48xlarge' and the fields of the class, combined.\n/);
    expect(out).toContain('string: NVIDIA H100 80GB HBM3');
    expect(out).toMatch(
      /\nus \/ h100 {3}\$27\.52 an hour \(aws\/karpenter-provider-aws, zz_generated.pricing_aws.go, 2026-07-20, less commitment\)\n$/,
    );
  });

  test('says it of a class that takes nothing from the catalog too', () => {
    work.write({ 'fleet/fleet.yaml': SMALL });
    const { out } = work.run('explain class/h100 ./fleet');
    expect(out).toMatch(/^# As declared.\n/);
    expect(out).toContain('\nus / h100   the price of a node there is unknown\n');
  });

  test('gives the spec and the prices as JSON', () => {
    writeFleet(work, {});
    expect(JSON.parse(work.run('explain class/h100 ./fleet --json').out)).toMatchObject({
      kind: 'ClassExplanation',
      class: 'h100',
      spec: { from: 'aws/p5.48xlarge', devices: [{ count: 8 }, { claim: 'Synthetic' }] },
      pools: [{ cluster: 'us', pool: 'h100', price: { perHour: 55.04 } }],
    });
  });

  test('names the class that was meant', () => {
    work.write({ 'fleet/fleet.yaml': SMALL });
    expect(work.run('explain class/h10 ./fleet').err).toContain("Did you mean 'class/h100'?");
    expect(work.run('explain class/something-else ./fleet').err).toContain(
      "there is no InferenceClass 'something-else'. Write one of class/",
    );
  });
});

describe('a plan', () => {
  const cheapest = FROM_CATALOGUE.replace('replicas: 1', 'replicas: 1\n  placement: { policy: Cheapest }');

  test('says the oldest price by which it compares pools', () => {
    writeFleet(work, { manifests: cheapest });
    expect(work.run('plan ./fleet').out).toMatch(
      /\nPrices are from 2026-07-20 or later. The oldest is that of us \/ h100 \(.*\)\.\nCost: /,
    );
    expect(JSON.parse(work.run('plan ./fleet --json').out).prices).toMatchObject({ asOf: '2026-07-20' });
  });

  test('says no date where it compares no prices, or where no one knows one', () => {
    writeFleet(work, {});
    expect(work.run('plan ./fleet').out).not.toContain('Prices are');
    writeFleet(work, { manifests: cheapest.replace('us-east-1 }', 'eu-west-1 }') });
    expect(work.run('plan ./fleet').out).not.toContain('Prices are');
  });
});
