import { loadManifests } from '../../../src/manifest/load-manifests';
import { type Client, type KubeObject, ok } from '../harness/client';
import type { Kubelet } from '../harness/kubelet';
import { deviceClassesOf, nodesOf } from '../harness/nodes';
import { onControlPlane } from '../harness/on-control-plane';
import { collection, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import { localCluster } from '../local-cluster';
import type { Part, Report } from '../part';
import { plan } from '../promises/plan';
import { openNamespace } from '../promises/site';

/** Pods that keep nodes in reserve give way to pods of engines, which claim devices, and return when those are gone. */
export const warm: Part = { name: 'warm', run: () => onControlPlane(tryNodes) };

const COPIES = 2;

const FLEET = `${localCluster(COPIES).replace(`nodeCount: ${COPIES}`, `nodeCount: 1, maxNodeCount: ${COPIES}, overprovision: 1`)}---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: q, namespace: ml }
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          copies: ${COPIES}
          members:
            - nodeSelector:
                devices: [{ name: gpu, count: 8, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }]
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, -tp=8] }] } }
`;

async function tryNodes(client: Client, { pods }: Kubelet): Promise<Report> {
  const { fleet, clusters } = plan(loadManifests([{ path: 'fleet.yaml', text: FLEET }]).resources);
  const manifests = clusters.flatMap((cluster) => cluster.manifests) as KubeObject[];
  const nodes = fleet.clusters.flatMap((cluster) => nodesOf(fleet, cluster, 'warm'));
  for (const object of [...deviceClassesOf(fleet), ...nodes])
    ok(await client.post(collection(object), object), 'a node');
  for (const name of ['ml', 'fleetwright-system']) await openNamespace(client, name);
  const apply = async (kind: string, namespace?: string): Promise<void> => {
    const wanted = manifests.filter((one) => one.kind === kind && one.metadata.namespace === namespace);
    for (const object of wanted) ok(await client.apply(pathOf(object), object), pathOf(object));
  };
  const bound = (namespace: string): number =>
    [...pods.objects.values()].filter(
      ({ metadata, spec }) =>
        metadata.namespace === namespace && spec?.['nodeName'] && metadata.deletionTimestamp === undefined,
    ).length;

  await apply('PriorityClass');
  await apply('Deployment', 'fleetwright-system');
  await until('a pod keeps a node', () => bound('fleetwright-system') === 1);
  await apply('ResourceClaimTemplate', 'ml');
  await apply('Deployment', 'ml');
  await until('engines have all nodes', () => bound('ml') === COPIES && bound('fleetwright-system') === 0);
  const engines = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.namespace === 'ml');
  if (!engines) throw new Error('the plan renders no engine');
  ok(await client.patch(pathOf(engines), { spec: { replicas: COPIES - 1 } }), 'one copy less');
  await until('a pod keeps the node again', () => bound('fleetwright-system') === 1);
  return {
    failures: [],
    figures: [`warm: engines take ${COPIES} of ${COPIES} nodes, and the one that is left is kept again`],
  };
}
