import type { DeviceFacts } from '../../../src/cel/device';

const memory = { memory: { value: '81559Mi' }, cache: { value: '50Mi' }, slots: { value: '7' } };

/** Devices to run expressions on: full ones, poor ones, ones whose names have other types or domains. */
export const DEVICES: Readonly<Record<string, DeviceFacts>> = {
  h100: {
    driver: 'gpu.nvidia.com',
    attributes: {
      name: { string: 'NVIDIA H100 80GB HBM3' },
      family: { string: 'Hopper' },
      version: { version: '9.0.0' },
      release: { version: '550.90.7-rc.1+build5' },
      index: { int: 3 },
      wide: { int: 9223372036854775807n },
      mig: { bool: false },
      healthy: { bool: true },
      links: { strings: ['nvlink', 'pcie', 'nvlink'] },
      lanes: { ints: [1, 2, 16] },
      flags: { bools: [true, false] },
      stages: { versions: ['1.0.0', '2.1.0-rc.1'] },
      'resource.kubernetes.io/pcieRoot': { string: 'pci0000:00' },
    },
    capacity: memory,
    allowMultipleAllocations: true,
  },
  l4: {
    driver: 'gpu.nvidia.com',
    attributes: {
      name: { string: 'NVIDIA L4' },
      family: { string: 'Ada Lovelace' },
      version: { version: '8.9.0' },
      release: { version: '535.1.0' },
      index: { int: 0 },
      wide: { int: -9223372036854775808n },
      mig: { bool: true },
      healthy: { bool: false },
      links: { strings: ['pcie'] },
      lanes: { ints: [] },
      flags: { bools: [false] },
      stages: { versions: [] },
    },
    capacity: { memory: { value: '23034Mi' }, cache: { value: '0' }, slots: { value: '1500m' } },
  },
  odd: {
    driver: 'gpu.nvidia.com',
    attributes: {
      name: { string: 'grün ünï 🚀' },
      family: { string: '' },
      version: { string: '9.0.0' },
      release: { int: 550 },
      index: { string: '3' },
      wide: { bool: true },
      mig: { string: 'true' },
      healthy: { int: 1 },
      links: { string: 'nvlink' },
      lanes: { int: 16 },
      flags: { bool: true },
      stages: { version: '1.0.0' },
    },
    capacity: { memory: { value: '1Ei' }, cache: { value: '0.1' }, slots: { value: '-3k' } },
  },
  bare: { driver: 'gpu.nvidia.com', attributes: {}, capacity: {} },
  foreign: {
    driver: 'dra.example.com',
    attributes: {
      family: { string: 'Hopper' },
      'gpu.nvidia.com/family': { string: 'Hopper' },
      'gpu.nvidia.com/index': { int: 7 },
    },
    capacity: { ...memory, 'gpu.nvidia.com/memory': { value: '40Gi' } },
  },
};
