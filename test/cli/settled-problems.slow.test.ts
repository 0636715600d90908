import { Repository } from './repository';

const deployment = (name: string, replicas: number, image = 'v0.22.1'): string => `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: ${replicas}
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, count: 1, where: { driver: gpu.nvidia.com } }] }
              template:
                spec:
                  containers:
                    - { name: engine, image: "vllm/vllm-openai:${image}", args: [Qwen/Qwen3-8B, --max-model-len=8192] }
`;

/** A pool of nodes with two GPUs for five replicas. */
const fleet = (nodes: number, image?: string): string =>
  [
    `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec: { from: gcp/g2-standard-24 }
`,
    `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: us }
spec:
  cluster: { source: GKE, gke: { region: us-central1 } }
  nodePools: [{ name: l4, className: l4, nodeCount: ${nodes}, zones: [us-central1-a] }]
`,
    deployment('a', 3, image),
    deployment('b', 2),
  ].join('---\n');

const cluster = (name: string): string => `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: ${name} }
spec:
  cluster: { source: GKE, gke: { region: us-central1 } }
  monitoring: { prometheus: { serverAddress: "http://prometheus.monitoring:9090" } }
  nodePools: [{ name: l4, className: l4, nodeCount: 1, zones: [us-central1-a] }]
`;

/** A deployment on the first cluster, whose replicas are two pods of a GPU each. */
const pinned = (replicas: number): string =>
  deployment('pinned', replicas)
    .replace(
      '      engines:',
      '      clusterSelector: { matchLabels: { fleetwright.dev/cluster: one } }\n      engines:',
    )
    .replace('name: main', 'name: main\n          copies: 2');

/** A node of four GPUs on each of two clusters, and a replica on each that scales to more GPUs. */
const scaled = (max: number, others: number): string =>
  [
    `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec: { from: gcp/g2-standard-48 }
`,
    cluster('one'),
    cluster('two'),
    deployment('scaled', 2).replace(
      'name: main',
      `name: main\n          copies: { min: 1, max: ${max} }\n          scaling: { on: [{ queue: 4 }] }`,
    ),
    pinned(others),
  ].join('---\n');

/** Two nodes of four GPUs, for a replica that takes one whole, and for others that a packing scheduler has to arrange. */
const packed = (a: number, c: number): string =>
  [
    `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec: { from: gcp/g2-standard-48 }
`,
    cluster('us').replace('nodeCount: 1', 'nodeCount: 2'),
    deployment('a', a),
    deployment('b', 1).replace('count: 1', 'count: 4').replace('--max', '--tensor-parallel-size=4, --max'),
    deployment('c', c),
  ].join('---\n');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

const JOINT = 'Solves both problems: keep 3 nodes in us / l4 instead of 2 (edit 1)';

test.each<[string, string, boolean]>([
  ['the nodes that give replicas a place and keep another deployment serving are said once', fleet(2), true],
  ['they solve one problem only where that restarts for an edit of its own', fleet(2, 'v0.23.0'), false],
])('%s', (_, after, isJoint) => {
  work.locked(fleet(4));
  work.write({ 'fleet.yaml': after });
  const plan = 'plan ./ --against main --allow-dirty --gate --no-waves';
  const comment = work.run(`${plan} --markdown`).out.replaceAll('\\', '');
  expect(comment).toContain('refused, 2 problems');
  expect(comment.includes(`\n- **${JOINT}.**\n- :x: **`)).toBe(isJoint);
  expect(comment.includes('keep 3 nodes', comment.indexOf(JOINT) + JOINT.length)).toBe(false);
  expect(comment.includes('\n  For this problem alone')).toBe(isJoint);
  const { err } = work.run(plan);
  expect(err.startsWith(`${JOINT.replace('edit 1', 'fleet.yaml:11:53')}.\nrefused: `)).toBe(isJoint);
  expect(err.includes(' For this problem alone: ')).toBe(isJoint);
  expect(comment.includes('It solves this problem only.')).toBe(!isJoint);
});

test('without waves, the gate says whether there is room for a surge of all replicas', () => {
  work.locked(fleet(4));
  work.write({ 'fleet.yaml': fleet(4, 'v0.23.0') });
  const { err } = work.run('plan ./ --against main --allow-dirty --gate --no-waves');
  expect(err).toContain("\n  - Set 'rollout.surge: 1', for which there is room (cost unchanged; ");
});

test('a remedy for which replicas of another deployment lose their place says so', () => {
  work.locked(scaled(2, 1));
  work.write({ 'fleet.yaml': scaled(3, 2) });
  const plan = 'plan ./ --against main --allow-dirty --gate';
  const comment = work.run(`${plan} --markdown`).out.replaceAll('\\', '');
  expect(comment).toMatch(
    /- Lower copies\.max .*\. That is below the 2 before this change\. Then, 1 replica of ml\/pinned has no place instead\.\n/,
  );
  expect(comment).toMatch(/Do one of these:\n {2}- Add 1 more node in /);
});

test.each<[string, string]>([
  ['a change of packing that restarts its deployment', packed(2, 0)],
  ['a change of packing that restarts another deployment', packed(1, 1)],
])('%s with downtime says that the gate refuses it', (_, after) => {
  work.locked(packed(1, 0));
  work.write({ 'fleet.yaml': after });
  const comment = work.run('plan ./ --against main --allow-dirty --gate --markdown').out.replaceAll('\\', '');
  const refused = 'The gate then refuses the change, because ml\\/a has no serving replica for about ';
  expect(comment).toMatch(new RegExp(`\n {2}- (Set|First set) packing: BinPack on us / l4.*\\. ${refused}`));
  expect(comment).toMatch(/Do one of these:\n {2}- Add 1 more node in /);
});
