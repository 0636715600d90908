import { GPUS } from '../../src/catalog/gpus';
import { recognizeGpu } from '../../src/sizing/find-gpu';

const MIB = 2 ** 20;

interface Case {
  device: { driver?: string; mib: number; texts: string[] };
  want: { name: string; exact: boolean };
}

const cases: Record<string, Case> = {
  'a device with a product name is that product, also if another publishes the same memory': {
    device: { mib: 81_559, texts: ['NVIDIA H100 PCIe'] },
    want: { name: 'h100-pcie', exact: true },
  },
  'a device without a product name is the one that publishes its memory, not its PCIe variant': {
    device: { mib: 81_559, texts: [] },
    want: { name: 'h100', exact: true },
  },
  'an Instinct GPU is recognized as its driver publishes it': {
    device: { driver: 'gpu.amd.com', mib: 196_592, texts: ['AMD_Instinct_MI300X_OAM'] },
    want: { name: 'mi300x', exact: true },
  },
  'memory that no GPU publishes is estimated': {
    device: { mib: 70_000, texts: [] },
    want: { name: 'gpu', exact: false },
  },
};

test.each(Object.entries(cases))('%s', (_, { device: { driver = 'gpu.nvidia.com', mib, texts }, want }) => {
  const device = { name: 'gpu', driver, memoryBytes: mib * MIB, texts: new Set(texts) };
  expect(recognizeGpu(device, GPUS)).toMatchObject(want);
});
