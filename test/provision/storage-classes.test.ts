import type { InferenceCluster } from '../../src/api/inference-cluster';
import { blockStorageClassOf } from '../../src/api/cluster-storage';
import { sharedStorageClassOf } from '../../src/fleet/hardware/shared-storage';
import { aksPlan } from '../../src/provision/aks/plan';
import { eksPlan } from '../../src/provision/eks/plan';
import { gkePlan } from '../../src/provision/gke/plan';
import { createsStorageClass } from '../../src/provision/storage-classes';
import { aCluster, type Doc, type MACHINES } from '../api/build';
import { aFleet, type Declared } from './build';

type Source = keyof typeof MACHINES;

/** Which of the storage classes of its caches the stack of a cluster creates. */
function created(source: Source | undefined, storage: Doc = {}): string[] {
  const cluster = aCluster('us', { ...(source && { source }), pools: { h100: 1 }, storage }) as InferenceCluster;
  const names = [sharedStorageClassOf(cluster), blockStorageClassOf(cluster)];
  return names.flatMap((name) => (name !== undefined && createsStorageClass(cluster, name) ? [name] : []));
}

test.each<[string, Source | undefined, Doc, string[]]>([
  ['creates the class of shared files, and no class of disks that GKE has', 'GKE', {}, ['fleetwright-shared']],
  ['creates both on EKS', 'EKS', {}, ['fleetwright-shared', 'fleetwright-block']],
  ['creates the class of shared files on AKS', 'AKS', {}, ['fleetwright-shared']],
  ['creates none that a declaration names', 'EKS', named('nfs', 'io2'), []],
  ['creates none on a cluster that exists, whatever its name', undefined, named('fleetwright-shared'), []],
])('a stack %s', (_, source, storage, want) => {
  expect(created(source, storage)).toEqual(want);
});

function named(shared: string, block?: string): Doc {
  return {
    sharedFilesystem: { storageClassName: shared },
    ...(block !== undefined && { blockDevice: { storageClassName: block } }),
  };
}

const LUSTRE = { sharedFilesystem: { lustre: { sku: 'AMLFS-Durable-Premium-125', capacityTiB: 32 } } };
const STORAGE_OF = {
  GKE: ({ cluster, fleet }: ReturnType<typeof aFleet>) => gkePlan(cluster, fleet, 'p').storage?.manifest,
  EKS: ({ cluster, fleet }: ReturnType<typeof aFleet>) => eksPlan(cluster, fleet).storage?.manifest,
  AKS: ({ cluster, fleet }: ReturnType<typeof aFleet>) => aksPlan(cluster, fleet).storage,
};

test.each<[keyof typeof STORAGE_OF, Declared]>([
  ['GKE', {}],
  ['EKS', {}],
  ['AKS', {}],
  ['AKS', { cluster: { storage: LUSTRE } }],
])('volumes of the shared class that a stack creates on %s can grow: %j', (on, declared) => {
  const planned: Doc | undefined = STORAGE_OF[on](aFleet(on, declared));
  expect(planned?.['allowVolumeExpansion']).toBe(true);
});
