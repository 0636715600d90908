import type { Client, KubeObject } from '../harness/client';

/**
 * Makes what a pod names and a user brings: its account, its priority class and its runtime class. What we emit is
 * there already.
 */
export async function openAccount(client: Client, { metadata, spec }: KubeObject): Promise<void> {
  const { serviceAccountName: account, priorityClassName: priority, runtimeClassName: runtime } = spec ?? {};
  if (account !== undefined) {
    const path = `/api/v1/namespaces/${metadata.namespace}/serviceaccounts`;
    await client.post(path, { metadata: { name: account } });
  }
  if (priority !== undefined) {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await client.post(path, { metadata: { name: priority }, value: 1 });
  }
  if (runtime !== undefined) {
    await client.post('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: runtime },
      handler: 'runc',
    });
  }
}
