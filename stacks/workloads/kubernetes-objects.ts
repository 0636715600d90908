import type { CustomResourceArgs } from '@pulumi/kubernetes/apiextensions/customResource';
import { Secret } from '@pulumi/kubernetes/core/v1/secret';
import { StorageClass, type StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import { CustomResource } from '@pulumi/pulumi';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import type { ClusterResourceOptions } from '../cloud/cluster';

/**
 * Core kinds that the state names as the classes of `@pulumi/kubernetes` do: `core/v1`. Others have the type of a
 * custom resource there, `v1`. A kind that is added here later is therefore replaced on existing clusters, so the set
 * lists kinds before they are used.
 */
const CORE_KINDS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'LimitRange',
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'ResourceQuota',
  'Secret',
  'Service',
  'ServiceAccount',
]);

/** The arguments of an object. All but its API version and kind may be outputs. */
export interface ObjectArgs extends CustomResourceArgs {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Changes to the objects of a cluster. */
export interface WorkloadsTransform {
  /**
   * Changes the arguments of an object from its manifest. Its kind and name must stay: other objects refer to them,
   * and they decide the apply order. Added values may be outputs.
   */
  readonly object?: (manifest: Manifest) => ObjectArgs;
}

/**
 * An object of a cluster. For the engine it is the same resource as one of the class of its kind in
 * `@pulumi/kubernetes`, without aliases for types that no stack of Fleetwright had. It has outputs for its arguments
 * only: in a large stack, aliases and other outputs take most of the memory.
 */
class KubernetesObject extends CustomResource {
  constructor(name: string, args: ObjectArgs, opts: ClusterResourceOptions) {
    const { apiVersion, kind } = args;
    const group = apiVersion === 'v1' && CORE_KINDS.has(kind) ? 'core/v1' : apiVersion;
    super(`kubernetes:${group}:${kind}`, name, { ...args }, opts);
  }
}

/** Registers an object of a cluster. */
export function registerObject(name: string, args: ObjectArgs, opts: ClusterResourceOptions): CustomResource {
  const isSecret = args.apiVersion === 'v1' && args.kind === 'Secret';
  // The class keeps what the API server returns of a Secret secret.
  return isSecret ? new Secret(name, args as never, opts) : new KubernetesObject(name, args, opts);
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
 * refused as another owner of the labels that differ. Fields with another owner stay a conflict, which
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
