import { findPodSpecs } from '../../../src/manifest/kubernetes/manifest';
import { strictestLevelOf } from '../../../src/render/pod/pod-security-standards';
import type { Client, KubeObject } from '../harness/client';
import { collection } from '../harness/resources';
import { openAccount } from './account';

const LEVELS = ['baseline', 'restricted'] as const;

/** Makes a namespace for each level of the Pod Security Standards, in which pods are tried. */
export async function openLevels(client: Client): Promise<void> {
  for (const level of LEVELS) {
    const labels = { 'pod-security.kubernetes.io/enforce': level };
    const metadata = { name: `level-${level}`, labels };
    await client.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    await client.post(`/api/v1/namespaces/level-${level}/serviceaccounts`, { metadata: { name: 'default' } });
  }
}

/** Where the API server and we disagree on which levels a pod passes: ours is to be the strictest. */
export async function misjudged(client: Client, pod: KubeObject): Promise<string[]> {
  const ours = strictestLevelOf(findPodSpecs(pod.spec));
  const passes = { privileged: [], baseline: ['baseline'], restricted: [...LEVELS] }[ours] as string[];
  const faults: string[] = [];
  for (const level of LEVELS) {
    const there = { ...pod, metadata: { ...pod.metadata, namespace: `level-${level}` } };
    await openAccount(client, there);
    const { status, body } = await client.post(`${collection(there)}?dryRun=All`, there);
    const refused = status === 403 && JSON.stringify(body).includes('violates PodSecurity');
    if (refused !== passes.includes(level)) continue;
    faults.push(`Pod ${pod.metadata.name}: we call it ${ours}, and level ${level} ${refused ? 'refuses' : 'takes'} it`);
  }
  return faults;
}
