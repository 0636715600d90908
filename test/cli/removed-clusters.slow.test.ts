import { Repository } from './repository';

const deployment = (name: string, cluster = ''): string => `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: 1
  template:
    spec:
${cluster === '' ? '' : `      clusterSelector: { matchLabels: { fleetwright.dev/cluster: ${cluster} } }\n`}      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, count: 2, where: { driver: gpu.nvidia.com } }] }
              template:
                spec:
                  containers:
                    - { name: engine, image: "vllm/vllm-openai:v0.22.1", args: [Qwen/Qwen3-8B, --max-model-len=8192] }
`;

const cluster = (name: string, nodes: number, more = ''): string => `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: ${name} }
spec:
  cluster: { source: GKE, gke: { region: us-central1 } }
  nodePools: [{ name: l4, className: l4, nodeCount: ${nodes}, zones: [us-central1-a] }]
${more}`;

/** Three replicas that each take a node. */
const fleet = (...clusters: string[]): string =>
  [
    'apiVersion: fleetwright.dev/v1alpha1\nkind: InferenceClass\nmetadata: { name: l4 }\nspec: { from: gcp/g2-standard-24 }\n',
    ...clusters,
    deployment('a'),
    deployment('b'),
    deployment('c', 'us'),
  ].join('---\n');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

const TAINT = 'taints: [{ key: retired, effect: NoExecute }]';
const PLAN = 'plan ./ --against main --allow-dirty --gate';

test('a cluster of which replicas of several deployments have no other place is drained first, with room for all', () => {
  work.locked(fleet(cluster('dc', 2), cluster('us', 1)));
  work.write({ 'fleet.yaml': fleet(cluster('us', 1)) });
  const comment = work.run(`${PLAN} --markdown`).out.replaceAll('\\', '');
  expect(comment).toContain(`Drain dc first, in a change of its own, with '${TAINT}' and room for the replicas, and`);
  expect(comment).toContain('Cheapest for both replicas: 2 more nodes in us / l4 (');
  work.write({ 'fleet.yaml': fleet(cluster('dc', 2, `  ${TAINT}\n`), cluster('us', 3)) });
  work.run('lock ./');
  expect(work.run(PLAN).out).toContain('Gate: passed');
});
