import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/kinds';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { Fleet } from '../../fleet/fleet';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { CheckResult } from '../finding';
import type { Collection, Listing } from '../live-object';
import type { PendingInstalls } from './pending-install';

/** Where the chart of Envoy Gateway keeps its settings (gateway-helm v1.9, envoy-gateway-config.yaml). */
export const ENVOY_GATEWAY_CONFIG = {
  namespace: SYSTEM_NAMESPACE,
  config: 'envoy-gateway-config',
  key: 'envoy-gateway.yaml',
} as const;

/** The collections that `doctor` lists, by name. */
export const OBSERVED_LISTS = {
  nodes: { path: '/api/v1/nodes', apiVersion: 'v1', kind: 'Node' },
  pods: { path: '/api/v1/pods', apiVersion: 'v1', kind: 'Pod' },
  slices: { path: '/apis/resource.k8s.io/v1/resourceslices', apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' },
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

/** What whoever applies manifests has to be allowed. Server-side apply creates and patches. */
export const VERBS = ['create', 'patch'] as const;

/** One permission that is asked for. */
export interface Permission {
  readonly verb: (typeof VERBS)[number];
  readonly group: string;
  readonly resource: string;

  /** Where it is needed. Absent for kinds that are in no namespace. */
  readonly namespaces?: readonly string[];
}

/** A permission, and what the API server says to it. */
export interface PermissionReview {
  readonly right: Permission;

  /** `denied`: the namespaces where it is, or the whole cluster where that is empty. */
  readonly answer: { readonly denied?: readonly string[] } | { readonly unknown: string };
}

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
