import { SMALL, Workspace } from './cli';
import { CLASS, FROM_CATALOGUE, SETTINGS, writeFleet } from './named-files';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const row = 'source: our nodes, asOf: 2026-11-01';
const paid = 'source: invoice, asOf: 2026-10-31';
const at = 'fleet/data';

const bad: Record<
  string,
  readonly [catalogue: string | undefined, prices: string | undefined, want: readonly string[]]
> = {
  'an empty file': [
    '',
    undefined,
    [`${at}/catalogue.yaml:1:1: the file is empty. Add content, or remove the reference to the file.`],
  ],
  'two documents': [
    'gpus: []\n---\ngpus: []\n',
    undefined,
    [`${at}/catalogue.yaml:3:1: a second document begins here. Move everything into one document.`],
  ],
  'a list': [
    '- a\n',
    undefined,
    [`${at}/catalogue.yaml:1:1: expected a map. Begin with a field, as in 'name: value'.`],
  ],
  'broken YAML': ['gpus: [\n', undefined, [expect.stringMatching(/^fleet\/data\/catalogue.yaml:1:7: /)]],
  'a section that no one knows': [
    'gpu: []\n',
    undefined,
    [`${at}/catalogue.yaml:1:1: unknown field 'gpu'. Use 'gpus'.`],
  ],
  'a row that says not where it comes from': [
    'gpus: [{ name: h100, memory: 81Gi, asOf: 2026-11-01 }]\n',
    undefined,
    [
      `${at}/catalogue.yaml:1:8: the field 'source' is missing. Add the source of the row: a page, a data set or the output of a command.`,
    ],
  ],
  'a new row that is not complete': [
    `gpus: [{ name: our-gpu, productName: Ours, ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:8: the field 'memory' is missing. The driver gpu.nvidia.com publishes it.`],
  ],
  'a device whose driver publishes no memory needs it otherwise': [
    `gpus: [{ name: tpu-v9, driver: tpu.google.com, ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:8: the field 'nominal' is missing. Without memory, it is the only known size.`],
  ],

  'a day that is none': [
    'gpus: [{ name: h100, source: x, asOf: 2026-13-01 }]\n',
    undefined,
    [`${at}/catalogue.yaml:1:39: '2026-13-01' is not a day. Use year, month and day, as in '2026-07-20'.`],
  ],
  'an instance type with a GPU that no one knows': [
    `instanceTypes: [{ name: house/a, gpu: h1000, gpus: 8, cpu: 8, memoryGiB: 64, ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:39: the catalog has no GPU 'h1000'. Use 'h100'.`],
  ],
  'a macro with an alias that no one knows': [
    `macros: [{ name: big, aliases: [aws/p5.49xlarge], ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:33: the catalog has no instance type 'aws/p5.49xlarge'. Use 'aws/p5.48xlarge'.`],
  ],
  'a macro of different GPUs': [
    `macros: [{ name: big, aliases: [aws/p5.48xlarge, gcp/a3-ultragpu-8g], ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:23: the aliases have different GPUs: 8 h100, 8 h200. Declare a macro for each GPU.`],
  ],
  'a macro with two aliases on a cloud': [
    `macros: [{ name: big, aliases: [aws/p5e.48xlarge, aws/p5en.48xlarge], ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:23: two aliases are on EKS. Keep one for each cloud.`],
  ],
  'a row twice': [
    `gpus: [{ name: h100, ${row} }, { name: h100, ${row} }]\n`,
    undefined,
    [`${at}/catalogue.yaml:1:69: the name 'h100' is listed twice, first as item 1. Rename or remove one of the two.`],
  ],
  'a price of an instance type that no one knows': [
    undefined,
    `prices: [{ instanceType: aws/p5.48xlrge, perHour: 1, ${paid} }]\n`,
    [`${at}/prices.yaml:1:26: the catalog has no instance type 'aws/p5.48xlrge'. Use 'aws/p5.48xlarge'.`],
  ],
  'a negative price': [
    undefined,
    `prices: [{ instanceType: aws/p5.48xlarge, perHour: -1, ${paid} }]\n`,
    [`${at}/prices.yaml:1:52: -1 is less than the minimum of 0. Use at least 0.`],
  ],
  'a row without a price': [
    undefined,
    `prices: [{ instanceType: aws/p5.48xlarge, ${paid} }]\n`,
    [`${at}/prices.yaml:1:10: the row has no price. Set perHour, spotPerHour or both, or remove the row.`],
  ],
  'a price twice': [
    undefined,
    `prices:\n  - &p { instanceType: aws/p5.48xlarge, perHour: 1, ${paid} }\n  - *p\n`,
    [`${at}/prices.yaml:3:5: aws/p5.48xlarge in all regions is listed twice, first as item 1. Remove one of the two.`],
  ],
  'a price of storage twice': [
    undefined,
    `storage:\n  - &p { fileSystem: EFS, perGiBMonth: 1, ${paid} }\n  - *p\n`,
    [`${at}/prices.yaml:3:5: EFS in all regions is listed twice, first as item 1. Remove one of the two.`],
  ],
  'a negative price of storage': [
    undefined,
    `storage: [{ fileSystem: EFS, perGiBMonth: -1, ${paid} }]\n`,
    [`${at}/prices.yaml:1:43: -1 is less than the minimum of 0. Use at least 0.`],
  ],
  'a discount that makes dearer': [
    undefined,
    'discounts: [{ name: x, kind: Committed, factor: 1.2 }]\n',
    [`${at}/prices.yaml:1:49: 1.2 is greater than the maximum of 1. Use at most 1.`],
  ],
  'a discount for types that no one knows': [
    undefined,
    'discounts: [{ name: x, kind: Committed, factor: 0.5, instanceTypes: [aws/p9.*] }]\n',
    [
      `${at}/prices.yaml:1:70: the catalog has no instance type 'aws/p9.*'. Add it to the file at Fleet.spec.catalogue.`,
    ],
  ],
};

