import { loadManifests } from '../../../src/manifest/load-manifests';
import { type Client, type Doc, type KubeObject, ok } from '../harness/client';
import type { ControlPlane } from '../harness/control-plane';
import { collection, isServed, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import { plan } from '../promises/plan';
import type { Desk } from './desk';
import { FLEET } from './fleet';
import type { Verdicts } from './verdicts';

const NODE = '/api/v1/nodes/live-h100-0';

const PODS = '/api/v1/namespaces/ml/pods';

/** Runs a fleet, and asks `status` about it while one thing after the other goes wrong. */
export async function statusTrial({ client }: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  const fleet = desk.path('fleet');
  const locked = await desk.run('lock', fleet);
  verdicts.check('the fleet is locked', locked.code === 0, locked.out);
  const { resources } = loadManifests([{ path: 'fleet.yaml', text: FLEET }]);
  const manifests = plan(resources).clusters.flatMap((one) => one.manifests);
  const empty = await desk.run('status', fleet);
  verdicts.check(
    'nothing is applied yet',
    empty.code === 6 &&
      empty.out.includes('0 of 2 replicas serving') &&
      empty.out.includes('missing   ml/q/0: 1 pod missing.'),
    empty.out,
  );
  for (const manifest of manifests.filter(isServed)) await apply(client, manifest);
  await served(client, 2);
  await onFresh(desk, verdicts);
  await onDrift(client, manifests, desk, verdicts);
  await onWaiting(client, desk, verdicts);
  await onSnapshot(desk, verdicts);
  const lost = await desk.run('status', fleet, '--context', 'local=nowhere');
  verdicts.check(
    'a cluster without a context is a row',
    lost.code === 6 && lost.out.includes("local   not reached: the kubeconfig has no context 'nowhere'"),
    lost.out,
  );
}

async function onFresh(desk: Desk, verdicts: Verdicts): Promise<void> {
  const { code, out } = await desk.run('status', desk.path('fleet'));
  const pending = out.includes('route     Gateway fleetwright-system/') && out.includes(' pending.');
  const well = code === 0 && out.includes('2 of 2 replicas serving') && !out.includes('drift');
  verdicts.check('what was applied is as it was rendered', well && pending, out);
}

async function onDrift(
  client: Client,
  manifests: readonly KubeObject[],
  desk: Desk,
  verdicts: Verdicts,
): Promise<void> {
  const of = (kind: string): KubeObject => manifests.find((one) => one.kind === kind)!;
  const [workload, policy] = [of('Deployment'), of('NetworkPolicy')];
  ok(await client.patch(pathOf(workload), { spec: { progressDeadlineSeconds: 12 } }), 'a drift');
  ok(await client.patch(pathOf(workload), { metadata: { annotations: { 'not-ours': 'x' } } }), 'an addition');
  ok(await client.delete(pathOf(policy)), 'a removal');
  const { code, out } = await desk.run('status', desk.path('fleet'), '--quiet');
  const wanted = [
    `drift     Deployment ml/${workload.metadata.name}: metadata.annotations.not-ours is x and is not declared (set by `,
    `; spec.progressDeadlineSeconds is 12, not ${workload.spec?.['progressDeadlineSeconds']} (set by `,
    `drift     NetworkPolicy ${policy.metadata.namespace}/${policy.metadata.name} is not there.`,
  ];
  const reported = wanted.every((line) => out.includes(line)) && out.match(/drift/g)?.length === 2;
  verdicts.check('objects that were changed are named with their fields', code === 6 && reported, out);
  ok(await client.patch(pathOf(workload), { metadata: { annotations: { 'not-ours': null } } }), 'its removal');
  for (const manifest of [workload, policy]) await apply(client, manifest);
  await onFresh(desk, verdicts);
}

/** A node is closed, and a pod that stood there finds no other. */
async function onWaiting(client: Client, desk: Desk, verdicts: Verdicts): Promise<void> {
  ok(await client.patch(NODE, { spec: { unschedulable: true } }), 'a cordon');
  const there = (await pods(client)).find(({ spec }) => spec?.['nodeName'] === 'live-h100-0')!;
  ok(await client.delete(`${PODS}/${there.metadata.name}`), 'the removal of a pod');
  await until('a pod waits for a node', async () => (await pods(client)).some(isRefused));
  const waiting = (await pods(client)).find(isRefused)!;
  await tellStockout(client, waiting);
  const { code, out } = await desk.run('status', desk.path('fleet'), '--quiet');
  const wanted = [
    /no-node {3}ml\/q\/\d: 0\/2 nodes are available: .*1 node\(s\) were unschedulable/,
    /stockout {2}pool 'h100' in us-central1-a: Node scale up in zones us-central1-a/,
    /nodes {5}pool 'h100' has 1 of 2 nodes for pods: live-h100-0 is cordoned\. Uncordon it\./,
    /1 of 2 replicas serving\./,
  ];
  verdicts.check('a pod without a node, and why', code === 6 && wanted.every((one) => one.test(out)), out);
}

async function onSnapshot(desk: Desk, verdicts: Verdicts): Promise<void> {
  await desk.run('status', desk.path('fleet'), '--snapshot', desk.path('fleet/snapshots'));
  desk.write(
    'fleet/settings.yaml',
    'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec: { snapshots: [./snapshots/*.yaml] }\n',
  );
  const { out } = await desk.run('plan', desk.path('fleet'));
  const judged = /checked against snapshots: local \(2 nodes, 2 slices, 2 pods; of \d{4}-/.test(out);
  const lost = out.includes("pool 'h100' has 1 of 2 nodes for new replicas: live-h100-0 is cordoned");
  verdicts.check('the plan reads the snapshot that status wrote', judged && lost, out);
  desk.delete('fleet/settings.yaml');
}

async function tellStockout(client: Client, pod: KubeObject): Promise<void> {
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'stockout', namespace: 'ml' },
    involvedObject: { kind: 'Pod', namespace: 'ml', name: pod.metadata.name },
    reason: 'FailedScaleUp',
    message:
      'Node scale up in zones us-central1-a associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.',
    type: 'Warning',
    lastTimestamp: new Date().toISOString(),
  };
  ok(await client.post(collection(event), event), 'an event');
}

async function apply(client: Client, object: KubeObject): Promise<void> {
  ok(await client.apply(pathOf(object), object), pathOf(object));
}

async function pods(client: Client): Promise<readonly KubeObject[]> {
  return ok(await client.get<{ items: KubeObject[] }>(PODS), PODS).items;
}

async function served(client: Client, count: number): Promise<void> {
  await until(`${count} pods serve`, async () => {
    const ready = (await pods(client)).filter((pod) => conditionOf(pod, 'Ready') === 'True');
    return ready.length === count;
  });
}

function isRefused(pod: KubeObject): boolean {
  return conditionOf(pod, 'PodScheduled') === 'False';
}

function conditionOf({ status }: KubeObject, type: string): unknown {
  const conditions = (status?.['conditions'] ?? []) as Doc[];
  return conditions.find((one) => one['type'] === type)?.['status'];
}
