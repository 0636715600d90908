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
 * APIs that a project needs. That of Filestore has to be on before the first volume, and that of Resource Manager
 * before roles are given.
 */
const APIS = ['cloudresourcemanager', 'compute', 'container', 'file', 'iam'].map(
  (api) => `${api}.googleapis.com`,
);

/** What is made for a cluster on GKE. */
export type GkePlan = ReturnType<typeof gkePlan>;

/**
 * What is made for a cluster on GKE: arguments of the resources of `@pulumi/gcp`, which refer to each other by name.
 * They stand in the order in which they can be made, and go in the opposite one.
 *
 * @param fleet has passed its checks
 * @param project the project of the account that it is made in
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
  const site: GkeContext = { cluster, project, region, labels };
  const pools = poolsOf(cluster, fleet);
  const selfManaged = pools.some(({ machine }) => driverOf(machine, cluster) === 'SelfManaged');
  return {
    services: APIS.map((service) => ({ name: service, args: { project, service, disableOnDestroy: false } })),
    network: planGkeNetwork(site),
    subnet: planGkeSubnet(site),
    ...(cluster.spec.network.private && planGkeNat(site)),
    ...planNodeAccount(site),
    cluster: planGkeCluster(site),
    systemPool: planGkeSystemPool(site),
    pools: pools.map((pool) => planGkePool(site, pool)),
    storage: planFilestoreClass(cluster, labels),
    /** Manifests that the cluster needs before a pool has devices. */
    manifests: selfManaged ? [renderDriverInstaller(cluster.spec.mirror.images)] : [],
  };
}

function poolsOf(
  { metadata, spec }: InferenceCluster,
  { classes, hardware: { catalogue } }: Pick<Fleet, 'classes' | 'hardware'>,
): GkePool[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return sortedBy(spec.nodePools, ({ name }) => name).map((pool) => {
    const declared = byName.get(pool.className);
    const machine = declared?.spec.provisioning?.gke;
    if (!machine) throw new Error(`bug: pool ${metadata.name}/${pool.name} has no class for GKE`);
    const type = catalogue.instanceTypes.get(`gcp/${machine.machineType}`);
    return { pool, machine, declared, ...(type && { type }) };
  });
}
