import { aClass, MACHINES } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const RESERVATIONS = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/h100';

const bad: Record<string, BadRow> = {
  'nodes on AKS come from one place': {
    change: { 'spec.provisioning.aks.spot': true, 'spec.provisioning.aks.capacityReservationGroup': RESERVATIONS },
    want: [
      'spec.provisioning.aks.capacityReservationGroup: a class cannot have both spot and capacityReservationGroup. Keep one of the two.',
    ],
  },
  'a capacity reservation group on AKS has the ID of the resource': {
    change: { 'spec.provisioning.aks.capacityReservationGroup': 'h100' },
    want: [
      "spec.provisioning.aks.capacityReservationGroup: 'h100' is not a capacity reservation group. Use its resource ID: '/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Compute/capacityReservationGroups/NAME'.",
    ],
  },
  'nodes on GKE come from one place': {
    change: { 'spec.provisioning.gke.spot': true },
    want: ['spec.provisioning.gke.reservation: a class cannot have both spot and reservation. Keep one of the two.'],
  },
  'a name is a DNS name': {
    change: { 'metadata.name': 'H200_SXM' },
    want: ["metadata.name: 'H200_SXM' is not a DNS name. Use 'h200-sxm'."],
  },
  'an extended resource is not the DeviceClass of its driver': {
    change: { 'spec.devices.0.deviceClassName': 'nvidia.com/gpu' },
    want: ["spec.devices.0.deviceClassName: 'nvidia.com/gpu' is not a DNS name. Use 'gpu.nvidia.com'."],
  },
  'a name has at most 253 characters': {
    change: { 'metadata.name': 'a'.repeat(254) },
    want: [
      'metadata.name: a text of 254 characters is greater than the maximum of 253. Shorten it to at most 253 characters.',
    ],
  },
  'a class is in no namespace': {
    change: { 'metadata.namespace': 'ml' },
    want: [
      "metadata.namespace: the field 'namespace' is not allowed here. Remove it: resources of this kind have no namespace.",
    ],
  },
  'a label key has the form that Kubernetes wants': {
    change: { 'metadata.labels': { '-tier': 'prod' } },
    want: [
      "metadata.labels.-tier: '-tier' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'a label value has the form that Kubernetes wants': {
    change: { 'metadata.labels': { tier: 'a b' } },
    want: [
      "metadata.labels.tier: 'a b' is not a label value. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.",
    ],
  },
  'an annotation key has the form that Kubernetes wants': {
    change: { 'metadata.annotations': { 'a/b/c': 'x' } },
    want: [
      "metadata.annotations.a/b/c: 'a/b/c' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'an annotation has at most 256 KiB': {
    change: { 'metadata.annotations': { a: 'x'.repeat(256 * 1024 + 1) } },
    want: [
      'metadata.annotations.a: a text of 262145 characters is greater than the maximum of 262144. Shorten it to at most 262144 characters.',
    ],
  },
  'a spec is required': {
    change: { spec: undefined },
    want: [
      "spec: the field 'spec' is missing. Add a map with the fields description, from, provisioning, devices, counterSets, node, price.",
    ],
  },
  'a typo names the field that was meant': {
    change: { 'spec.provisioning.gke.machinType': 'x' },
    want: ["spec.provisioning.gke.machinType: unknown field 'machinType'. Use 'machineType'."],
  },
  'a name of other letter case is no enum value': {
    change: { 'spec.provisioning.provider': 'Gke' },
    want: ["spec.provisioning.provider: unknown value 'Gke': expected GKE, EKS, AKS, Nebius, Vultr. Use 'GKE'."],
  },
  'a cloud is not taken for one whose name is similar': {
    change: { 'spec.provisioning.provider': 'AWS' },
    want: ["spec.provisioning.provider: unknown value 'AWS': expected GKE, EKS, AKS, Nebius, Vultr. Use 'EKS'."],
  },
  'the block of the provider is required': {
    change: { 'spec.provisioning.gke': undefined },
    want: [
      "spec.provisioning.eks: 'eks' is for provider EKS, and the provider is GKE. Write 'gke', or 'provider: EKS'.",
    ],
  },
  'a disk has at least 10 GB': {
    change: { 'spec.provisioning.gke.diskSizeGb': 9 },
    want: ['spec.provisioning.gke.diskSizeGb: 9 is less than the minimum of 10. Use at least 10.'],
  },
  'a disk has at most 65536 GB': {
    change: { 'spec.provisioning.gke.diskSizeGb': 65537 },
    want: ['spec.provisioning.gke.diskSizeGb: 65537 is greater than the maximum of 65536. Use at most 65536.'],
  },
  'a machine has at least one accelerator': {
    change: { 'spec.provisioning.eks.accelerator.count': 0 },
    want: ['spec.provisioning.eks.accelerator.count: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'a machine has at most 16 accelerators': {
    change: { 'spec.provisioning.eks.accelerator.count': 17 },
    want: ['spec.provisioning.eks.accelerator.count: 17 is greater than the maximum of 16. Use at most 16.'],
  },
  'an accelerator has a type': {
    change: { 'spec.provisioning.eks.accelerator.type': '' },
    want: [
      'spec.provisioning.eks.accelerator.type: an empty text is less than the minimum of 1. Write a text, or remove the field.',
    ],
  },
  'devices are required': {
    change: { 'spec.devices': undefined },
    want: ["spec.devices: the field 'devices' is missing. Add it, as in 'devices: [{ name: NAME, driver: DRIVER }]'."],
  },
  'the machine in another word is one problem': {
    change: { 'spec.devices': undefined, 'spec.instanceType': 'a3-highgpu-8g' },
    want: [
      "spec.instanceType: the field 'instanceType' is not allowed here. Use 'from', as in 'from: gcp/a3-highgpu-8g': 'fleetwright catalog' lists machines.",
    ],
  },
  'missing devices are a problem next to an unknown field of a scalar': {
    change: { 'spec.devices': undefined, 'spec.vendor': 'nvidia' },
    want: [
      "spec.vendor: unknown field 'vendor'. Use one of description, from, provisioning, devices, counterSets, node, price.",
      "spec.devices: the field 'devices' is missing. Add it, as in 'devices: [{ name: NAME, driver: DRIVER }]'.",
    ],
  },
  'missing devices are a problem next to a field to remove': {
    change: { 'spec.devices': undefined, 'spec.deviceClassName': 'gpu.nvidia.com' },
    want: [
      "spec.deviceClassName: the field 'deviceClassName' is not allowed here. Remove it: the driver of each device in spec.devices names its class.",
      "spec.devices: the field 'devices' is missing. Add it, as in 'devices: [{ name: NAME, driver: DRIVER }]'.",
    ],
  },
  'a class has at least one device': {
    change: { 'spec.devices': [] },
    want: ['spec.devices: a list of 0 items is less than the minimum of 1. List at least 1 item.'],
  },
  'a class has at most 16 kinds of device': {
    change: {
      'spec.devices': Array.from({ length: 17 }, (_, i) => ({
        name: 'd' + i,
        claim: 'Synthetic',
        driver: 'x',
      })),
    },
    want: ['spec.devices: a list of 17 items is greater than the maximum of 16. List at most 16 items.'],
  },
  'an extended resource has the domain of its plugin': {
    change: { 'spec.devices.0.extendedResource': 'gpu' },
    want: [
      "spec.devices.0.extendedResource: 'gpu' is not the name of an extended resource. Use the domain of the plugin and a name, as in 'nvidia.com/gpu'.",
    ],
  },
  'an extended resource is none of Kubernetes': {
    change: { 'spec.devices.0.extendedResource': 'node.kubernetes.io/gpu' },
    want: [
      "spec.devices.0.extendedResource: 'node.kubernetes.io/gpu' is not the name of an extended resource. Use the domain of the plugin and a name, as in 'nvidia.com/gpu'.",
    ],
  },
  'a synthetic device is no extended resource': {
    change: { 'spec.devices.1.extendedResource': 'example.com/nic' },
    want: [
      "spec.devices.1.extendedResource: a device with claim Synthetic is not a resource that pods can request. Remove it, or set 'claim: DRA'.",
    ],
  },
  'device names are distinct': {
    change: { 'spec.devices.1.name': 'gpu' },
    want: ["spec.devices.1.name: the name 'gpu' is listed twice, first as item 1. Rename or remove one of the two."],
  },
  'a device name is a DNS label': {
    change: { 'spec.devices.1.name': 'nic_0' },
    want: ["spec.devices.1.name: 'nic_0' is not a DNS label. Use 'nic-0'."],
  },
  'a device with claim DRA has a DeviceClass': {
    change: { 'spec.devices.0.deviceClassName': undefined },
    want: [
      "spec.devices.0.deviceClassName: the field 'deviceClassName' is missing. Set it to the DeviceClass that the driver installs, or set 'claim: Synthetic' for a device that pods never claim.",
    ],
  },
  'a driver has a name': {
    change: { 'spec.devices.0.driver': '' },
    want: ['spec.devices.0.driver: an empty text is less than the minimum of 1. Write a text, or remove the field.'],
  },
  'a count of 0 is an error': {
    change: { 'spec.devices.0.count': 0 },
    want: ['spec.devices.0.count: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'a count is at most 64': {
    change: { 'spec.devices.0.count': 65 },
    want: ['spec.devices.0.count: 65 is greater than the maximum of 64. Use at most 64.'],
  },
  'a count is a whole number': {
    change: { 'spec.devices.0.count': 1.5 },
    want: ['spec.devices.0.count: expected a whole number, got the number 1.5. Write a whole number from 1 to 64.'],
  },
  'a count beyond what numbers can hold is reported once': {
    change: { 'spec.devices.0.count': 1e20 },
    want: ['spec.devices.0.count: 100000000000000000000 is greater than the maximum of 64. Use at most 64.'],
  },
  'a count that was read exactly because it is huge is too large': {
    change: { 'spec.devices.0.count': 2n ** 60n },
    want: ['spec.devices.0.count: 1152921504606846976 is too large. Write a whole number from 1 to 64.'],
  },
  'a count is a number': {
    change: { 'spec.devices.0.count': 'three' },
    want: ['spec.devices.0.count: expected a number, got the text "three". Write a whole number from 1 to 64.'],
  },
  'what a node gives is a quantity': {
    change: { 'spec.node.allocatable.memory': '1900 Gi' },
    want: ["spec.node.allocatable.memory: '1900 Gi' is not a Kubernetes quantity. Did you mean '1900Gi'?"],
  },
  'devices stand next to the node, not in it': {
    change: { 'spec.node.allocatable.gpu': '8' },
    want: ["spec.node.allocatable.gpu: unknown field 'gpu'. Use 'cpu'."],
  },
  'a price is not negative': {
    change: { 'spec.price.perHour': -1 },
    want: ['spec.price.perHour: -1 is less than the minimum of 0. Use at least 0.'],
  },
  'a price says for how long': {
    change: { 'spec.price': {} },
    want: [
      "spec.price.perHour: the field 'perHour' is missing. Add the price of a node for an hour, in the currency of the fleet.",
    ],
  },
  'every problem is reported at once': {
    change: { 'spec.devices.0.count': 0, 'spec.devices.1.driver': undefined, 'spec.devicez': [] },
    want: [
      'spec.devices.0.count: 0 is less than the minimum of 1. Use at least 1.',
      "spec.devicez: unknown field 'devicez'. Use 'devices'.",
      "spec.devices.1.driver: the field 'driver' is missing. Add the DRA driver, also the domain of attributes without one: gpu.nvidia.com.",
    ],
  },
};

describe('InferenceClass', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceClass'), change))).toEqual(want);
  });

  test('a short document gets its defaults', () => {
    const gke = { machineType: 'g2-standard-8', accelerator: { type: 'nvidia-l4', count: 1 } };
    const gpu = { name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com' };
    const { spec } = aClass('l4', { provisioning: { provider: 'GKE', gke }, devices: [gpu] });
    expect(spec).toEqual({
      provisioning: { provider: 'GKE', gke: { ...gke, diskSizeGb: 100 } },
      devices: [{ ...gpu, claim: 'DRA', count: 1, attributes: {}, capacity: {} }],
      node: { allocatable: {} },
    });
  });

  test('a node may say what it gives of one resource only, and a price may be nothing', () => {
    const { node, price } = aClass('l4', {
      node: { allocatable: { cpu: '30' } },
      price: { perHour: 0 },
    }).spec;
    expect(node.allocatable).toEqual({ cpu: '30' });
    expect(price).toEqual({ perHour: 0, currency: 'USD' });
  });

  test('a class on Nebius gets the driver stack that every node has', () => {
    const nebius = {
      platform: 'gpu-h100-sxm',
      preset: '8gpu',
      accelerator: { type: 'nvidia-h100', count: 8 },
    };
    const { provisioning } = aClass('h100', { provisioning: { provider: 'Nebius', nebius } }).spec;
    expect(provisioning?.nebius).toEqual({ ...nebius, diskSizeGb: 100, driversPreset: 'cuda13.0' });
  });

  test('blocks of other providers are no error', () => {
    const provisioning = { ...MACHINES.GKE, ...MACHINES.EKS };
    expect(aClass('h100', { provisioning }).spec.provisioning?.provider).toBe('EKS');
  });
});
