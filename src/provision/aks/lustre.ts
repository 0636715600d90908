import type { InferenceCluster } from '../../api/inference-cluster';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { alignRange, formatIpRange, parseIpRange, subrangeOf } from '../../base/ip-range';
import { sortUnique } from '../../base/order';
import { LUSTRE_SKUS } from '../../catalog/azure-lustre';
import { listZones } from '../../catalog/zones';
import { SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { checkZoneName } from '../managed-cloud';
import { AKS_CIDR, type AksContext } from './network';

/** The subnet of the file system, and its prefix: enough for 400 TiB (Microsoft Learn, amlfs-prerequisites). */
const LUSTRE_SUBNET = { name: 'lustre', prefix: 23 };

/**
 * The arguments of a file system that Azure does not change: another one is made, without the files. Without this list,
 * an update would fail (hashicorp/terraform-provider-azurerm, managed_lustre_file_system_resource.go).
 */
export const LUSTRE_REPLACING = ['sku', 'storageCapacityTiB', 'zones', 'filesystemSubnet'];

/** The declared file system of Azure Managed Lustre. */
function lustreOf({ spec }: InferenceCluster) {
  return spec.storage.sharedFilesystem?.lustre;
}

/** The zone of the file system of a cluster: the declared one, or the only one of the pools. */
function lustreZonesOf(cluster: InferenceCluster): string[] {
  const zone = lustreOf(cluster)?.zone;
  return zone === undefined ? sortUnique(cluster.spec.nodePools.flatMap((pool) => pool.zones)) : [zone];
}

/** Plans the file system of a cluster, with its subnet at the end of the network. Undefined if none is declared. */
export function planLustre({ cluster, location, resourceGroupName, tags }: AksContext) {
  const lustre = lustreOf(cluster);
  if (!lustre) return undefined;
  const { name } = cluster.metadata;
  const all = alignRange(parseIpRange(cluster.spec.network.cidr ?? AKS_CIDR));
  const more = LUSTRE_SUBNET.prefix - all.prefix;
  const zones = lustreZonesOf(cluster);
  return {
    subnet: {
      name: LUSTRE_SUBNET.name,
      args: {
        resourceGroupName,
        virtualNetworkName: name,
        subnetName: LUSTRE_SUBNET.name,
        addressPrefix: formatIpRange(subrangeOf(all, more, 2 ** more - 1)),
      },
    },
    fileSystem: {
      name: `${name}-shared`,
      args: {
        resourceGroupName,
        amlFilesystemName: `${name}-shared`,
        location,
        sku: { name: lustre.sku },
        storageCapacityTiB: lustre.capacityTiB,
        ...(zones.length > 0 && { zones }),
        // Azure requires a window.
        maintenanceWindow: { dayOfWeek: 'Sunday' as const, timeOfDayUTC: '03:00' },
        tags,
      },
      refs: { filesystemSubnet: LUSTRE_SUBNET.name },
      options: { replaceOnChanges: LUSTRE_REPLACING },
    },
  };
}

/**
 * Plans the storage class of the file system, without the address of its management service, which is known after
 * creation. Each claim has a folder of its own: two caches would delete the files of each other.
 */
export function planLustreClass() {
  return {
    apiVersion: 'storage.k8s.io/v1' as const,
    kind: 'StorageClass' as const,
    metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
    provisioner: 'azurelustre.csi.azure.com',
    parameters: { 'sub-dir': '${pvc.metadata.namespace}/${pvc.metadata.name}' } as Record<string, string>,
    mountOptions: ['noatime', 'flock'],
    volumeBindingMode: 'Immediate',
    // A claim has no size of its own. Without it, Kubernetes refuses one that asks for more.
    allowVolumeExpansion: true,
  };
}

/** Checks a file system for what Azure rejects only when it is created. Paths start at the spec. */
export function* checkLustre(cluster: InferenceCluster): Iterable<Diagnostic<Path>> {
  const lustre = lustreOf(cluster);
  const { location } = cluster.spec.cluster.aks ?? {};
  if (!lustre || location === undefined) return;
  const path = ['storage', 'sharedFilesystem', 'lustre'];
  const { stepTiB, mostTiB } = LUSTRE_SKUS[lustre.sku];
  if (lustre.capacityTiB % stepTiB !== 0 || lustre.capacityTiB > mostTiB) {
    const what = `${lustre.sku} has ${stepTiB} to ${mostTiB} TiB in steps of ${stepTiB}, not ${lustre.capacityTiB}`;
    const nearest = Math.min(mostTiB, Math.ceil(lustre.capacityTiB / stepTiB) * stepTiB);
    yield errorAt('bad-size', [...path, 'capacityTiB'], what, `Use ${nearest}, or another SKU`);
  }
  const at = [...path, 'zone'];
  if (lustre.zone !== undefined) yield* checkZoneName('AKS', lustre.zone, location, { path: at, cure: 'Write it' });
  const zones = lustreZonesOf(cluster);
  const known = listZones('AKS', location);
  const missing = zones.length === 0 && known.length > 0;
  if (zones.length < 2 && !missing) return;
  const cause = missing ? 'no pool names its zone' : `the pools are in the zones ${zones.join(', ')}`;
  const what = `Azure Managed Lustre is in one zone, and ${cause}`;
  yield errorAt('bad-zone', path, what, "Set 'zone' to the one in which most engines load");
}
