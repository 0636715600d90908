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
  'a Neuron device, without its place and the groups of its node': {
    driver: 'neuron.aws.com',
    device: {
      attributes: {
        instanceType: { string: 'trn2.48xlarge' },
        topology_x: { int: 0 },
        topology_y: { int: 3 },
        'resource.aws.com/devicegroup4_id': { string: '13713e551cd37c19' },
      },
      capacity: {},
    },
    className: 'neuron-aws-com-1x',
    want: {
      name: 'neuron',
      attributes: { instanceType: { string: 'trn2.48xlarge' } },
      capacity: {},
    },
  },
  'an EFA card of DRANET on a Trainium instance': {
    driver: 'dra.net',
    device: {
      attributes: {
        'dra.net/numaNode': { int: 0 },
        'dra.net/pciAddress': { string: '0000:10:19.0' },
        'dra.net/pciDevice': { string: 'Elastic Fabric Adapter (EFA)' },
        'dra.net/pciVendor': { string: 'Amazon.com, Inc.' },
        'dra.net/rdma': { bool: true },
        'resource.aws.com/devicegroup8_id': { string: 'aa86c05423d6e8cd' },
        'resource.kubernetes.io/pcieRoot': { string: 'pci0000:10' },
      },
      capacity: {},
    },
    className: 'dra-net-1x',
    want: {
      name: 'dra',
      attributes: {
        'dra.net/numaNode': { int: 0 },
        'dra.net/pciDevice': { string: 'Elastic Fabric Adapter (EFA)' },
        'dra.net/pciVendor': { string: 'Amazon.com, Inc.' },
        'dra.net/rdma': { bool: true },
      },
      capacity: {},
    },
  },
  'a RoCE card of the network driver of AWS': {
    driver: 'dra.networking.k8s.aws',
    device: { attributes: { 'dra.vpc.amazonaws.com/deviceType': { string: 'roce' } }, capacity: {} },
    className: 'dra-networking-k8s-aws-1x',
    want: { name: 'dra', attributes: { 'dra.vpc.amazonaws.com/deviceType': { string: 'roce' } }, capacity: {} },
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
  'a TPU of the driver 0.2, on a node of one chip': {
    driver: 'tpu.google.com',
    device: {
      attributes: {
        accelerator: { string: 'tpu-v5-lite-podslice' },
        brand: { string: 'Google' },
        chipCount: { int: 1 },
        index: { int: 0 },
        topology: { string: '1x1' },
        tpuGen: { string: 'v5litepod' },
        uuid: { string: 'tpu-585695ce-c265-152a-e04a-88b343209584' },
      },
      capacity: {},
    },
    className: 'tpu-v5-lite-podslice-1x',
    want: {
      name: 'tpu',
      attributes: {
        accelerator: { string: 'tpu-v5-lite-podslice' },
        brand: { string: 'Google' },
        chipCount: { int: 1 },
        topology: { string: '1x1' },
        tpuGen: { string: 'v5litepod' },
      },
      capacity: {},
    },
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

const SLICES = [0, 1, 2, 3, 4, 5, 6, 7];
const takes = (compute: string, slices: readonly number[]): Json => ({
  multiprocessors: { value: compute },
  ...Object.fromEntries(slices.map((slice) => [`memory-slice-${slice}`, { value: '1' }])),
});

function nameOf(gpu: number): string {
  return `gpu-${gpu}-counter-set`;
}

function b200(type: string, more: Json, memory: string): Json {
  return {
    attributes: { type: { string: type }, productName: { string: 'NVIDIA B200' }, ...more },
    capacity: { memory: { value: memory } },
  };
}

function consumption(gpu: number, compute: string, slices: readonly number[]): Json {
  return { consumesCounters: [{ counterSet: nameOf(gpu), counters: takes(compute, slices) }] };
}

/** Amounts as a class declares them. */
function amounts(compute: string, some: readonly number[]): Json {
  return { multiprocessors: compute, ...Object.fromEntries(some.map((one) => [`memory-slice-${one}`, '1'])) };
}

/** The slices of a node whose driver divides its GPUs: the counters, then those of each GPU. */
function divided(node: string, gpus: number): Json[] {
  const numbers = Array.from({ length: gpus }, (_, gpu) => gpu);
  const pool = { resourceSliceCount: gpus + 1 };
  const sharedCounters = numbers.map((gpu) => ({ name: nameOf(gpu), counters: takes('148', SLICES) }));
  return [
    slice(node, { name: `${node}-counters`, pool, spec: { devices: undefined, sharedCounters } }),
    ...numbers.map((gpu) => {
      const devices = [
        {
          name: `gpu-${gpu}`,
          ...b200('gpu', { uuid: { string: `GPU-${gpu}` } }, '183359Mi'),
          ...consumption(gpu, '148', SLICES),
        },
        ...[0, 4].map((start) => ({
          name: `gpu-${gpu}-mig-3g90gb-9-${start}`,
          ...b200('mig', { parentUUID: { string: `GPU-${gpu}` }, profile: { string: '3g.90gb' } }, '91648Mi'),
          ...consumption(gpu, '70', SLICES.slice(start, start + 4)),
        })),
      ];
      return slice(node, { name: `${node}-${gpu}`, pool, spec: { devices } });
    }),
  ];
}

test('GPUs that the driver divides become counter sets, with a device for each profile', () => {
  const slices = [...divided('n0', 2), ...divided('n1', 3)];
  const [first] = drafted({ slices }).documents;
  const product = { productName: { string: 'NVIDIA B200' } };
  expect(first!['spec']).toMatchObject({
    counterSets: [{ name: 'gpu', count: 2, counters: amounts('148', SLICES) }],
    devices: [
      {
        name: 'gpu',
        deviceClassName: 'gpu.nvidia.com',
        counterSet: 'gpu',
        attributes: { type: { string: 'gpu' }, ...product },
        placements: [amounts('148', SLICES)],
      },
      {
        name: 'mig-3g-90gb',
        deviceClassName: 'mig.nvidia.com',
        counterSet: 'gpu',
        attributes: { type: { string: 'mig' }, profile: { string: '3g.90gb' }, ...product },
        placements: [amounts('70', [0, 1, 2, 3]), amounts('70', [4, 5, 6, 7])],
      },
    ],
  });
});

test('counter sets of which other workloads hold a device are left out', () => {
  const claim = {
    metadata: { name: 'c', namespace: 'other' },
    status: {
      allocation: {
        devices: { results: [{ driver: 'gpu.nvidia.com', pool: 'n1', device: 'gpu-1-mig-3g90gb-9-0', request: 'r' }] },
      },
      reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }],
    },
  };
  const draft = drafted({ slices: [...divided('n0', 2), ...divided('n1', 2)], claims: [claim] });
  expect(draft.documents[0]!['spec']).toMatchObject({ counterSets: [{ count: 1 }] });
});

test('devices that draw on several counter sets are left out, and reported', () => {
  const slices = divided('n0', 1).map((recorded) => {
    const spec = recorded['spec'] as { devices?: Json[] };
    const devices = spec.devices?.map((device) => {
      const consumed = device['consumesCounters'] as Json[];
      return { ...device, consumesCounters: [...consumed, ...consumed] };
    });
    return { ...recorded, spec: { ...spec, ...(devices && { devices }) } };
  });
  const draft = drafted({ slices: [...slices, slice('n0', { name: 'whole', spec: { driver: 'gpu.amd.com' } })] });
  const devices = (draft.documents[0]!['spec'] as { devices: Json[] }).devices;
  expect(devices.map(({ driver }) => driver)).toEqual(['gpu.amd.com']);
  expect(draft.notes).toContainEqual(
    expect.stringContaining('1 device left out: a class cannot state the counters that they draw on'),
  );
});
