import { compileFleet } from '../../src/plan/compile-fleet';
import { renderSharedMemory } from '../../src/render/pod/shared-memory';
import { computeReplicas } from '../../src/replicas/compute-replicas';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { schedule } from '../../src/scheduler/schedule';
import { digestShape } from '../../src/scheduler/shape-digest';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, MACHINES, request } from '../api/build';
import { fleetOf } from '../scheduler/build';

interface Case {
  /** The class `box`, without its eight GPUs. */
  box?: Doc;
  /** The engine without its members. */
  engine?: Doc;
  members?: Doc[];
  /** The resources of the only container. */
  resources?: Doc;
  gpus?: number;
  /** The requests of the engine's container in each member. */
  want: Doc[];
}

const NEBIUS = {
  provider: 'Nebius',
  nebius: {
    platform: 'gpu-h100-sxm',
    preset: '8gpu-128vcpu-1600gb',
    accelerator: { type: 'nvidia-h100', count: 8 },
  },
};

const cases: Record<string, Case> = {
  'a node that nothing is known about gets a floor: a core for each process, memory for each GPU': {
    want: [{ cpu: '3', memory: '6Gi' }],
  },
  'each GPU raises the floor': { gpus: 8, want: [{ cpu: '10', memory: '34Gi' }] },
  'a runtime with fewer processes needs fewer cores': {
    engine: { runtime: 'LlamaCpp' },
    want: [{ cpu: '2', memory: '6Gi' }],
  },
  'devices without memory, such as network cards, do not raise the floor': {
    box: {
      devices: [gpus(8), gpus(8, { name: 'nic', driver: 'nic.example.com', deviceClassName: 'nic', capacity: {} })],
    },
    members: [
      aMember({
        devices: [request('gpu', 1), request('nic', 1, 'device.driver == "nic.example.com"')],
      }),
    ],
    want: [{ cpu: '3', memory: '6Gi' }],
  },
  'a request of the user wins, and the other amount is filled in': {
    resources: { requests: { cpu: '500m' } },
    want: [{ cpu: '500m', memory: '6Gi' }],
  },
  'so does a limit, which counts as a request': {
    resources: { limits: { memory: '4Gi' } },
    want: [{ cpu: '3', memory: '4Gi' }],
  },
  'an amount that the class states is shared by devices, and the other gets its floor': {
    box: { node: { allocatable: { cpu: '100' } } },
    want: [{ cpu: '11250m', memory: '6Gi' }],
  },
  'a machine of the catalog that the class names gives its share': {
    box: { provisioning: MACHINES.EKS },
    gpus: 8,
    want: [{ cpu: '172305m', memory: '1743084Mi' }],
  },
  'a share of memory is a whole number of Mi, rounded down': {
    box: { node: { allocatable: { cpu: '8', memory: '53750000Ki' } } },
    want: [{ cpu: '900m', memory: '5905Mi' }],
  },
  'a machine of which nodes keep an unknown part gives no share, but a floor': {
    box: { provisioning: NEBIUS },
    want: [{ cpu: '3', memory: '6Gi' }],
  },
  'a member without devices on an unknown node gets the floor of its processes': {
    members: [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', worker: { nodes: 1 } })],
    want: [
      { cpu: '2', memory: '2Gi' },
      { cpu: '3', memory: '6Gi' },
    ],
  },
  'a member without devices takes a hundredth of a known node at most': {
    box: { node: { allocatable: { cpu: '40', memory: '4000Gi' } } },
    members: [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', gpus: 8, worker: { nodes: 1 } })],
    want: [
      { cpu: '400m', memory: '2Gi' },
      { cpu: '36', memory: '3600Gi' },
    ],
  },
};

function placed({ box = {}, engine = {}, members, resources = {}, gpus: count = 1 }: Omit<Case, 'want'>) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: ['Qwen/Qwen3-8B'], resources };
  const only = [aMember({ gpus: count, template: { spec: { containers: [container] } } })];
  const deployment = aDeployment('ml/q', { engines: [{ name: 'main', members: members ?? only, ...engine }] });
  const fleet = fleetOf(aClass('box', box), aCluster('us', { pools: { box: 2 } }), deployment);
  const model = compileFleet(fleet, byPath);
  const matcher = new PodMatcher();
  const { placements } = schedule(model, [], matcher);
  const [replica] = computeReplicas(fleet, model, matcher, placements);
  return { shape: digestShape(deployment.spec.template.spec.engines), members: replica?.engines[0]?.members ?? [] };
}

describe('default requests of engines', () => {
  test.each(Object.entries(cases))('%s', (_, { want, ...options }) => {
    expect(placed(options).members.map(({ requests }) => requests)).toEqual(want);
  });

  test('are no part of the shape that a lock names, so that the replicas of a lock stay', () => {
    const shapes = [{}, { resources: { requests: { cpu: '9' } } }, { box: { provisioning: MACHINES.EKS } }];
    expect(new Set(shapes.map((options) => placed(options).shape)).size).toBe(1);
  });

  test('bound shared memory by a share of the node, but not by a floor', () => {
    const sizes = [{}, { box: { provisioning: MACHINES.EKS } }].map((options) =>
      placed(options).members.map((member) => renderSharedMemory(member).volume),
    );
    expect(sizes).toEqual([
      [{ name: 'shared-memory', emptyDir: { medium: 'Memory' } }],
      [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '108942Mi' } }],
    ]);
  });
});
