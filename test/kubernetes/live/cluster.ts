import { assemble, type Fleet } from '../../../src/fleet/fleet';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { type Client, type KubeObject, ok } from '../harness/client';
import { findCrds, installCrds } from '../harness/crds';
import { deviceClassesOf, nodesOf } from '../harness/nodes';
import { collection, learnKinds, pathOf } from '../harness/resources';
import { openNamespace } from '../promises/site';
import { ENVOY, FLEET } from './fleet';

/** What the fleet of these tests needs of all CRDs that there are. */
const GROUPS = /group: (gateway\.networking\.k8s\.io|gateway\.envoyproxy\.io|leaderworkerset\.x-k8s\.io)$/m;

/** An object with fields that only its kind has. */
type WithData = KubeObject & {
  readonly provisioner?: string;
  readonly data?: Readonly<Record<string, string>>;
};

export const STORAGE_CLASS: WithData = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'nfs' },
  provisioner: 'nfs.example.com',
};

/** Envoy Gateway's settings, as its chart writes them. */
export function envoyConfig(text = ENVOY): WithData {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'envoy-gateway-config', namespace: 'fleetwright-system' },
    data: { 'envoy-gateway.yaml': text },
  };
}

export function liveFleet(): Fleet {
  const { resources, problems } = loadManifests([{ path: 'fleet.yaml', text: FLEET }]);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return assemble(resources);
}

/** Makes a control plane the cluster that the fleet declares. */
export async function furnish(client: Client): Promise<void> {
  const crds = await findCrds();
  await installCrds(
    client,
    crds.filter(({ text }) => GROUPS.test(text)),
  );
  await learnKinds(client);
  const fleet = liveFleet();
  for (const namespace of ['ml', 'fleetwright-system']) await openNamespace(client, namespace);
  const nodes = fleet.clusters.flatMap((cluster) => nodesOf(fleet, cluster, 'live'));
  for (const object of nodes) ok(await client.post(collection(object), object), pathOf(object));
  for (const object of [...deviceClassesOf(fleet), STORAGE_CLASS, envoyConfig()]) {
    ok(await client.apply(pathOf(object), object), pathOf(object));
  }
}
