import type { Client, KubeObject } from '../harness/client';
import { sleep } from '../harness/concurrently';
import type { Random } from '../harness/random';
import type { Site } from './site';

/** What happens to clusters while they work. Each returns once it is asked for, not once it is over. */
const DISTURBANCES: readonly ((site: Site, client: Client, random: Random) => Promise<unknown>)[] = [
  deletePod,
  deletePod,
  evictPod,
  restartGang,
  recreateWorkload,
  deleteAllPods,
  scaleDownAndUp,
  rollOut,
  rollOut,
];

/** Disturbs a cluster a few times, at moments that have nothing to do with what it is at. */
export async function disturb(site: Site, client: Client, random: Random): Promise<number> {
  const times = 2 + random.below(5);
  for (let i = 0; i < times; i++) {
    await sleep(random.below(400));
    await random.pick(DISTURBANCES)(site, client, random);
  }
  return times;
}

async function deletePod(site: Site, client: Client, random: Random): Promise<void> {
  const pods = site.podsHere();
  if (pods.length > 0) await client.delete(podPath(random.pick(pods)));
}

async function evictPod(site: Site, client: Client, random: Random): Promise<void> {
  const pods = site.podsHere();
  if (pods.length === 0) return;
  const pod = random.pick(pods);
  await client.post(`${podPath(pod)}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod.metadata.name, namespace: pod.metadata.namespace },
  });
}

/** What the controller of LeaderWorkerSets does when one pod of a group restarts: the whole group begins anew. */
async function restartGang(site: Site, client: Client, random: Random): Promise<void> {
  const name = 'leaderworkerset.sigs.k8s.io/name';
  const members = site.podsHere().filter(({ metadata }) => metadata.labels?.[name] !== undefined);
  if (members.length === 0) return;
  const group = groupOf(random.pick(members));
  await Promise.all(members.filter((pod) => groupOf(pod) === group).map((pod) => client.delete(podPath(pod))));
}

/** `NAME-G` of the leader `NAME-G` and of its workers `NAME-G-i`. */
function groupOf({ metadata: { name, namespace, labels } }: KubeObject): string {
  const leader = labels?.['leaderworkerset.sigs.k8s.io/worker-index'] === '0';
  return `${namespace}/${leader ? name : name.replace(/-\d+$/, '')}`;
}

async function recreateWorkload(site: Site, _: Client, random: Random): Promise<void> {
  const workloads = site.workloads();
  if (workloads.length === 0) return;
  const workload = random.pick(workloads);
  await site.remove(workload, random.percent(50) ? 'Background' : 'Foreground');
  await site.apply(workload);
}

async function deleteAllPods(site: Site, client: Client): Promise<void> {
  await Promise.all(site.podsHere().map((pod) => client.delete(podPath(pod))));
}

async function scaleDownAndUp(site: Site, _: Client, random: Random): Promise<void> {
  const workloads = site.workloads();
  if (workloads.length === 0) return;
  const workload = random.pick(workloads);
  await site.apply({ ...workload, spec: { ...workload.spec, replicas: 0 } });
  await sleep(random.below(200));
  await site.apply(workload);
}

/** Changes what a Deployment runs: every pod is replaced, on pools that may be full. */
async function rollOut(site: Site, _: Client, random: Random): Promise<void> {
  const deployments = site.workloads().filter(({ kind }) => kind === 'Deployment');
  if (deployments.length === 0) return;
  const workload = random.pick(deployments);
  const template = workload.spec?.['template'] as KubeObject;
  const annotations = { 'example.com/revision': String(random.below(1_000_000)) };
  const metadata = { ...template.metadata, annotations };
  await site.apply({ ...workload, spec: { ...workload.spec, template: { ...template, metadata } } });
}

function podPath({ metadata: { namespace, name } }: KubeObject): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}
