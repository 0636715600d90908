import { slice } from '../../snapshot/build';
import type { Json } from '../doctor/build';
import { drafted } from './build';

interface Case {
  driver: string;
  device: { attributes: Json; capacity?: Json; allowMultipleAllocations?: boolean };
  className: string;
  want: { name: string; attributes: Json; capacity: Json; allowMultipleAllocations?: boolean };
}

const shared = { value: '46068Mi', requestPolicy: { default: '46068Mi', validRange: { min: '1Mi', step: '1Mi' } } };
const UNITS = { computeUnits: { value: '304' }, simdUnits: { value: '1216' }, memory: { value: '196592Mi' } };
const gpu = { type: { string: 'gpu' }, productName: { string: 'NVIDIA L40S' } };
const instinct = {
  type: { string: 'amdgpu' },
  productName: { string: 'AMD_Instinct_MI300X_OAM' },
  driverVersion: { version: '6.12.12' },
  partitionProfile: { string: 'spx_nps1' },
};

/** What one device of each driver publishes, in the form of the records of their repositories. */
const cases: Record<string, Case> = {
  'GPUs that pods share keep their policies': {
    driver: 'gpu.nvidia.com',
    device: { attributes: gpu, capacity: { memory: shared }, allowMultipleAllocations: true },
    className: 'nvidia-l40s-1x',
    want: { name: 'gpu', attributes: gpu, capacity: { memory: shared }, allowMultipleAllocations: true },
  },
  'an Instinct GPU of the current driver': {
    driver: 'gpu.amd.com',
    device: {
      attributes: {
        ...instinct,
        deviceID: { string: '0x74a1' },
        numaNode: { int: 1 },
        'resource.kubernetes.io/pciBusID': { string: '0003:00:02.0' },
      },
      capacity: UNITS,
    },
    className: 'amd-instinct-mi300x-oam-1x',
    want: {
      name: 'amdgpu',
      attributes: { ...instinct, deviceID: { string: '0x74a1' }, numaNode: { int: 1 } },
      capacity: UNITS,
    },
  },
  'an Instinct GPU of an earlier driver, without what identifies one GPU': {
    driver: 'gpu.amd.com',
    device: {
      attributes: {
        ...instinct,
        cardIndex: { int: 40 },
        renderIndex: { int: 168 },
        family: { string: 'AI' },
        pciAddr: { string: '0003:00:02.0' },
      },
      capacity: UNITS,
    },
    className: 'amd-instinct-mi300x-oam-1x',
    want: { name: 'amdgpu', attributes: { ...instinct, family: { string: 'AI' } }, capacity: UNITS },
  },
  'a Gaudi is called after its model': {
    driver: 'gaudi.intel.com',
    device: {
      attributes: { model: { string: 'Gaudi3' }, serial: { string: 'AN1' }, healthy: { bool: true } },
      capacity: {},
    },
    className: 'gaudi3-1x',
    want: { name: 'gaudi', attributes: { model: { string: 'Gaudi3' }, healthy: { bool: true } }, capacity: {} },
  },
  'a TPU is called after its accelerator': {
    driver: 'tpu.google.com',
    device: {
      attributes: {
        index: { int: 0 },
        uuid: { string: 'tpu-0' },
        tpuGen: { string: 'v6e' },
        brand: { string: 'Google' },
        accelerator: { string: 'tpu-v6e-slice' },
        chipCount: { int: 4 },
      },
      capacity: {},
    },
    className: 'tpu-v6e-slice-1x',
    want: {
      name: 'tpu',
      attributes: {
        tpuGen: { string: 'v6e' },
        brand: { string: 'Google' },
        accelerator: { string: 'tpu-v6e-slice' },
        chipCount: { int: 4 },
      },
      capacity: {},
    },
  },
};

test.each(Object.entries(cases))('%s', (_, { driver, device, className, want }) => {
  const slices = ['n0', 'n1'].map((name) => slice(name, { count: 1, device, spec: { driver } }));
  const [first] = drafted({ slices, deviceClasses: [{ metadata: { name: driver } }] }).documents;
  expect(first).toMatchObject({ metadata: { name: className } });
  const [drafts, ...others] = (first!['spec'] as { devices: unknown[] }).devices;
  expect(others).toEqual([]);
  expect(drafts).toEqual({ ...want, driver, deviceClassName: driver, count: 1 });
});
