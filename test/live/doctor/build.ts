import type { ServingStackEntry } from '../../../src/api/serving-stack';
import { assemble } from '../../../src/fleet/fleet';
import { REQUIRED_APIS } from '../../../src/live/doctor/api-checks';
import type { ObservedCluster } from '../../../src/live/doctor/check';
import { runChecks } from '../../../src/live/doctor/examine-cluster';
import { listRequiredPermissions } from '../../../src/live/doctor/permission-checks';
import { LEVEL_OF } from '../../../src/live/finding';
import type { Listing } from '../../../src/live/listing';
import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { manifests, node, slice } from '../../snapshot/build';

export type Json = Record<string, unknown>;
type Lists = ObservedCluster['lists'];

/** Objects as a list of them. */
export function listing(...objects: Json[]): Listing {
  return { objects: objects as unknown as LiveObject[] };
}

/** A list that whoever asks may not see. */
export const FORBIDDEN: Listing = { missing: 'forbidden', why: 'nodes is forbidden' };

export const ENVOY_ON = {
  metadata: { name: 'envoy-gateway-config', namespace: 'fleetwright-system' },
  data: {
    'envoy-gateway.yaml': 'extensionApis:\n  enableBackend: true\n  enableEnvoyPatchPolicy: true\n  enableLua: true\n',
  },
};

interface Options {
  /** What the cluster declares; see `manifests`. */
  declared?: Parameters<typeof manifests>[0];

  /** Further manifests. */
  more?: string;
  seen?: Partial<Omit<ObservedCluster, 'lists' | 'served'>>;
  lists?: Partial<Lists>;

  /** What of the serving stack is installed next. */
  coming?: ServingStackEntry[];

  /** Kinds that are not served. */
  unserved?: string[];
}

const GOOD: Lists = {
  nodes: listing(gpuNode('n0'), gpuNode('n1')),
  pods: listing(),
  slices: listing(slice('n0'), slice('n1')),
  deviceClasses: listing({ metadata: { name: 'gpu.nvidia.com' } }),
  storageClasses: listing({ metadata: { name: 'nfs' } }),
  csiDrivers: listing({ metadata: { name: 'gcsfuse.csi.storage.gke.io' } }),
  gatewayConfig: listing(ENVOY_ON),
  pickers: listing(),
  kserve: listing(),
  dynamo: listing(),
};

/** A node of the pool that the driver would run on. */
export function gpuNode(name: string, options: Parameters<typeof node>[1] = {}): Json {
  const labels = { 'fleetwright.dev/pool': 'h100', 'nvidia.com/gpu.present': 'true', ...options.labels };
  return node(name, { ...options, labels });
}

/** What doctors say of the cluster `us`, which has all that it declares but for what the row says. */
export function examined({ declared, more = '', seen, lists, unserved = [], coming }: Options = {}): string[] {
  const text = `${manifests(declared)}${more && `---\n${more}`}`;
  const { resources, locate, problems } = loadManifests([{ path: 'fleet.yaml', text }]);
  expect(problems).toEqual([]);
  const fleet = assemble(resources);
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === 'us')!;
  const all = REQUIRED_APIS.flatMap(({ apiVersion, kinds }) => kinds.map((kind) => `${apiVersion} ${kind}`));
  const findings = runChecks({
    cluster,
    fleet,
    locate,
    pendingInstalls: new Set(coming),
    seen: {
      version: 'v1.36.0',
      rights: listRequiredPermissions({ cluster, fleet }).map((right) => ({ right, answer: {} })),
      ...seen,
      served: new Set(all.filter((one) => !unserved.some((name) => one.endsWith(name)))),
      lists: { ...GOOD, ...lists },
    },
  });
  return findings.map(
    ({ severity, code, message, hint }) => `${LEVEL_OF[severity]} ${code}: ${message}${hint ? `. ${hint}` : ''}`,
  );
}

/** As `examined`, without what is well. */
export function amiss(options: Options = {}): string[] {
  return examined(options).filter((line) => !line.startsWith('ok '));
}