const unused: Record<string, readonly [prices: string, want: readonly string[]]> = {
  'a price of a region that no one knows': [
    `prices: [{ instanceType: aws/p5.48xlarge, region: us-esat-1, perHour: 1, ${paid} }]\n`,
    [
      `${at}/prices.yaml:1:51: no cloud and no cluster of the fleet has a region 'us-esat-1', so it is not used. Use 'us-east-1' if you meant that, or remove it.`,
    ],
  ],
  'prices of storage that no cluster has': [
    `storage: [{ fileSystem: ESF, perGiBMonth: 1, ${paid} }, { fileSystem: Azure Files (premim), perGiBMonth: 1, ${paid} }]\n`,
    [
      `${at}/prices.yaml:1:25: no cluster of the fleet has a file system or storage class 'ESF', so the price is not used. Use 'EFS' if you meant that, or remove it.`,
      `${at}/prices.yaml:1:97: no cluster of the fleet has a file system or storage class 'Azure Files (premim)', so the price is not used. Remove it, or correct the name.`,
    ],
  ],
  'no price of a known file system that no cluster has': [
    `storage: [{ fileSystem: EFS, perGiBMonth: 1, ${paid} }]\n`,
    [],
  ],
  'a discount for a region that no one knows': [
    'discounts: [{ name: x, kind: Committed, factor: 0.5, instanceTypes: [aws/p5.48xlarge], regions: [mars] }]\n',
    [
      `${at}/prices.yaml:1:98: no cloud and no cluster of the fleet has a region 'mars', so it is not used. Remove it, or correct the name.`,
    ],
  ],
};

describe('a plan warns of', () => {
  test.each(Object.entries(unused))('%s', (_, [prices, want]) => {
    writeFleet(work, { prices });
    const { code, out, err } = work.run('plan ./fleet');
    const found = `${out}\n${err}`.split('\n').filter((line) => line.includes('prices.yaml:'));
    expect(found.map((line) => line.replace('warning: ', ''))).toEqual(want);
    expect(code).toBe(0);
  });

  test('no price of a region whose only cluster has errors', () => {
    writeFleet(work, {
      prices: unused['a discount for a region that no one knows']?.[0] ?? '',
      manifests: FROM_CATALOGUE.replace('nodePools:', 'nodePool:'),
    });
    expect(work.run('validate ./fleet').err).not.toContain('prices.yaml');
  });
});

describe('a file that the fleet names', () => {
  test.each(Object.entries(bad))('%s', (_, [catalogue, prices, want]) => {
    writeFleet(work, { ...(catalogue !== undefined && { catalogue }), ...(prices && { prices }) });
    const { code, err } = work.run('validate ./fleet');
    expect(err.trimEnd().split('\n')).toEqual(want);
    expect(code).toBe(1);
  });

  test('is there', () => {
    work.write({ 'fleet/fleet.yaml': FROM_CATALOGUE, 'fleet/settings.yaml': SETTINGS });
    expect(work.run('validate ./fleet').err).toBe(
      `fleet/settings.yaml:6:14: no file matches './data/catalogue.yaml'. Correct the path, or remove the line.
fleet/settings.yaml:7:11: no file matches './data/prices.yaml'. Correct the path, or remove the line.
`,
    );
  });

  test('says nothing of classes that take from it what is broken in it', () => {
    writeFleet(work, {
      catalogue: `instanceTypes: [{ name: house/a, gpu: h100, gpu: 8, cpu: 96, memoryGiB: 1024, ${row} }]\n`,
      manifests: FROM_CATALOGUE.replace('aws/p5.48xlarge', 'house/a'),
    });
    expect(work.run('validate ./fleet').err.match(/fleet\/\S+(?=: )/g)).toEqual([`${at}/catalogue.yaml:1:45`]);
  });

  test('adds machines of a house, with a region of their own', () => {
    writeFleet(work, {
      catalogue: `gpus: [{ name: mi300x, driver: gpu.amd.com, productName: MI300X, memory: 192Gi, ${row} }]
instanceTypes: [{ name: house/a, gpu: mi300x, gpus: 8, cpu: 96, memoryGiB: 1024, ${row} }]
`,
      prices: `prices: [{ instanceType: house/a, region: oslo, perHour: 12, ${paid} }]\n`,
      manifests: SMALL.replace(CLASS, CLASS.replace(/spec:[^]*/, 'spec:\n  from: house/a\n')).replace(
        '  name: us\nspec:',
        '  name: us\n  labels: { topology.kubernetes.io/region: oslo }\nspec:',
      ),
    });
    const { spec, pools } = JSON.parse(work.run('explain class/h100 ./fleet --json').out);
    expect(spec.devices[0]).toMatchObject({ driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com' });
    expect(spec).not.toHaveProperty('provisioning');
    expect(pools).toMatchObject([{ price: { perHour: 12, origin: 'Paid' } }]);
  });
});
