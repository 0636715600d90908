import { type Client, type KubeObject, ok } from '../harness/client';
import { pathOf } from '../harness/resources';
import { envoyConfig, STORAGE_CLASS } from './cluster';

/** Something that is wrong with a cluster, and what the doctor has to say of it. */
interface Row {
  readonly break: (client: Client) => Promise<unknown>;
  readonly mend: (client: Client) => Promise<unknown>;
  readonly want: readonly string[];
}

const NODE = '/api/v1/nodes/live-h100-0';

const DEVICE_CLASS = '/apis/resource.k8s.io/v1/deviceclasses/gpu.nvidia.com';

/** Takes an object away for a while. */
function without(path: string, want: readonly string[]): Row {
  let taken: KubeObject | undefined;
  return {
    async break(client) {
      taken = ok(await client.get(path), path);
      ok(await client.delete(path), path);
    },
    async mend(client) {
      const { resourceVersion: _, uid: __, ...metadata } = taken!.metadata;
      ok(await client.post(path.slice(0, path.lastIndexOf('/')), { ...taken, metadata }), path);
    },
    want,
  };
}

/** Crippled clusters: one fault each. */
export const CRIPPLED: Readonly<Record<string, Row>> = {
  'a cordoned node': {
    break: (client) => client.patch(NODE, { spec: { unschedulable: true } }),
    mend: (client) => client.patch(NODE, { spec: { unschedulable: null, taints: null } }),
    want: ["nodes: pool 'h100' has 1 of 2 nodes for pods: live-h100-0 is cordoned. Uncordon it."],
  },
  'a node that lost its label': {
    break: (client) => client.patch(NODE, { metadata: { labels: { 'fleetwright.dev/pool': null } } }),
    mend: (client) => client.patch(NODE, { metadata: { labels: { 'fleetwright.dev/pool': 'h100' } } }),
    want: ["nodes: pool 'h100' has 1 of 2 nodes for pods: 1 node missing."],
  },
  'a node that is gone': without(NODE, ["nodes: pool 'h100' has 1 of 2 nodes for pods: 1 node missing."]),
  'a driver without its class': without(DEVICE_CLASS, ["device-classes: there is no DeviceClass 'gpu.nvidia.com'."]),
  'no storage class': without(pathOfClass(), ["storage-class: there is no StorageClass 'nfs'."]),
  'Envoy Gateway without Lua': {
    break: (client) => apply(client, envoyConfig('extensionApis: { enableBackend: true }')),
    mend: (client) => apply(client, envoyConfig()),
    want: ['gateway-controller: Envoy Gateway has enableEnvoyPatchPolicy, enableLua off.'],
  },
  'nodes without slices': without('/apis/resource.k8s.io/v1/resourceslices/live-h100-1-gpu.nvidia.com', [
    "nodes: pool 'h100' has 1 of 2 nodes for pods: live-h100-1 shows 0 of 8 devices 'gpu'.",
  ]),
};

function pathOfClass(): string {
  return `/apis/storage.k8s.io/v1/storageclasses/${STORAGE_CLASS.metadata.name}`;
}

async function apply(client: Client, object: KubeObject): Promise<void> {
  ok(await client.apply(pathOf(object), object), pathOf(object));
}
