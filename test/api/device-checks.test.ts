import type { Resource } from '../../src/api/kinds';
import { aClass, aCluster, aDeployment, aMember, anEngine, type Doc, gpus, request } from './build';
import { checkRow, type FleetRow } from './rows';

const pool = (reserved: Doc): Resource =>
  aCluster('us', { pools: { h100: { nodeCount: 1, reserved: { devices: reserved } } } });

const COUNTED = gpus(8, { extendedResource: 'nvidia.com/gpu' });

const SET = { name: 'gpu', count: 8, counters: { slices: '7' } };
const { count: _, ...uncounted } = gpus(1);
const NODE = { name: 'node', claim: 'Synthetic', driver: 'node.example.com', count: 1 };
const PARTITION = { ...uncounted, counterSet: 'gpu', placements: [{ slices: '1' }] };

const devices: Record<string, FleetRow> = {
  'a pool reserves devices of its class': { resources: [aClass('h100'), pool({ gpu: 8 })], want: [] },
  'a reserved device that the class does not have names the nearest': {
    resources: [aClass('h100'), pool({ gpus: 1, nic: 1 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpus: nodePools[h100].reserved.devices names 'gpus', and InferenceClass 'h100' has no such device. Use 'gpu'.",
      "InferenceCluster us spec.nodePools.0.reserved.devices.nic: nodePools[h100].reserved.devices names 'nic', and InferenceClass 'h100' has no such device. Use 'gpu'.",
    ],
  },
  'a reserved device is named like the device, not like its device class': {
    resources: [
      aClass('h100', { devices: [gpus(4), gpus(4, { name: 'big', deviceClassName: 'big.example.com' })] }),
      pool({ 'big.example.com': 1, nic: 1 }),
    ],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.big.example.com: nodePools[h100].reserved.devices names 'big.example.com', and InferenceClass 'h100' has no such device. Use 'big'.",
      "InferenceCluster us spec.nodePools.0.reserved.devices.nic: nodePools[h100].reserved.devices names 'nic', and InferenceClass 'h100' has no such device. Use one of gpu, big.",
    ],
  },
  'a synthetic device reserves nothing, and is not offered': {
    resources: [aClass('h100', { devices: [gpus(8), NODE] }), pool({ node: 1, nic: 1 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.node: nodePools[h100].reserved.devices names 'node', which has 'claim: Synthetic' in InferenceClass 'h100': that reserves nothing. Use 'gpu'.",
      "InferenceCluster us spec.nodePools.0.reserved.devices.nic: nodePools[h100].reserved.devices names 'nic', and InferenceClass 'h100' has no such device. Use 'gpu'.",
    ],
  },
  'a class with nothing to reserve offers nothing': {
    resources: [aClass('h100', { devices: [NODE] }), pool({ gpu: 1 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpu: nodePools[h100].reserved.devices names 'gpu', and InferenceClass 'h100' has no such device. Remove it.",
    ],
  },
  'no more is reserved than a node has': {
    resources: [aClass('h100'), pool({ gpu: 9 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpu: 9 devices 'gpu' are reserved, but InferenceClass 'h100' has 8. Reserve at most 8.",
    ],
  },
  'a partition is not reserved': {
    resources: [aClass('h100', { counterSets: [SET], devices: [PARTITION] }), pool({ gpu: 1 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpu: the device 'gpu' of InferenceClass 'h100' is a partition, which cannot be reserved. Lower the count of the counter set 'gpu'.",
    ],
  },
  'a pool without a class is reported so, and nothing about its devices': {
    resources: [pool({ gpu: 9 })],
    want: ["InferenceCluster us spec.nodePools.0.className: there is no InferenceClass 'h100'. Declare it."],
  },
  'a pod may ask for more devices than any node of any class has: it has no place, and stops no other': {
    resources: [aClass('h100'), aClass('l4', { devices: [gpus(1)] }), asking(request('gpu', 9))],
    want: [],
  },
  'devices of one device class add up': {
    resources: [aClass('h100', { devices: [gpus(8), gpus(8, { name: 'b' })] }), asking(request('gpu', 16))],
    want: [],
  },
  'a pod may ask for more devices of one device class than any node has': {
    resources: [
      aClass('h100', { devices: [gpus(8), gpus(8, { name: 'b', deviceClassName: 'other.example.com' })] }),
      asking(request('gpu', 16)),
    ],
    want: [],
  },
  'which of them match is for the selectors, whatever their number': {
    resources: [aClass('h100'), asking(request('gpu', 8, 'device.driver == "other.example.com"'))],
    want: [],
  },
  'a cluster without DRA needs a class that names an extended resource': {
    resources: [aClass('h100'), aCluster('us', { dra: false, pools: { h100: 1 } })],
    want: [
      "InferenceCluster us spec.nodePools.0.className: the cluster has 'dra: false', and InferenceClass 'h100' has no extended resource. Set extendedResource of its devices to the resource of their device plugin: nvidia.com/gpu.",
    ],
  },
  'not for every device': {
    resources: [
      aClass('h100', { devices: [COUNTED, gpus(1, { name: 'nic' })] }),
      aCluster('us', { dra: false, pools: { h100: 1 } }),
    ],
    want: [],
  },
  'a cluster that is too old for claims is reported so': {
    resources: [aClass('h100'), onVersion('us', '1.33')],
    want: [
      "InferenceCluster us spec.cluster.existing.kubernetesVersion: Kubernetes 1.33 does not serve resource.k8s.io/v1. Use 1.34 or later, or set 'dra: false'.",
    ],
  },
  'the first version with claims will do': { resources: [aClass('h100'), onVersion('us', '1.34')], want: [] },
  'it may do without them, or without pools': {
    resources: [
      aClass('h100', { devices: [COUNTED] }),
      onVersion('eu', '1.33', { dra: false }),
      onVersion('us', '1.33', { pools: {} }),
    ],
    want: [],
  },
  'a version of another form is unknown': {
    resources: [aClass('h100'), onVersion('us', 'stable')],
    want: [],
  },
  'what no cluster of a deployment has is an error where it is': {
    resources: [
      aClass('h100', { devices: [COUNTED] }),
      onVersion('a', 'v1.35.2+rke2r1'),
      onVersion('b', '1.36', { dra: false }),
      onVersion('c', '1.36', { labels: { tier: 'test' } }),
      aDeployment('ml/q', {
        clusterSelector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] },
        engines: [constrained(request('gpu', 1), [{ distinctAttribute: 'gpu.nvidia.com/numa' }])],
      }),
    ],
    want: [
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.nodeSelector.constraints.0.distinctAttribute: 'distinctAttribute' of a constraint needs DRA on Kubernetes 1.36 or later: a has Kubernetes v1.35.2+rke2r1, b has 'dra: false'. Use DRA on Kubernetes 1.36 or later there, or remove it.",
    ],
  },
  'what one of them has is none': {
    resources: [
      aClass('h100'),
      onVersion('a', '1.35'),
      onVersion('b', '1.36'),
      asking({ ...request('gpu', 1), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: [],
  },
  'a cluster without pools has nothing': {
    resources: [
      aClass('h100'),
      onVersion('a', '1.35'),
      onVersion('b', '1.36', { pools: {} }),
      asking({ ...request('gpu', 1), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: [
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.nodeSelector.devices.0.tolerations: 'tolerations' of a device request needs Kubernetes 1.36 or later: a has Kubernetes 1.35. Use Kubernetes 1.36 or later there, or remove it.",
    ],
  },
  'a configuration for a driver of no class names the nearest': {
    resources: [
      aClass('h100'),
      asking({ ...request('gpu', 1), config: [{ driver: 'gpu.nvidia.org', parameters: {} }] }),
    ],
    want: [
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.nodeSelector.devices.0.config.0.driver: no class has devices of a driver 'gpu.nvidia.org'. Use 'gpu.nvidia.com'.",
    ],
  },
  'one for a driver of some class is fine': {
    resources: [
      aClass('h100'),
      asking({ ...request('gpu', 1), config: [{ driver: 'gpu.nvidia.com', parameters: {} }] }),
    ],
    want: [],
  },
};

function constrained(device: Doc, constraints: Doc[]): Doc {
  return { name: 'main', members: [{ ...aMember(), nodeSelector: { devices: [device], constraints } }] };
}

function onVersion(name: string, kubernetesVersion: string, options: Doc = {}): Resource {
  const existing = { secretRef: { name: 'kubeconfig' }, kubernetesVersion };
  return aCluster(name, { pools: { h100: 1 }, cluster: { source: 'Existing', existing }, ...options });
}

function asking(...requests: Doc[]): Resource {
  return aDeployment('ml/q', { engines: [anEngine('main', { devices: requests })] });
}

test.each(Object.entries(devices))('checkFleet on devices: %s', (_, row) => checkRow(row));
