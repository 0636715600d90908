import type { InferenceCluster } from '../../api/inference-cluster';
import { sortedBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import { ownershipLabelsOf } from '../cloud-names';
import { planGkeCluster, planNodeAccount } from './cluster';
import { renderDriverInstaller } from './driver-installer';
import { planFilestoreClass } from './filestore';
import { type GkeContext, planGkeNat, planGkeNetwork, planGkeSubnet } from './network';
import { driverOf, type GkePool, planGkePool, planGkeSystemPool } from './node-pool';

/**
 * The APIs that a project needs. Filestore must be enabled before the first volume, and Resource Manager before roles
 * are granted.
 */
const APIS = ['cloudresourcemanager', 'compute', 'container', 'file', 'iam'].map((api) => `${api}.googleapis.com`);

/** The resources of a GKE cluster. */
export type GkePlan = ReturnType<typeof gkePlan>;

/**
 * Plans the resources of a GKE cluster: the arguments of `@pulumi/gcp` resources, which refer to each other by name.
 * They are in the order of creation, and are deleted in reverse order.
 *
 * @param fleet must have passed its checks
 * @param project the project of the cluster
 * @throws Error for a cluster that is not on GKE
 */
export function gkePlan(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'settings' | 'hardware'>,
  project: string,
) {
  const region = cluster.spec.cluster.gke?.region;
  if (region === undefined) throw new Error(`bug: the cluster '${cluster.metadata.name}' is not on GKE`);
  const labels = ownershipLabelsOf(cluster, fleet);
  const context: GkeContext = { cluster, project, region, labels };
  const pools = poolsOf(cluster, fleet);
  const selfManaged = pools.some(({ machine }) => driverOf(machine, cluster) === 'SelfManaged');
  return {
    services: APIS.map((service) => ({ name: service, args: { project, service, disableOnDestroy: false } })),
    network: planGkeNetwork(context),
    subnet: planGkeSubnet(context),
    ...(cluster.spec.network.private && planGkeNat(context)),
    ...planNodeAccount(context),
    cluster: planGkeCluster(context),
    systemPool: planGkeSystemPool(context),
    pools: pools.map((pool) => planGkePool(context, pool)),
    storage: planFilestoreClass(cluster, labels),
    /** Manifests that the cluster needs before a pool has devices. */
    manifests: selfManaged ? [renderDriverInstaller(cluster.spec.mirror.images)] : [],
  };
}

function poolsOf(
  { metadata, spec }: InferenceCluster,
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): GkePool[] {
  const byName = new Map(classes.map((declared) => [declared.metadata.name, declared]));
  return sortedBy(spec.nodePools, ({ name }) => name).map((pool) => {
    const declared = byName.get(pool.className);
    const machine = declared?.spec.provisioning?.gke;
    if (!machine) throw new Error(`bug: pool ${metadata.name}/${pool.name} has no class for GKE`);
    const type = catalogue.instanceTypes.get(`gcp/${machine.machineType}`);
    return { pool, machine, declared, ...(type && { type }) };
  });
}
