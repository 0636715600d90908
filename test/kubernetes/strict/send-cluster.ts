import type { Client, KubeObject } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import { templatesAsSets } from '../harness/gangs';
import { isNamespaced, isServed } from '../harness/resources';
import { openAccount } from './account';
import { misjudged } from './misjudged';
import { podsOf } from './pods';
import { applyOnce, type Faults, sendInAllWays, tryPod } from './send';
import type { Tally } from './tally';

/** Pods are refused below this level where a namespace of ours has none of its own. */
const LEVEL = 'baseline';

const ENFORCE = 'pod-security.kubernetes.io/enforce';

/** How many objects are sent at a time. */
const WIDTH = 4;

/**
 * Sends all objects of a cluster: namespaces first, then what has none, then the rest. Then what their templates
 * would become: the sets of gangs, and pods, which need the accounts that came before.
 */
export async function sendCluster(
  client: Client,
  manifests: readonly KubeObject[],
  place: string,
  tally: Tally,
): Promise<void> {
  const names = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const name of names) await openNamespace(client, `${place}-${name}`);
  const all = manifests.flatMap((manifest) => here(manifest, place, tally));
  for (const stage of [0, 1, 2]) {
    const some = all.filter((object) => stageOf(object) === stage);
    await concurrently(WIDTH, some, async (object) => tally.sent(object.kind ?? '', await send(client, object, tally)));
  }
  const sets = manifests.flatMap((manifest) => templatesAsSets(inPlace(manifest, place)));
  await concurrently(WIDTH, sets, async (set) => tally.sent('StatefulSet of a gang', await send(client, set, tally)));
  await tryPods(client, [...all, ...sets].flatMap(podsOf), tally);
}

/** Sends the first object of a form in all ways, and each that follows once. */
function send(client: Client, object: KubeObject, { forms }: Tally): Promise<Faults> {
  return forms.isNew('sent', object) ? sendInAllWays(client, object) : applyOnce(client, object);
}

/** A manifest where its cluster is; nothing, which is reported, where the API server does not know its kind. */
export function here(manifest: KubeObject, place: string, tally: Tally): KubeObject[] {
  if (isServed(manifest)) return [inPlace(manifest, place)];
  tally.unknown(manifest);
  return [];
}

/** All clusters lie in one control plane: the names of their namespaces, and of what is in none, have a prefix. */
function inPlace(manifest: KubeObject, place: string): KubeObject {
  const { metadata } = manifest;
  const namespaced = !isServed(manifest) || isNamespaced(manifest);
  return {
    ...manifest,
    metadata: namespaced
      ? { ...metadata, namespace: `${place}-${metadata.namespace}` }
      : { ...metadata, name: `${place}-${metadata.name}` },
  };
}

function stageOf(object: KubeObject): number {
  return object.kind === 'Namespace' ? 0 : isNamespaced(object) ? 2 : 1;
}

async function tryPods(client: Client, pods: readonly KubeObject[], tally: Tally): Promise<void> {
  for (const pod of pods) await openAccount(client, pod);
  const levels = await levelsOf(client, pods);
  await concurrently(WIDTH, pods, async (pod) => {
    const { faults, warning } = await tryPod(client, pod);
    const wrong = tally.forms.isNew('judged', pod) ? await misjudged(client, pod) : [];
    tally.pod([...faults, ...wrong], warning, levels.get(pod.metadata.namespace) ?? 'none');
  });
}

/** The levels of the namespaces of pods, by name. */
async function levelsOf(client: Client, pods: readonly KubeObject[]): Promise<ReadonlyMap<string | undefined, string>> {
  const levels = new Map<string | undefined, string>();
  for (const name of new Set(pods.map(({ metadata }) => metadata.namespace))) {
    const { body } = await client.get(`/api/v1/namespaces/${name}`);
    const level = body.metadata.labels?.[ENFORCE];
    if (level !== undefined) levels.set(name, level);
  }
  return levels;
}

/** Refuses pods below a level, tells of those below `restricted`, and has the account that pods need. */
async function openNamespace(client: Client, name: string): Promise<void> {
  const labels = { [ENFORCE]: LEVEL, 'pod-security.kubernetes.io/warn': 'restricted' };
  const metadata = { name, labels };
  await client.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  await client.post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
}
