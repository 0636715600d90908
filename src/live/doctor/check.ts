import { isAutoscaledDeployment } from '../../api/engine-copies';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Locate } from '../../api/kinds';
import type { ServingStackEntry } from '../../api/serving-stack';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { ENDPOINT_PICKER } from '../../catalog/llm-d/endpoint-picker';
import type { Fleet } from '../../fleet/fleet';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { listNeededReleases } from '../../provision/releases/cluster-releases';
import type { NodeInfo } from '../../snapshot/node-info';
import type { ExpectedNode } from '../../snapshot/unusable-nodes';
import type { CheckResult } from '../finding';
import { collectionOf, type Listing } from '../listing';

/** Where the chart of Envoy Gateway keeps its settings (gateway-helm v1.9, envoy-gateway-config.yaml). */
export const ENVOY_GATEWAY_CONFIG = { name: 'envoy-gateway-config', key: 'envoy-gateway.yaml' } as const;

/** The collections that `doctor` lists, by name. */
export const OBSERVED_LISTS = {
  nodes: collectionOf('v1', 'Node', 'nodes'),
  pods: collectionOf('v1', 'Pod', 'pods'),
  slices: collectionOf('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices'),
  deviceClasses: collectionOf('resource.k8s.io/v1', 'DeviceClass', 'deviceclasses'),
  storageClasses: collectionOf('storage.k8s.io/v1', 'StorageClass', 'storageclasses'),
  pickers: collectionOf(
    'apps/v1',
    'Deployment',
    `deployments?labelSelector=${encodeURIComponent(`app.kubernetes.io/component=${ENDPOINT_PICKER.name}`)}`,
  ),
  kserve: collectionOf(
    'apps/v1',
    'Deployment',
    `deployments?labelSelector=${encodeURIComponent('control-plane=llmisvc-controller-manager')}`,
  ),
  dynamo: collectionOf(
    'apps/v1',
    'Deployment',
    `deployments?labelSelector=${encodeURIComponent('app.kubernetes.io/name=dynamo-operator')}`,
  ),
  csiDrivers: collectionOf('storage.k8s.io/v1', 'CSIDriver', 'csidrivers'),
  gatewayConfig: collectionOf(
    'v1',
    'ConfigMap',
    `namespaces/${SYSTEM_NAMESPACE}/configmaps?fieldSelector=metadata.name%3D${ENVOY_GATEWAY_CONFIG.name}`,
  ),
} as const;

/** The permissions of the account that applies manifests. Server-side apply creates and patches. */
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

  /** Why it is not known what an API version serves, by version. @default - known of all */
  readonly undiscovered?: ReadonlyMap<string, string>;
  readonly lists: Readonly<Record<keyof typeof OBSERVED_LISTS, Listing>>;
  readonly rights: readonly PermissionReview[];
}

/** A declared cluster and its observed state. */
export interface ExaminedCluster {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly seen: ObservedCluster;

  /**
   * Parts of the serving stack that are installed next, before anything needs them. Checks do not report missing
   * objects of these parts.
   *
   * @default - none
   */
  readonly pendingInstalls?: ReadonlySet<ServingStackEntry>;
}

/** A declared cluster, for what does not depend on its state. */
export type ClusterDeclaration = Pick<ExaminedCluster, 'cluster' | 'fleet'>;

/** A declared pool and its existing nodes. */
export interface ExaminedPool {
  readonly expected: ExpectedNode;
  readonly nodes: readonly NodeInfo[];

  /** The position of the devices of the class in the declarations. */
  readonly declaredAt: string;
}

/** What checks take: a cluster, and its pools, which are computed once for all checks. */
export interface CheckedCluster extends ExaminedCluster {
  readonly pools: readonly ExaminedPool[];
}

/** A check of a cluster. It returns no result where it does not apply. */
export interface DoctorCheck {
  readonly name: DiagnosticCode;
  readonly look: (examined: CheckedCluster) => readonly CheckResult[];
}

/** Whether the declarations of a cluster need a release. */
export function needsRelease(release: ServingStackEntry | undefined): (declared: ClusterDeclaration) => boolean {
  return ({ cluster, fleet }) => listNeededReleases(cluster, fleet).some(({ key }) => key === release);
}

/** Whether KAI on the cluster knows how the nodes of a pool are connected. */
export function hasTopologies({ cluster }: ClusterDeclaration): boolean {
  return cluster.spec.nodePools.some(({ topology }) => topology !== undefined);
}

/** Whether engines of the fleet can scale on the cluster: only where it is monitored. */
export function hasAutoscaledEngines({ cluster, fleet }: ClusterDeclaration): boolean {
  return cluster.spec.monitoring !== undefined && fleet.deployments.some(isAutoscaledDeployment);
}

/** The releases that install drivers and their device classes, by driver. */
const RELEASE_BY_DRIVER: Readonly<Record<string, ServingStackEntry>> = {
  'gpu.nvidia.com': 'nvidiaDraDriver',
  'gpu.amd.com': 'amdGpuOperator',
};

type PendingInstalls = Pick<ExaminedCluster, 'pendingInstalls'>;

/** Whether a part of the serving stack is installed next. */
export function isPendingInstall(part: ServingStackEntry | undefined, { pendingInstalls }: PendingInstalls): boolean {
  return part !== undefined && pendingInstalls?.has(part) === true;
}

/** Whether a driver is installed next. */
export function isDriverPending(driver: string, pending: PendingInstalls): boolean {
  return isPendingInstall(RELEASE_BY_DRIVER[driver], pending);
}
