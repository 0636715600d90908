import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { checkFleet } from '../../../src/plan/check-fleet';
import { aCluster, byPath, type Doc, gpus, MACHINES, parsed } from '../../api/build';

function expanded(spec: Doc) {
  const fleet = assemble([parsed('InferenceClass', 'x', spec)]);
  return { spec: fleet.classes[0]!.spec, reported: checkFleet(fleet, byPath).map(formatDiagnostic) };
}

interface Row {
  spec: Doc;
  want: Doc;
}

const rows: Record<string, Row> = {
  'an instance type gives devices, what a node has for pods, and how to make it': {
    spec: { from: 'aws/g6.12xlarge' },
    want: {
      provisioning: {
        provider: 'EKS',
        eks: { instanceType: 'g6.12xlarge', diskSizeGb: 100, accelerator: { type: 'nvidia-l4', count: 4 } },
      },
      devices: [
        {
          name: 'gpu',
          claim: 'DRA',
          driver: 'gpu.nvidia.com',
          deviceClassName: 'gpu.nvidia.com',
          extendedResource: 'nvidia.com/gpu',
          count: 4,
          attributes: {
            type: { string: 'gpu' },
            productName: { string: 'NVIDIA L4' },
            architecture: { string: 'Ada Lovelace' },
            cudaComputeCapability: { version: '8.9.0' },
          },
          capacity: { memory: { value: '23034Mi' } },
        },
        {
          name: 'node',
          claim: 'Synthetic',
          driver: 'node.fleetwright.dev',
          count: 1,
          attributes: {
            cpuArchitecture: { string: 'amd64' },
            fabric: { string: 'EFA' },
            instanceType: { string: 'aws/g6.12xlarge' },
            interconnect: { string: 'PCIe' },
          },
          capacity: {
            cpu: { value: '48' },
            memory: { value: '192Gi' },
            nicBandwidth: { value: '40G' },
            nics: { value: '1' },
          },
        },
      ],
      // 48 CPUs less 190m; 192Gi less 7.5 %, less 255Mi and 11Mi for each of 250 pods, less 100Mi.
      node: { allocatable: { cpu: '47810m', memory: '178757Mi' } },
    },
  },
  'a machine type of GKE is made on GKE, under its name for the GPUs': {
    spec: { from: 'gcp/a3-megagpu-8g' },
    want: {
      provisioning: {
        provider: 'GKE',
        gke: {
          machineType: 'a3-megagpu-8g',
          diskSizeGb: 100,
          accelerator: { type: 'nvidia-h100-mega-80gb', count: 8 },
        },
      },
    },
  },
  'GKE keeps a share of memory that falls with its size': {
    spec: { from: 'gcp/g2-standard-96' },
    // 96 CPUs less 310m; 384Gi less 2 %, of which 1Gi, 0.8Gi, 0.8Gi, 6.72Gi and 2 % of what is above 128Gi are kept.
    want: { node: { allocatable: { cpu: '95690m', memory: '370622Mi' } } },
  },
  'a size of Azure is made on AKS, which keeps more CPU than other clouds': {
    spec: { from: 'azure/Standard_NC40ads_H100_v5', provisioning: { aks: { spot: true } } },
    want: {
      provisioning: {
        provider: 'AKS',
        aks: {
          vmSize: 'Standard_NC40ads_H100_v5',
          diskSizeGb: 100,
          accelerator: { type: 'nvidia-h100-nvl', count: 1 },
          spot: true,
        },
      },
      // 40 CPUs less 500m; 320Gi less 7.5 %, of which the shares of GKE and 750Mi are kept.
      node: { allocatable: { cpu: '39500m', memory: '289369Mi' } },
    },
  },
  'a macro can be made on every cloud that has it': {
    spec: { from: 'H100-8x' },
    want: {
      provisioning: {
        provider: 'GKE',
        gke: { machineType: 'a3-highgpu-8g' },
        eks: { instanceType: 'p5.48xlarge' },
      },
    },
  },
  'the provider of the class chooses among the clouds of a macro': {
    spec: { from: 'H100-8x', provisioning: { provider: 'EKS' } },
    want: { provisioning: { provider: 'EKS', gke: { machineType: 'a3-highgpu-8g' } } },
  },
  'a macro says of nodes what all its instance types have, and the least of amounts': {
    spec: { from: 'H100-8x' },
    want: {
      node: { allocatable: { cpu: '191450m', memory: '1833995Mi' } },
      devices: [
        { name: 'gpu', count: 8 },
        {
          attributes: { interconnect: { string: 'NVSwitch' }, cpuArchitecture: { string: 'amd64' } },
          capacity: { cpu: { value: '192' }, memory: { value: '1872Gi' }, nicBandwidth: { value: '1000G' } },
        },
      ],
    },
  },
  'what the class says of a device wins, field by field': {
    spec: {
      from: 'aws/p5.48xlarge',
      devices: [{ name: 'gpu', count: 4, attributes: { driverVersion: { version: '580.126.20' } } }],
    },
    want: {
      devices: [
        {
          name: 'gpu',
          count: 4,
          driver: 'gpu.nvidia.com',
          attributes: { architecture: { string: 'Hopper' }, driverVersion: { version: '580.126.20' } },
          capacity: { memory: { value: '81559Mi' } },
        },
        { name: 'node' },
      ],
    },
  },
  'a capacity that the class states wins': {
    spec: { from: 'aws/p5.48xlarge', devices: [{ name: 'gpu', capacity: { memory: { value: '81Gi' } } }] },
    want: { devices: [{ capacity: { memory: { value: '81Gi' } } }, { name: 'node' }] },
  },
  'a device of another name is added': {
    spec: { from: 'aws/p5.48xlarge', devices: [{ name: 'nic', driver: 'dra.net', claim: 'Synthetic' }] },
    want: { devices: [{ name: 'gpu' }, { name: 'node' }, { name: 'nic', count: 1 }] },
  },
  'what the class says of the machine wins, field by field': {
    spec: { from: 'aws/p5.48xlarge', provisioning: { eks: { diskSizeGb: 500 } } },
    want: { provisioning: { provider: 'EKS', eks: { instanceType: 'p5.48xlarge', diskSizeGb: 500 } } },
  },
  'what the class says of CPU or memory wins, each by itself': {
    spec: { from: 'aws/p5.48xlarge', node: { allocatable: { cpu: '180' } } },
    want: { node: { allocatable: { cpu: '180', memory: '1936760Mi' } } },
  },
  'a machine that a class names itself gives its pods what the catalog knows of it': {
    spec: { devices: [gpus(8)], provisioning: MACHINES.EKS },
    want: { node: { allocatable: { cpu: '191450m', memory: '1936760Mi' } } },
  },
  'of the machines of two clouds, the least counts': {
    spec: { devices: [gpus(8)], provisioning: { ...MACHINES.EKS, gke: MACHINES.GKE.gke } },
    want: { node: { allocatable: { cpu: '191450m', memory: '1833995Mi' } } },
  },
  'what a class says of CPU or memory wins there too': {
    spec: { devices: [gpus(8)], provisioning: MACHINES.EKS, node: { allocatable: { memory: '1900Gi' } } },
    want: { node: { allocatable: { cpu: '191450m', memory: '1900Gi' } } },
  },
  'a machine that the catalog does not know gives nothing': {
    spec: {
      devices: [gpus(8)],
      provisioning: { ...MACHINES.EKS, eks: { ...MACHINES.EKS.eks, instanceType: 'p9.large' } },
    },
    want: { node: { allocatable: {} } },
  },
  'nor does a class that one of two clouds makes of an unknown machine': {
    spec: {
      devices: [gpus(8)],
      provisioning: { ...MACHINES.EKS, vultr: { plan: 'vcg', accelerator: { type: 'l40s', count: 8 } } },
    },
    want: { node: { allocatable: {} } },
  },
  'description and price stay as they are': {
    spec: { from: 'aws/p5.48xlarge', description: 'ours', price: { perHour: 40 } },
    want: { from: 'aws/p5.48xlarge', description: 'ours', price: { perHour: 40, currency: 'USD' } },
  },
};

