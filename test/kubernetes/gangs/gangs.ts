import { loadManifests } from '../../../src/manifest/load-manifests';
import { type Client, type KubeObject, ok } from '../harness/client';
import { findCrds, installCrds } from '../harness/crds';
import { expandGang } from '../harness/gangs';
import type { Kubelet } from '../harness/kubelet';
import { deviceClassesOf, nodesOf } from '../harness/nodes';
import { onControlPlane } from '../harness/on-control-plane';
import { collection, learnKinds, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import { localCluster } from '../local-cluster';
import type { Part, Report } from '../part';
import { plan } from '../promises/plan';
import { openNamespace } from '../promises/site';

/** What a cluster with gangs of kube-scheduler turns on in Kubernetes 1.36. */
const FEATURES = { gates: ['GenericWorkload', 'GangScheduling'], apis: ['scheduling.k8s.io/v1alpha2'] };

/** kube-scheduler starts no pod of a gang while one of them has no node, where the cluster asks for that. */
export const gangs: Part = { name: 'gangs', run: () => onControlPlane(tryGangs, FEATURES) };

const SIZE = 2;

const FLEET = `${localCluster(SIZE)}---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: r1, namespace: ml }
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          bootstrap: Auto
          members:
            - role: Leader
              nodeSelector: &all { devices: [{ name: gpu, count: 8, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }] }
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [deepseek-ai/DeepSeek-R1, -tp=8, -pp=${SIZE}] }] } }
            - role: Worker
              nodeSelector: *all
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0" }] } }
`;

/** The objects of the fleet, by whether kube-scheduler starts its gang whole. */
function manifestsOf(whole: boolean) {
  const text = whole
    ? FLEET.replace('  nodePools:', '  scheduler: { type: Default, gangs: true }\n  nodePools:')
    : FLEET;
  const { fleet, clusters } = plan(loadManifests([{ path: 'fleet.yaml', text }]).resources);
  return { fleet, manifests: clusters.flatMap((cluster) => cluster.manifests) as KubeObject[] };
}

/** Whether an object is a node of this name, or a part of it. */
function isOf(node: string | undefined) {
  return ({ metadata }: KubeObject): boolean => node !== undefined && metadata.name.startsWith(node);
}

async function tryGangs(client: Client, { pods }: Kubelet): Promise<Report> {
  const { fleet, manifests } = manifestsOf(true);
  const nodes = fleet.clusters.flatMap((cluster) => nodesOf(fleet, cluster, 'gangs'));
  const [first, ...others] = nodes.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name);
  const create = async (objects: readonly KubeObject[]): Promise<void> => {
    for (const object of objects) ok(await client.post(collection(object), object), pathOf(object));
  };
  await installCrds(
    client,
    (await findCrds()).filter(({ text }) => text.includes('name: leaderworkersets.leaderworkerset.x-k8s.io')),
  );
  await learnKinds(client);
  await create([...deviceClassesOf(fleet), ...nodes.filter(isOf(first))]);
  await openNamespace(client, 'ml');
  const bound = (): number =>
    [...pods.objects.values()].filter(
      ({ spec, metadata }) => spec?.['nodeName'] && metadata.deletionTimestamp === undefined,
    ).length;

  const half = await startGang(client, pods.objects, manifestsOf(false).manifests);
  await until('half of a gang has the only node', () => bound() === 1);
  await half();
  await until('its pods are gone', () => pods.objects.size === 0);

  await startGang(client, pods.objects, manifests);
  const started = bound();
  for (const node of others) await create(nodes.filter(isOf(node)));
  await until('the whole gang has nodes', () => bound() === SIZE);
  return {
    failures: started === 0 ? [] : [`gangs: ${started} of ${SIZE} pods have a node while another has none`],
    figures: [`gangs: without a PodGroup 1 of ${SIZE} pods starts on one node, with one 0, and on ${SIZE} nodes all`],
  };
}

/**
 * Applies the objects of a gang strictly, and starts its pods as the controller of LeaderWorkerSets would. Waits until the
 * scheduler has considered all of them. Returns what deletes them.
 */
async function startGang(
  client: Client,
  pods: ReadonlyMap<string, KubeObject>,
  manifests: readonly KubeObject[],
): Promise<() => Promise<void>> {
  const strict = async (object: KubeObject): Promise<void> => {
    ok(await client.apply(pathOf(object), object, '&fieldValidation=Strict'), pathOf(object));
  };
  const needed = manifests.filter(({ kind }) => kind === 'ResourceClaimTemplate' || kind === 'PodGroup');
  const gang = manifests.find(({ kind }) => kind === 'LeaderWorkerSet');
  if (!gang) throw new Error('the plan renders no gang');
  const sets = expandGang(gang);
  for (const object of [...needed, gang, ...sets]) await strict(object);
  await until('the scheduler has considered the gang', () => {
    const all = [...pods.values()];
    return all.length === SIZE && all.every(isConsidered);
  });
  return async () => {
    for (const set of sets) await client.delete(pathOf(set), { propagationPolicy: 'Background' });
  };
}

function isConsidered({ status }: KubeObject): boolean {
  const conditions = (status?.['conditions'] ?? []) as readonly { readonly type: string }[];
  return conditions.some(({ type }) => type === 'PodScheduled');
}
