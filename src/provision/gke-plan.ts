import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import { ownership } from './cloud-names';
import { driverInstaller } from './driver-installer';
import { filestoreClass } from './filestore';
import { nodeAccount } from './gke-account';
import { gkeCluster } from './gke-cluster';
import { gkeNat, gkeNetwork, type GkeSite, gkeSubnet } from './gke-network';
import { driverOf, type GkePool, gkePool, gkeSystemPool } from './gke-pool';

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
  const labels = ownership(cluster, fleet);
  const site: GkeSite = { cluster, project, region, labels };
  const pools = poolsOf(cluster, fleet);
  const selfManaged = pools.some(({ machine }) => driverOf(machine, cluster) === 'SelfManaged');
  return {
    services: APIS.map((service) => ({ name: service, args: { project, service, disableOnDestroy: false } })),
    network: gkeNetwork(site),
    subnet: gkeSubnet(site),
    ...(cluster.spec.network.private && gkeNat(site)),
    ...nodeAccount(site),
    cluster: gkeCluster(site),
    systemPool: gkeSystemPool(site),
    pools: pools.map((pool) => gkePool(site, pool)),
    storage: filestoreClass(cluster, labels),
    /** Manifests that the cluster needs before a pool has devices. */
    manifests: selfManaged ? [driverInstaller(cluster.spec.mirror.images)] : [],
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