interface BadRow {
  spec: Doc;
  want: string[];
}

const bad: Record<string, BadRow> = {
  'the preset of Nebius is the one that the class is made from': {
    spec: {
      from: 'nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb',
      provisioning: { nebius: { platform: 'gpu-h100-sxm', preset: '1gpu-16vcpu-200gb' } },
    },
    want: [
      "InferenceClass x spec.provisioning.nebius.preset: 'gpu-h100-sxm_1gpu-16vcpu-200gb' contradicts 'nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb' of spec.from. Keep one of the two.",
    ],
  },
  'the provider is that of the instance type': {
    spec: { from: 'aws/p5.48xlarge', provisioning: { provider: 'GKE' } },
    want: [
      "InferenceClass x spec.provisioning.provider: 'aws/p5.48xlarge' is an instance type of EKS, and the provider is GKE. Set spec.from to an instance type of that cloud, or remove the provider.",
    ],
  },
  'the machine is the one that the class is made from': {
    spec: { from: 'H100-8x', provisioning: { gke: { machineType: 'a3-megagpu-8g' } } },
    want: [
      "InferenceClass x spec.provisioning.gke.machineType: 'a3-megagpu-8g' contradicts 'H100-8x' of spec.from. Keep one of the two.",
    ],
  },
  'a device that is added is complete': {
    spec: { from: 'aws/p5.48xlarge', devices: [{ name: 'nic', claim: 'Synthetic' }] },
    want: [
      "InferenceClass x spec.devices.0.driver: the field 'driver' is missing. Add the DRA driver, also the domain of attributes without one: gpu.nvidia.com.",
    ],
  },
  'a block of another cloud is complete': {
    spec: { from: 'aws/p5.48xlarge', provisioning: { aks: { vmSize: 'Standard_ND96isr_H100_v5' } } },
    want: [
      "InferenceClass x spec.provisioning.aks.accelerator: the field 'accelerator' is missing. Add the GPUs of a node, for the API of the cloud only, as in 'accelerator: { type: TYPE, count: 1 }'.",
    ],
  },
};

