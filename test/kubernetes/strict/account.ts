import type { Client, KubeObject } from '../harness/client';

/** What was made already, by the control plane where it is. */
const made = new WeakMap<Client, Set<string>>();

/**
 * Makes what a pod names and a user brings: its account, its priority class and its runtime class. What we emit is
 * there already.
 */
export async function openAccount(client: Client, { metadata, spec }: KubeObject): Promise<void> {
  const { serviceAccountName: account, priorityClassName: priority, runtimeClassName: runtime } = spec ?? {};
  if (account !== undefined) {
    const path = `/api/v1/namespaces/${metadata.namespace}/serviceaccounts`;
    await makeOnce(client, path, { metadata: { name: account } });
  }
  if (priority !== undefined) {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await makeOnce(client, path, { metadata: { name: priority }, value: 1 });
  }
  if (runtime !== undefined) {
    const path = '/apis/node.k8s.io/v1/runtimeclasses';
    await makeOnce(client, path, { metadata: { name: runtime }, handler: 'runc' });
  }
}

async function makeOnce(client: Client, path: string, object: object): Promise<void> {
  const all = made.get(client) ?? new Set();
  made.set(client, all);
  const key = `${path} ${JSON.stringify(object)}`;
  if (all.has(key)) return;
  await client.post(path, object);
  all.add(key);
}
