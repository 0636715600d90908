import { StorageClass, type StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import type { OnCluster } from './on-cluster';

/** Registers the StorageClass of a shared file system. */
export function registerStorageClass(name: string, args: StorageClassArgs, opts: OnCluster): StorageClass {
  return new StorageClass(name, args, opts);
}