describe('a class from the catalog', () => {
  test.each(Object.entries(rows))('%s', (_, { spec, want }) => {
    const { spec: found, reported } = expanded(spec);
    expect(reported).toEqual([]);
    expect(found).toMatchObject(want);
  });

  test.each(Object.entries(bad))('%s', (_, { spec, want }) => {
    expect(expanded(spec).reported).toEqual(want);
  });

  test('is made of its instance types, also where it contradicts one', () => {
    const { spec } = expanded({ from: 'H100-8x', provisioning: { gke: { machineType: 'a3-megagpu-8g' } } });
    expect(spec.provisioning).toMatchObject({
      gke: { machineType: 'a3-highgpu-8g' },
      eks: { instanceType: 'p5.48xlarge' },
    });
  });

  test('says of a device that is there only what the catalog knows: nothing of the driver version', () => {
    const { spec } = expanded({ from: 'aws/p5.48xlarge' });
    expect(Object.keys(spec.devices[0]!.attributes)).not.toContain('driverVersion');
  });

  test('without a name in the catalog stays as it is written', () => {
    const devices = [{ name: 'gpu', driver: 'x.example', claim: 'Synthetic' }];
    expect(expanded({ devices }).spec).not.toHaveProperty('provisioning.provider');
  });

  test('with an unknown name has no error at the pools that use it', () => {
    const cluster = aCluster('us', { source: 'GKE', pools: { x: 1 } });
    const fleet = assemble([parsed('InferenceClass', 'x', { from: 'gcp/h100' }), cluster]);
    expect(checkFleet(fleet, byPath).map(({ code }) => code)).toEqual(['unknown-instance-type']);
  });

  test('cannot be made on a cloud that does not have it', () => {
    const cluster = aCluster('us', { source: 'GKE', pools: { x: 1 } });
    const fleet = assemble([parsed('InferenceClass', 'x', { from: 'aws/p5.48xlarge' }), cluster]);
    expect(checkFleet(fleet, byPath).map(formatDiagnostic)).toEqual([
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'x' is for EKS, and the cluster is on GKE. Use a class for GKE, or add spec.provisioning.gke to this one.",
    ]);
  });

  test('from a macro is made on either cloud', () => {
    const clusters = [
      aCluster('a', { source: 'GKE', pools: { x: 1 } }),
      aCluster('b', { source: 'EKS', pools: { x: 1 } }),
    ];
    const fleet = assemble([parsed('InferenceClass', 'x', { from: 'H100-8x' }), ...clusters]);
    expect(checkFleet(fleet, byPath)).toEqual([]);
  });
});
