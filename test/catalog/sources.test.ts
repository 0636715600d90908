import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'src/catalog';

type Row = Readonly<Record<string, unknown>>;

/** The unit of each number in rows of the catalog. Other amounts are texts with a unit: `81559Mi`. */
const UNITS: Readonly<Record<string, string>> = {
  bandwidthTBs: 'TB/s',
  cpu: 'vCPUs',
  gpus: 'GPUs',
  interconnectGBs: 'GB/s for each GPU',
  localDiskGiB: 'GiB',
  memoryGiB: 'GiB',
  nicGbps: 'Gbit/s of all network devices',
  nics: 'network devices',
  perGiBMonth: 'USD per GiB and month',
  perHour: 'USD per hour',
  runs: 'measurements',
  share: 'share of the memory of a GPU',
  spotPerHour: 'USD per hour',
};

function rowsOf(value: unknown): Row[] {
  const all: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return all.filter((one): one is Row => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** Every exported table of which some row states a source. */
const tables = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => Object.entries(jest.requireActual<object>(join(process.cwd(), FOLDER, file))))
  .map(([name, value]) => [name, rowsOf(value)] as const)
  .filter(([, rows]) => rows.some((row) => 'source' in row));

test('tables of every kind are found', () => {
  const names = tables.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['GPUS', 'OCI_INSTANCE_TYPES', 'OTHER_PRICES', 'RACKS', 'ZONES']));
});

test.each(tables)('each row of %s has a source, a date, and numbers with a known unit', (_, rows) => {
  for (const row of rows) {
    expect(row).toMatchObject({
      source: expect.stringMatching(/.{10}/),
      asOf: expect.stringMatching(/^202\d-\d\d-\d\d$/),
    });
    const numbers = Object.keys(row).filter((field) => typeof row[field] === 'number');
    expect(numbers.filter((field) => !(field in UNITS))).toEqual([]);
  }
});
