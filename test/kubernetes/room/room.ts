import { type Client, type KubeObject, ok } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import type { Kubelet } from '../harness/kubelet';
import { nodesOf } from '../harness/nodes';
import { onControlPlane } from '../harness/on-control-plane';
import { collection, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import type { Part, Report } from '../part';
import { plan } from '../promises/plan';
import { openNamespace } from '../promises/site';
import { decided } from '../promises/trial';
import { podsOf } from '../strict/pods';
import { declared } from './declared';
import { type Row, ROWS } from './rows';

/** The room that the plan counts for a pod with all its containers is the room that it takes. */
export const room: Part = { name: 'room', run: () => onControlPlane(tryRows) };

const NAMESPACE = 'room';

async function tryRows(client: Client, { pods }: Kubelet): Promise<Report> {
  await openNamespace(client, NAMESPACE);
  const failures: string[] = [];
  for (const [i, [name, row]] of Object.entries(ROWS).entries()) {
    const wrong = await tryRow({ client, pods }, row, `room-${i}`);
    if (wrong !== undefined) failures.push(`${name}: ${wrong}`);
  }
  const count = Object.keys(ROWS).length;
  return { figures: [`room: ${count - failures.length} of ${count} rows as expected`], failures };
}

type Cluster = { readonly client: Client; readonly pods: Kubelet['pods'] };

/** Fills a node with what the plan promises, which has to be bound, and tries one replica more, which must not be. */
async function tryRow(cluster: Cluster, row: Row, name: string): Promise<string | undefined> {
  const { fleet, schedule, clusters } = plan(declared(row, name));
  const placed = schedule.placements.length;
  if (placed !== row.want) return `the plan places ${placed} (expected ${row.want})`;
  for (const { cluster: one } of clusters) {
    for (const node of nodesOf(fleet, one, name)) {
      ok(await cluster.client.post(collection(node), node), pathOf(node));
    }
  }
  const promised = clusters
    .flatMap(({ manifests }) => manifests.flatMap(podsOf))
    .filter(inPool(name))
    .map(inNamespace);
  const bound = await make(cluster, promised);
  if (bound < promised.length) return `${bound} of ${promised.length} pods that the plan promises are bound`;
  const more = promised.slice(0, promised.length / placed).map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, name: `${pod.metadata.name}-more` },
  }));
  return (await make(cluster, more)) < more.length ? undefined : `a node holds more than ${placed}`;
}

/** Whether a pod runs in the pool: those that lead requests to replicas run on any node. */
function inPool(name: string): (pod: KubeObject) => boolean {
  return ({ spec }) => `${name}.test/pool` in ((spec?.['nodeSelector'] ?? {}) as object);
}

function inNamespace(pod: KubeObject): KubeObject {
  return { ...pod, metadata: { ...pod.metadata, namespace: NAMESPACE } };
}

/** Makes pods, waits until the scheduler has looked at each, and says how many it bound. */
async function make({ client, pods: watch }: Cluster, pods: readonly KubeObject[]): Promise<number> {
  await concurrently(8, pods, async (pod) => ok(await client.post(collection(pod), pod), pathOf(pod)));
  const current = (): KubeObject[] =>
    pods.flatMap(({ metadata }) => watch.objects.get(`${metadata.namespace}/${metadata.name}`) ?? []);
  await until(
    `the scheduler has decided on ${pods[0]?.metadata.name} and its like`,
    () => current().length === pods.length && current().every(decided),
  );
  return current().filter(({ spec }) => spec?.['nodeName']).length;
}
