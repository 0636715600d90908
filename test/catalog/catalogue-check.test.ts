import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithExport } from '../../scripts/catalogue-rows';
import type { InstanceType } from '../../src/catalog/row-types';

const row = { source: 'a list of machines', asOf: '2026-07-20' };

const P5: InstanceType = {
  ...row,
  name: 'aws/p5.48xlarge',
  gpu: 'h100',
  gpus: 8,
  cpu: 192,
  memoryGiB: 2048,
  fabric: 'EFA',
  nics: 32,
};
const G2: InstanceType = { ...row, name: 'gcp/g2-standard-4', gpu: 'l4', gpus: 1, cpu: 4, memoryGiB: 16 };
const ND: InstanceType = {
  ...row,
  name: 'azure/Standard_ND96isr_H100_v5',
  gpu: 'h100',
  gpus: 8,
  cpu: 96,
  memoryGiB: 1900,
  quotaFamily: 'standardNDSH100v5Family',
};

const aws = (InstanceType = 'p5.48xlarge', { gpus = 8, cpu = 192, nics = 32, arm = false } = {}) => ({
  InstanceType,
  VCpuInfo: { DefaultVCpus: cpu },
  MemoryInfo: { SizeInMiB: 2097152 },
  ProcessorInfo: { SupportedArchitectures: [arm ? 'arm64' : 'x86_64'] },
  NetworkInfo: { EfaSupported: true, EfaInfo: { MaximumEfaInterfaces: nics } },
  ...(gpus > 0 && { GpuInfo: { Gpus: [{ Name: 'H100', Count: gpus }] } }),
});

const gcp = (accelerators?: object[]) => ({
  name: 'g2-standard-4',
  guestCpus: 4,
  memoryMb: 16384,
  zone: 'us-central1-a',
  ...(accelerators && { accelerators }),
});

const azure = (memory: string, family = 'standardNDSH100v5Family') => ({
  resourceType: 'virtualMachines',
  family,
  name: 'Standard_ND96isr_H100_v5',
  capabilities: [
    { name: 'vCPUs', value: '96' },
    { name: 'MemoryGB', value: memory },
    { name: 'GPUs', value: '8' },
    { name: 'CpuArchitectureType', value: 'x64' },
  ],
});

const cases: Record<string, { value: unknown; want: string[] | undefined }> = {
  'a machine that agrees is silent': { value: { InstanceTypes: [aws()] }, want: [] },
  'each field that differs is a line with both values': {
    value: { InstanceTypes: [aws('p5.48xlarge', { gpus: 4, cpu: 96, nics: 16, arm: true })] },
    want: ['gpus is 8', 'cpu is 192', 'cpuArchitecture is amd64', 'nics is 32'].map((part, i) =>
      expect.stringMatching(`^aws/p5.48xlarge: ${part} in the catalog and ${['4', '96', 'arm64', '16'][i]} in`),
    ),
  },
  'machines without GPUs are no rows': { value: { InstanceTypes: [aws(), aws('m5.large', { gpus: 0 })] }, want: [] },
  'a machine with GPUs that no row names is new': {
    value: { InstanceTypes: [aws(), aws('p9.48xlarge')] },
    want: ['aws/p9.48xlarge: the catalog does not have it'],
  },
  'a row that the cloud no longer lists is old': {
    value: { InstanceTypes: [] },
    want: ['aws/p5.48xlarge: the export does not have it'],
  },
  'zones of GKE repeat a machine': {
    value: [1, 2].map(() => gcp([{ guestAcceleratorType: 'nvidia-l4', guestAcceleratorCount: 1 }])),
    want: [],
  },
  'the accelerator of GKE is compared': {
    value: [gcp([{ guestAcceleratorType: 'nvidia-l40', guestAcceleratorCount: 1 }])],
    want: ['gcp/g2-standard-4: accelerator is nvidia-l4 in the catalog and nvidia-l40 in the export'],
  },
  'sizes of Azure are texts': { value: [azure('1900')], want: [] },
  'a size of Azure that differs': {
    value: [azure('1800')],
    want: ['azure/Standard_ND96isr_H100_v5: memoryGiB is 1900 in the catalog and 1800 in the export'],
  },
  'locations of Azure repeat a machine': { value: [azure('1900'), azure('1900')], want: [] },
  'the family of the quota of Azure is compared': {
    value: [azure('1900', 'standardNDSv6Family')],
    want: [
      'azure/Standard_ND96isr_H100_v5: quotaFamily is standardNDSH100v5Family in the catalog and standardNDSv6Family in the export',
    ],
  },
  'a machine of Azure with GPUs that no row names is new': {
    value: [azure('1900'), { ...azure('1900'), name: 'Standard_ND1_v9' }],
    want: ['azure/Standard_ND1_v9: the catalog does not have it'],
  },
  'machines of Compute Engine and Azure without GPUs are no rows': {
    value: [gcp()],
    want: ['gcp/g2-standard-4: the export does not have it'],
  },
  'another file is no export': { value: { machines: [] }, want: undefined },
};

test.each(Object.entries(cases))('rows and the export of a cloud: %s', (_, { value, want }) => {
  expect(compareWithExport([P5, G2, ND], value)).toEqual(want);
});

describe('npm run catalogue:check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function check(files: Record<string, unknown>): { code: number | null; out: string; err: string } {
    const paths = Object.entries(files).map(([name, value]) => {
      writeFileSync(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    });
    const program = ['-r', './scripts/typescript-hook.cjs', 'scripts/catalogue-check.ts', ...paths];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    return { code: status, out: stdout.replaceAll(`${folder}/`, ''), err: stderr.replaceAll(`${folder}/`, '') };
  }

  test('lists the differences of the exports of three clouds, and ends with 1', () => {
    const { code, out } = check({
      'aws.json': { InstanceTypes: [aws('p5.48xlarge', { cpu: 96 })] },
      'gcp.json': [gcp([{ guestAcceleratorType: 'nvidia-l40', guestAcceleratorCount: 1 }])],
      'azure.json': [azure('1800')],
    });
    expect(code).toBe(1);
    const lines = out.split('\n');
    expect(lines).toContain('aws.json: aws/p5.48xlarge: cpu is 192 in the catalog and 96 in the export');
    expect(lines).toContain(
      'gcp.json: gcp/g2-standard-4: accelerator is nvidia-l4 in the catalog and nvidia-l40 in the export',
    );
    expect(lines).toContain(
      'azure.json: azure/Standard_ND96isr_H100_v5: memoryGiB is 1900 in the catalog and 1800 in the export',
    );
    expect(lines).toContain('aws.json: aws/p4d.24xlarge: the export does not have it');
    expect(out).toMatch(/\d+ differences\.\n$/);
  });

  test('ends with 2 and the commands for a file that none of them writes', () => {
    const { code, err } = check({ 'other.json': { machines: [] } });
    expect(code).toBe(2);
    expect(err).toContain('other.json: this is not the output of a known command. Use one of aws ec2');
  });
});
