import { assemble } from '../../../src/fleet/fleet';
import { machineCapacityOf } from '../../../src/fleet/hardware/allocatable';
import { BUILT_IN_CATALOGUE, type Catalogue } from '../../../src/fleet/hardware/hardware';
import { type Doc, gpus, MACHINES, parsed } from '../../api/build';

const ROW = { source: 'racks', asOf: '2026-01-01', gpu: 'h200', gpus: 8, cpu: 256, memoryGiB: 1024 };
const MACRO = { source: 'racks', asOf: '2026-01-01' };
const CATALOGUE: Catalogue = {
  ...BUILT_IN_CATALOGUE,
  instanceTypes: new Map([...BUILT_IN_CATALOGUE.instanceTypes, ['house/a', { ...ROW, name: 'house/a' }]]),
  macros: new Map([
    ['clouds', { ...MACRO, name: 'clouds', aliases: ['nebius/gpu-h200-sxm_8gpu-128vcpu-1600gb', 'oci/BM.GPU.H200.8'] }],
    ['mixed', { ...MACRO, name: 'mixed', aliases: ['nebius/gpu-h200-sxm_8gpu-128vcpu-1600gb', 'house/a'] }],
  ]),
};

const rows: Record<string, { spec: Doc; want: Doc }> = {
  'a node of a cloud has at most what its machine has': {
    spec: { from: 'nebius/gpu-h200-sxm_8gpu-128vcpu-1600gb' },
    want: { cpu: '128', memory: '1600Gi' },
  },
  'so has one that the class provisions': {
    spec: {
      devices: [gpus(8)],
      provisioning: {
        provider: 'Vultr',
        vultr: { plan: 'vcg-l40s-16c-180g-48vram', accelerator: { type: 'l40s', count: 1 } },
      },
    },
    want: { cpu: '16', memory: '180Gi' },
  },
  'clouds that no class can provision have machines too': {
    spec: { from: 'coreweave/gd-8xl40s-i128' },
    want: { cpu: '128', memory: '1024Gi' },
  },
  'of several machines, a node may be the largest': {
    spec: { from: 'clouds' },
    want: { cpu: '224', memory: '3072Gi' },
  },
  'machines of a house may differ from their row': { spec: { from: 'house/a' }, want: {} },
  'also where a macro names one of them': { spec: { from: 'mixed' }, want: {} },
  'of an unknown machine, nothing is certain': {
    spec: {
      devices: [gpus(8)],
      provisioning: { ...MACHINES.EKS, eks: { ...MACHINES.EKS.eks, instanceType: 'p9.large' } },
    },
    want: {},
  },
  'nor of nodes without a machine': { spec: { devices: [gpus(8)] }, want: {} },
};

test.each(Object.entries(rows))('%s', (_, { spec, want }) => {
  const fleet = assemble([parsed('InferenceClass', 'x', spec)], { ...assemble([]).hardware, catalogue: CATALOGUE });
  expect(machineCapacityOf(fleet.classes[0]!, CATALOGUE)).toEqual(want);
});
