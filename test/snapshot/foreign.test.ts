import { node, pod } from './build';
import { type Case, judgesAs, WIDE } from './rows';

const OTHERS = { 'fleetwright.dev/deployment': 'q' };
const RESERVE = {
  'app.kubernetes.io/managed-by': 'fleetwright',
  'app.kubernetes.io/component': 'warm-nodes',
};
const CPU = { inferenceClass: { node: { allocatable: { cpu: '8', memory: '64Gi' } } } };

const foreign: Record<string, Case> = {
  'a pod of others with a claim takes its node': {
    objects: [node('n2'), pod('p', 'n2', { spec: { resourceClaims: [{ name: 'gpu' }] } })],
    want: [1, 'n2 has a pod of another workload with devices, other/p'],
  },
  'so does one with an extended resource': {
    objects: [node('n2'), pod('p', 'n2', { requests: { 'nvidia.com/gpu': '1' } })],
    want: [1, 'n2 has a pod of another workload with devices, other/p'],
  },
  'none of an extended resource takes nothing': {
    objects: [node('n2'), pod('p', 'n2', { requests: { 'nvidia.com/gpu': '0' } })],
    want: [0],
  },
  'a pod of ours is in the lock and takes nothing more': {
    objects: [node('n2'), pod('p', 'n2', { labels: OTHERS, spec: { resourceClaims: [{ name: 'gpu' }] } })],
    want: [0],
  },
  'a pod that has ended holds nothing': {
    objects: [
      node('n2'),
      pod('p', 'n2', { spec: { resourceClaims: [{ name: 'gpu' }] }, status: { phase: 'Succeeded' } }),
    ],
    want: [0],
  },
  'where the pool reserves devices, they are what others hold': {
    objects: [node('n2'), pod('p', 'n2', { spec: { resourceClaims: [{ name: 'gpu' }] } })],
    options: { pool: { reserved: { devices: { gpu: 1 } } } },
    want: [0],
  },
  'CPU and memory of others are not counted where the class states none': {
    objects: [node('n2', WIDE), pod('p', 'n2', { requests: { cpu: '7' } })],
    want: [0],
  },
  'CPU of others that is not reserved takes the node': {
    objects: [node('n2', WIDE), pod('p', 'n2', { requests: { cpu: '500m' } })],
    options: CPU,
    want: [
      1,
      'n2 has 7500m of cpu next to pods of other workloads, and the plan expects 8000m. Raise reserved.cpu of the pool to 500m, or lower the capacity of the class.',
    ],
  },
  'CPU of a pod that keeps the node in reserve is free, because it gives way': {
    objects: [node('n2', WIDE), pod('p', 'n2', { labels: RESERVE, requests: { cpu: '6' } })],
    options: CPU,
    want: [0],
  },
  'CPU of others that is reserved does not': {
    objects: [node('n2', WIDE), pod('p', 'n2', { requests: { cpu: '500m' } })],
    options: { ...CPU, pool: { reserved: { cpu: '500m' } } },
    want: [0],
  },
  'memory counts as CPU does': {
    objects: [node('n2', WIDE), pod('p', 'n2', { requests: { memory: '1Gi' } })],
    options: CPU,
    want: [1, 'n2 has 64512Mi of memory next to pods of other workloads, and the plan expects 65536Mi'],
  },
  'a node that gives pods less than its class says does not count': {
    objects: [node('n2', { status: { allocatable: { cpu: '7910m', memory: '64Gi' } } })],
    options: CPU,
    want: [1, 'n2 has 7910m of cpu next to pods of other workloads, and the plan expects 8000m'],
  },
  'the largest step of a start counts, and sidecars next to it': {
    objects: [
      node('n2', WIDE),
      pod('p', 'n2', {
        spec: {
          initContainers: [
            { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
            { name: 'i', resources: { requests: { cpu: '2' } } },
          ],
          overhead: { cpu: '100m' },
        },
      }),
    ],
    options: CPU,
    want: [1, 'Raise reserved.cpu of the pool to 3100m'],
  },
  'sidecars run on next to the containers': {
    objects: [
      node('n2', WIDE),
      pod('p', 'n2', {
        requests: { cpu: '2' },
        spec: {
          initContainers: [{ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
        },
      }),
    ],
    options: CPU,
    want: [1, 'Raise reserved.cpu of the pool to 3000m'],
  },
  'a step of the start that has ended holds nothing': {
    objects: [
      node('n2', WIDE),
      pod('p', 'n2', {
        requests: { cpu: '2' },
        spec: { initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }] },
      }),
    ],
    options: CPU,
    want: [1, 'Raise reserved.cpu of the pool to 2000m'],
  },
  'what a pod requests as a whole wins over its containers': {
    objects: [
      node('n2', WIDE),
      pod('p', 'n2', { requests: { cpu: '2' }, spec: { resources: { requests: { cpu: '1' } } } }),
    ],
    options: CPU,
    want: [1, 'Raise reserved.cpu of the pool to 1000m'],
  },
};

test.each(Object.entries(foreign))('%s', (_, row) => judgesAs(row));
