import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/kinds';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { Fleet } from '../../fleet/fleet';
import type { CheckResult } from '../finding';
import type { Collection, Listing } from '../live-object';
import { ENVOY_GATEWAY_CONFIG } from './gateway-checks';
import type { PendingInstalls } from './pending-install';
import type { PermissionReview } from './permission-checks';

/** The collections that `doctor` lists, by name. */
export const OBSERVED_LISTS = {
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
    path: `/api/v1/namespaces/${ENVOY_GATEWAY_CONFIG.namespace}/configmaps?fieldSelector=metadata.name%3D${ENVOY_GATEWAY_CONFIG.config}`,
    apiVersion: 'v1',
    kind: 'ConfigMap',
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** The state of a running cluster as `doctor` observes it. */
export interface ObservedCluster {
  /** The version that the API server reports: `v1.36.0`. */
  readonly version: string;

  /** The served kinds of the required API versions: `apps/v1 Deployment`. */
  readonly served: ReadonlySet<string>;
  readonly lists: Readonly<Record<keyof typeof OBSERVED_LISTS, Listing>>;
  readonly rights: readonly PermissionReview[];
}

/** A declared cluster and its observed state. */
export interface ExaminedCluster extends PendingInstalls {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly seen: ObservedCluster;
}

/** A check of a cluster. It returns no result where it does not apply. */
export interface ClusterCheck {
  readonly name: DiagnosticCode;
  readonly look: (examined: ExaminedCluster) => readonly CheckResult[];
}

/** The distinct classes of the pools of a cluster. */
export function classesOf({ cluster, fleet }: Pick<ExaminedCluster, 'cluster' | 'fleet'>): InferenceClass[] {
  const names = new Set(cluster.spec.nodePools.map(({ className }) => className));
  return fleet.classes.filter(({ metadata }) => names.has(metadata.name));
}
