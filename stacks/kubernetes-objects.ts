import { CustomResource as Custom, type CustomResourceArgs } from '@pulumi/kubernetes/apiextensions/customResource';
import { CustomResourceDefinition } from '@pulumi/kubernetes/apiextensions/v1/customResourceDefinition';
import { DaemonSet } from '@pulumi/kubernetes/apps/v1/daemonSet';
import { Deployment } from '@pulumi/kubernetes/apps/v1/deployment';
import { StatefulSet } from '@pulumi/kubernetes/apps/v1/statefulSet';
import { HorizontalPodAutoscaler } from '@pulumi/kubernetes/autoscaling/v2/horizontalPodAutoscaler';
import { CronJob } from '@pulumi/kubernetes/batch/v1/cronJob';
import { Job } from '@pulumi/kubernetes/batch/v1/job';
import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap';
import { LimitRange } from '@pulumi/kubernetes/core/v1/limitRange';
import { Namespace } from '@pulumi/kubernetes/core/v1/namespace';
import { PersistentVolume } from '@pulumi/kubernetes/core/v1/persistentVolume';
import { PersistentVolumeClaim } from '@pulumi/kubernetes/core/v1/persistentVolumeClaim';
import { Pod } from '@pulumi/kubernetes/core/v1/pod';
import { ResourceQuota } from '@pulumi/kubernetes/core/v1/resourceQuota';
import { Secret } from '@pulumi/kubernetes/core/v1/secret';
import { Service } from '@pulumi/kubernetes/core/v1/service';
import { ServiceAccount } from '@pulumi/kubernetes/core/v1/serviceAccount';
import { NetworkPolicy } from '@pulumi/kubernetes/networking/v1/networkPolicy';
import { PodDisruptionBudget } from '@pulumi/kubernetes/policy/v1/podDisruptionBudget';
import { ClusterRole } from '@pulumi/kubernetes/rbac/v1/clusterRole';
import { ClusterRoleBinding } from '@pulumi/kubernetes/rbac/v1/clusterRoleBinding';
import { Role } from '@pulumi/kubernetes/rbac/v1/role';
import { RoleBinding } from '@pulumi/kubernetes/rbac/v1/roleBinding';
import { DeviceClass } from '@pulumi/kubernetes/resource/v1/deviceClass';
import { ResourceClaim } from '@pulumi/kubernetes/resource/v1/resourceClaim';
import { ResourceClaimTemplate } from '@pulumi/kubernetes/resource/v1/resourceClaimTemplate';
import { StorageClass, type StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import type { CustomResource } from '@pulumi/pulumi';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import type { ClusterResourceOptions } from './cluster';

/** The common type of the resource classes of @pulumi/kubernetes. */
type ObjectClass = new (name: string, args: never, opts: ClusterResourceOptions) => CustomResource;

/**
 * The classes of built-in kinds, each imported from its own file: the index of the package takes long to load.
 *
 * A `CustomResource` would work for all of them, but core kinds would have another type in the state (`v1` instead of
 * `core/v1`). A core kind that is added here later is therefore replaced on existing clusters, so the map lists kinds
 * before they are used.
 */
const OBJECT_CLASSES: Readonly<Record<string, ObjectClass>> = {
  'apiextensions.k8s.io/v1 CustomResourceDefinition': CustomResourceDefinition,
  'apps/v1 DaemonSet': DaemonSet,
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'batch/v1 CronJob': CronJob,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'rbac.authorization.k8s.io/v1 ClusterRole': ClusterRole,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': ClusterRoleBinding,
  'rbac.authorization.k8s.io/v1 Role': Role,
  'rbac.authorization.k8s.io/v1 RoleBinding': RoleBinding,
  'resource.k8s.io/v1 DeviceClass': DeviceClass,
  'resource.k8s.io/v1 ResourceClaim': ResourceClaim,
  'resource.k8s.io/v1 ResourceClaimTemplate': ResourceClaimTemplate,
  'storage.k8s.io/v1 StorageClass': StorageClass,
  'v1 ConfigMap': ConfigMap,
  'v1 LimitRange': LimitRange,
  'v1 Namespace': Namespace,
  'v1 PersistentVolume': PersistentVolume,
  'v1 PersistentVolumeClaim': PersistentVolumeClaim,
  'v1 Pod': Pod,
  'v1 ResourceQuota': ResourceQuota,
  'v1 Secret': Secret,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
};

/** The arguments of an object. All but its API version and kind may be outputs. */
export interface ObjectArgs extends CustomResourceArgs {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Registers an object of a cluster. */
export function registerObject(name: string, args: ObjectArgs, opts: ClusterResourceOptions): CustomResource {
  const Known = OBJECT_CLASSES[`${args.apiVersion} ${args.kind}`];
  // Each class has its own argument type. Tests compare manifests with the registered objects.
  return Known ? new Known(name, args as never, opts) : new Custom(name, args, opts);
}

/**
 * Kinds whose creation the provider awaits by default. For a Service, for example, it waits for the first ready pod.
 */
const AWAITED_KINDS: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'PersistentVolumeClaim',
  'Pod',
  'Service',
  'StatefulSet',
]);

/** Annotates an object so that the provider does not wait until it is ready. */
export function skipAwait(manifest: Manifest): Manifest {
  return AWAITED_KINDS.has(manifest.kind) ? addAnnotations(manifest, { 'pulumi.com/skipAwait': 'true' }) : manifest;
}

/**
 * Annotates an object that stays on its cluster so that it is applied under a fixed name. Without one the provider
 * invents a name for each resource. A later stack, also one that calls the cluster by another name, would then be
 * refused as another owner of the labels that differ. Fields that somebody else set stay a conflict, which
 * `pulumi.com/patchForce` would overwrite.
 *
 * Facts: `fieldManagerName` in provider/pkg/provider/provider.go of pulumi/pulumi-kubernetes.
 */
export function applyAsFleetwright(manifest: Manifest): Manifest {
  return addAnnotations(manifest, { 'pulumi.com/patchFieldManager': 'fleetwright' });
}

/** Adds annotations to an object. */
export function addAnnotations(manifest: Manifest, more: Readonly<Record<string, string>>): Manifest {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...more } } };
}

/** Registers the StorageClass of a shared file system. */
export function registerStorageClass(name: string, args: StorageClassArgs, opts: ClusterResourceOptions): StorageClass {
  return new StorageClass(name, args, opts);
}
