import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCluster, aDeployment, aMember, byPath, type Doc, gpus, parsed } from '../../api/build';

interface Row {
  /** The class of the only pool. Default: eight GPUs, and nothing else. */
  box?: Doc;
  /** Default: 1. */
  nodes?: number;
  replicas?: number;
  gpus?: number;
  /** What the engine requests. Default: nothing. */
  requests?: Doc;
  /** The replicas with a place. Default: all. */
  placed?: number;
  want: string[];
}

const NEBIUS = { from: 'nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb' };
const STATE = "Set spec.node.allocatable to what 'kubectl get nodes -o yaml' reports as allocatable.";
const unchecked = (names: string, are = 'are') =>
  `InferenceClass box spec: ${names} of its nodes ${are} not known, so that what pods of ml/q request is not checked. ${STATE}`;
const tight = (names: string) =>
  `InferenceClass box spec.from: pods of ml/q request nearly all ${names} of its machines, of which nodes keep an unknown part. ${STATE}`;

const rows: Record<string, Row> = {
  'large requests on nodes that nothing is known about are not checked': {
    requests: { cpu: '16', memory: '200Gi' },
    want: [unchecked('CPU and memory')],
  },
  'one of the two is named alone': { requests: { memory: '200Gi' }, want: [unchecked('memory', 'is')] },
  'what the class states is checked': {
    box: { devices: [gpus(8)], node: { allocatable: { cpu: '100' } } },
    requests: { cpu: '16', memory: '200Gi' },
    want: [unchecked('memory', 'is')],
  },
  'usual requests fit on any node with GPUs': { requests: { cpu: '4', memory: '20Gi' }, want: [] },
  'more GPUs make larger requests usual': { gpus: 8, requests: { cpu: '18', memory: '104Gi' }, want: [] },
  'engines that request nothing get a floor': { replicas: 8, want: [] },
  'a pod is larger than the machine of its node': {
    box: NEBIUS,
    requests: { cpu: '250' },
    placed: 0,
    want: [],
  },
  'pods together request more than the machine has': {
    box: NEBIUS,
    replicas: 3,
    requests: { cpu: '60' },
    placed: 2,
    want: [tight('CPU')],
  },
  'a pod that takes nearly the whole machine may find no node': {
    box: NEBIUS,
    gpus: 8,
    requests: { cpu: '126', memory: '1590Gi' },
    want: [tight('CPU and memory')],
  },
  'so may pods that divide the machine': { box: NEBIUS, replicas: 8, requests: { cpu: '16' }, want: [tight('CPU')] },
  'what leaves a tenth of the machine fits': { box: NEBIUS, replicas: 8, requests: { cpu: '14' }, want: [] },
  'where only some pods of that size run, they fit too': {
    box: NEBIUS,
    nodes: 2,
    replicas: 4,
    requests: { cpu: '16' },
    want: [],
  },
  'a floor is far from what a machine has': { box: NEBIUS, replicas: 8, want: [] },
  'of a stated amount, all counts': {
    box: { ...NEBIUS, node: { allocatable: { cpu: '128', memory: '1600Gi' } } },
    replicas: 8,
    requests: { cpu: '16' },
    want: [],
  },
  'an estimate is enough': { box: { from: 'aws/p5.48xlarge' }, gpus: 8, requests: { cpu: '191' }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, row) => {
  const {
    box = { devices: [gpus(8)] },
    nodes = 1,
    replicas = 1,
    gpus: count = 1,
    requests = {},
    placed = replicas,
  } = row;
  const container = {
    name: 'engine',
    image: 'vllm/vllm-openai:v0.11.0',
    args: ['Qwen/Qwen3-8B'],
    resources: { requests },
  };
  const members = [aMember({ gpus: count, template: { spec: { containers: [container] } } })];
  const fleet = assemble([
    parsed('InferenceClass', 'box', box),
    aCluster('us', { pools: { box: nodes }, labels: { 'fleetwright.dev/provider': 'house' } }),
    aDeployment('ml/q', { replicas, engines: [{ name: 'main', members }] }),
  ]);
  const { schedule, plan } = decide(fleet, byPath, EMPTY_LOCK);
  expect(schedule.placements).toHaveLength(placed);
  const found = plan.warnings.filter(({ code }) => code === 'unknown-allocatable');
  expect(found.map(formatDiagnostic)).toEqual(row.want);
});
