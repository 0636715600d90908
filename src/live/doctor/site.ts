import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/locate';
import type { Fleet } from '../../fleet';
import type { Collection } from '../collection';
import type { Said } from '../finding';
import type { Listing } from '../live-object';
import { ENVOY_GATEWAY } from './gateway-controller';
import type { Coming } from './coming';
import type { AnsweredRight } from './rights';

/** What a doctor looks at, by name. */
export const LOOKED_AT = {
  nodes: { path: '/api/v1/nodes', apiVersion: 'v1', kind: 'Node' },
  pods: { path: '/api/v1/pods', apiVersion: 'v1', kind: 'Pod' },
  slices: {
    path: '/apis/resource.k8s.io/v1/resourceslices',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
  },
  deviceClasses: {
    path: '/apis/resource.k8s.io/v1/deviceclasses',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
  },
  storageClasses: {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
  },
  gatewayConfig: {
    path: `/api/v1/namespaces/${ENVOY_GATEWAY.namespace}/configmaps?fieldSelector=metadata.name%3D${ENVOY_GATEWAY.config}`,
    apiVersion: 'v1',
    kind: 'ConfigMap',
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** What a running cluster shows to a doctor. */
export interface SeenCluster {
  /** What the API server says it is: `v1.36.0`. */
  readonly version: string;

  /** The kinds that it serves, of those that matter here: `apps/v1 Deployment`. */
  readonly served: ReadonlySet<string>;
  readonly lists: Readonly<Record<keyof typeof LOOKED_AT, Listing>>;
  readonly rights: readonly AnsweredRight[];
}

/** A cluster as it is declared, and as it is. */
export interface DoctorSite extends Coming {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly seen: SeenCluster;
}

/** One thing that is looked at. Says nothing where it does not matter to the cluster. */
export interface Check {
  readonly name: string;
  readonly look: (site: DoctorSite) => readonly Said[];
}

/** The classes of the pools of a cluster, each once. */
export function classesOn({ cluster, fleet }: Pick<DoctorSite, 'cluster' | 'fleet'>): InferenceClass[] {
  const names = new Set(cluster.spec.nodePools.map(({ className }) => className));
  return fleet.classes.filter(({ metadata }) => names.has(metadata.name));
}
