import { SMALL, Workspace } from './cli';

const settings = (pattern = './snapshots/*.yaml'): string => `---
apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata:
  name: main
spec:
  snapshots: [${pattern}]
`;

/** As `kubectl get nodes,resourceslices -o yaml` prints two nodes with eight GPUs, the second one cordoned. */
const SNAPSHOT = `apiVersion: v1
items:
${['n1', 'n2'].map((name) => objectsOf(name)).join('')}kind: List
metadata:
  resourceVersion: ""
`;

function objectsOf(name: string): string {
  const devices = Array.from(
    { length: 8 },
    (_, i) => `    - capacity:
        memory:
          value: 81559Mi
      name: gpu-${i}
`,
  );
  return `- apiVersion: v1
  kind: Node
  metadata:
    creationTimestamp: "2026-09-01T08:00:00Z"
    labels:
      fleetwright.dev/pool: h100
    name: ${name}
  spec:
${name === 'n2' ? '    unschedulable: true\n' : '    podCIDR: 10.0.0.0/24\n'}  status:
    conditions:
    - lastHeartbeatTime: "2026-10-01T08:00:00Z"
      status: "True"
      type: Ready
- apiVersion: resource.k8s.io/v1
  kind: ResourceSlice
  metadata:
    name: ${name}-gpu
  spec:
    devices:
${devices.join('')}    driver: gpu.nvidia.com
    nodeName: ${name}
    pool:
      generation: 1
      name: ${name}
      resourceSliceCount: 1
`;
}

const TWO = SMALL.replace('replicas: 1', 'replicas: 2');
const WARNING =
  "warning: snapshots/us.yaml:67:11: pool 'h100' has 1 of 2 nodes for new replicas: n2 is cordoned. Uncordon it, and record it again.";

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

test('a plan keeps new replicas off a cordoned node, and says which snapshot it went by and how old it is', () => {
  work.write({ 'fleet.yaml': TWO + settings(), 'snapshots/us.yaml': SNAPSHOT });
  const { code, out, err } = work.run('plan ./');
  expect(err).toBe('');
  expect(code).toBe(3);
  expect(out).toContain('ml/q   1 of 2 replicas has a place');
  expect(out).toContain(WARNING);
  expect(out).toContain('note: checked against snapshots: us (2 nodes, 2 slices, 0 pods; of 2026-10-01T08:00:00Z)');
  expect(out).not.toContain('left alone');
});

test('what is placed stays when a snapshot shows fewer nodes, and the plan names it', () => {
  work.write({ 'fleet.yaml': TWO });
  expect(work.run('lock ./').code).toBe(0);
  const before = work.read('fleet.lock.yaml');
  work.write({ 'fleet.yaml': TWO + settings(), 'snapshots/us.yaml': SNAPSHOT });
  const { code, out } = work.run('plan ./');
  expect(code).toBe(0);
  expect(out).toContain('Total: 2 keep their places.');
  expect(out).toContain(
    "warning: fleet.yaml:23:7: by the snapshot, pool 'h100' has 1 node, too few for ml/q us/1. Replicas that are placed stay",
  );
  expect(work.run('lock --check ./').code).toBe(0);
  expect(work.read('fleet.lock.yaml')).toBe(before);
});

test('snapshots are found next to the manifest of the fleet, whatever folder it is in', () => {
  work.write({
    'fleet.yaml': TWO,
    'settings/main.yaml': settings('../recorded/us.*'),
    'recorded/us.2026.yaml': SNAPSHOT,
  });
  expect(work.run('plan ./').out).toContain('checked against snapshots: us');
});

const bad: Record<string, { files: Record<string, string>; want: string }> = {
  'a pattern that matches nothing': {
    files: { 'fleet.yaml': SMALL + settings() },
    want: "fleet.yaml:53:15: no file matches './snapshots/*.yaml'. Record one with 'kubectl get nodes,pods,resourceslices -A -o yaml > CLUSTER.yaml', or remove the line.",
  },
  'a file that is not there': {
    files: { 'fleet.yaml': SMALL + settings('./us.yaml') },
    want: "fleet.yaml:53:15: no file matches './us.yaml'.",
  },
  'a pattern with a star in a folder': {
    files: { 'fleet.yaml': SMALL + settings('./*/us.yaml') },
    want: "fleet.yaml:53:15: './*/us.yaml' has '*' in the name of a folder. Use '*' only in the name of the file, and a pattern for each folder.",
  },
  'a snapshot of another cluster': {
    files: { 'fleet.yaml': SMALL + settings(), 'snapshots/su.yaml': SNAPSHOT },
    want: "snapshots/su.yaml: the snapshot is of cluster 'su', which the fleet does not have. Rename it after 'us' if you meant that cluster.",
  },
  'a snapshot with a malformed slice': {
    files: {
      'fleet.yaml': SMALL + settings(),
      'snapshots/us.yaml': SNAPSHOT.replace('generation: 1', 'generation: one'),
    },
    want: 'snapshots/us.yaml:58:19: expected a number, got the text "one".',
  },
  'a snapshot that is not YAML': {
    files: { 'fleet.yaml': SMALL + settings(), 'snapshots/us.yaml': 'items: [\n' },
    want: 'snapshots/us.yaml:1:8: ',
  },
  'a snapshot of devices with less memory than their class says': {
    files: {
      'fleet.yaml': SMALL + settings(),
      'snapshots/us.yaml': SNAPSHOT.replace('81559Mi', '40Gi'),
    },
    want: "snapshots/us.yaml:25:18: device gpu-0 of node n1 publishes 40Gi as capacity 'memory', and InferenceClass 'h100' declares 81559Mi for 'gpu'. Correct the class at fleet.yaml:6:3, or declare another class for these nodes.",
  },
};

test.each(Object.entries(bad))('%s gives one clear message and changes nothing', (_, { files, want }) => {
  work.write(files);
  const before = work.files();
  const { code, out, err } = work.run('lock ./');
  expect(err.trim().split('\n')).toEqual([expect.stringContaining(want) as string]);
  expect(out).toBe('');
  expect(code).toBe(1);
  expect(work.files()).toEqual(before);
});
