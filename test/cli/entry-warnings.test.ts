import { Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const HARDWARE = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec: { from: gcp/g2-standard-4 }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: us }
spec:
  cluster: { source: Existing, existing: { context: us } }
  gateway: { reach: Cluster }
  nodePools: [{ name: l4, className: l4, nodeCount: 4 }]
---
`;

function deployment(name: string, fields = 'replicas: 1'): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  ${fields}
  template:
    metadata: { labels: { track: ${name} } }
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, where: { driver: gpu.nvidia.com } }] }
              template: { spec: { containers: [{ name: engine, image: 'vllm/vllm-openai:v0.23.0', args: [Qwen/Qwen3-8B, --max-model-len=4096] }] } }
---
`;
}

function serviceOf(...tracks: string[]): string {
  const entries = tracks.map((track) => `{ selector: { matchLabels: { track: ${track} } } }`).join(', ');
  return `apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec: { endpoints: [${entries}] }
`;
}

const STABLE = deployment('stable');
const CANARY = deployment('canary');
const HINT = 'the entry selects nothing, so it gets no requests. Did you mean track: stable?';
const DOUBT = HINT.replace('?', ', or is the label of ModelDeployment ml/stable misspelled?');

const rows: Record<string, { files: string; want: string[] }> = {
  'a misspelt label of one entry': { files: STABLE + CANARY + serviceOf('stabel', 'canary'), want: [DOUBT] },
  'a misspelt label of which another entry selects the nearest': {
    files: deployment('v1') + deployment('v2') + serviceOf('v1', 'v3'),
    want: [
      'the entry selects nothing, so it gets no requests. Did you mean track: v2, or is the label of ModelDeployment ml/v2 misspelled?',
    ],
  },
  'a label of which other entries select all that is like it': {
    files: deployment('v1') + serviceOf('v1', 'v3'),
    want: [
      'the entry selects nothing, so it gets no requests. Correct the selector, or label a deployment or an endpoint. Labels that exist: track: v1.',
    ],
  },
  'a misspelt label whose nearest is on a deployment without its other labels': {
    files:
      deployment('v1') +
      deployment('v4').replace('{ track: v4 }', '{ track: v4, app: other }') +
      serviceOf('v1', 'v3').replace('{ track: v3 }', '{ track: v3, app: chat }') +
      deployment('chat').replace('{ track: chat }', '{ app: chat }').replace(/^/, '---\n'),
    want: [
      'the entry selects nothing, so it gets no requests. Correct the selector, or label a deployment or an endpoint. Labels that exist: track: v1, track: v4.',
    ],
  },
  'a misspelt key on the deployment': {
    files: deployment('v1').replace('{ track: v1 }', '{ trak: v1 }') + deployment('v2') + serviceOf('v1', 'v2'),
    want: [
      'the entry selects nothing, so it gets no requests. ModelDeployment ml/v1 has trak: v1. Rename it to track.',
    ],
  },
  'a misspelt key of the entry': {
    files: STABLE + CANARY + serviceOf('stable', 'canary').replace('{ track: stable }', '{ trak: stable }'),
    want: [HINT],
  },
  'no entry of a deployment that has errors': {
    files: deployment('stable', 'replica: 1') + CANARY + serviceOf('stable', 'canary'),
    want: [],
  },
  'nor of one whose engine does not start': {
    files: STABLE.replace('4096', '4096, -tp=2') + CANARY + serviceOf('stable', 'canary'),
    want: [],
  },
};

describe.each(['plan', 'validate'])('%s warns of', (command) => {
  test.each(Object.entries(rows))('%s', (_, { files, want }) => {
    work.write({ 'fleet.yaml': HARDWARE + files });
    const { out, err } = work.run(`${command} ./fleet.yaml`);
    const found = `${out}\n${err}`.split('\n').filter((line) => line.includes('the entry selects nothing'));
    expect(found.map((line) => line.replace(/^.*(?=the entry)/, ''))).toEqual(want);
  });
});
