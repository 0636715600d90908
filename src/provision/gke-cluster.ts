import { nodeAccountEmail } from './gke-account';
import { type GkeSite, networkName, PODS, SERVICES } from './gke-network';

/** Of the cluster: a zone for a zonal control plane, else its region. */
export function locationOf({ cluster, region }: GkeSite): string {
  return cluster.spec.cluster.gke?.zone ?? region;
}

/** The control plane. */
export function gkeCluster(site: GkeSite) {
  const { cluster, project, labels } = site;
  const { name } = cluster.metadata;
  return {
    name,
    args: {
      name,
      project,
      location: locationOf(site),
      deletionProtection: cluster.spec.deletionProtection,
      minMasterVersion: cluster.spec.cluster.gke?.kubernetesVersion,
      releaseChannel: { channel: 'REGULAR' },
      resourceLabels: labels,
      ...networkingOf(site),
      // Pools are resources of their own, so the one that every cluster begins with goes.
      removeDefaultNodePool: true,
      initialNodeCount: 1,
      nodeConfig: { serviceAccount: nodeAccountEmail(site) },
      workloadIdentityConfig: { workloadPool: `${project}.svc.id.goog` },
      addonsConfig: addonsOf(site),
      // Envoy Gateway brings the same definitions, and the two would undo each other.
      gatewayApiConfig: { channel: 'CHANNEL_DISABLED' },
    },
    options: { ignoreChanges: ['initialNodeCount', 'nodeConfig'] },
  };
}

/** Each by itself: what is left out stays as it was before. */
function addonsOf({ cluster }: GkeSite) {
  const addons = cluster.spec.cluster.gke?.addons;
  return {
    gcpFilestoreCsiDriverConfig: { enabled: true },
    gcePersistentDiskCsiDriverConfig: { enabled: addons?.persistentDisk !== false },
    gcsFuseCsiDriverConfig: { enabled: addons?.gcsFuse === true },
  };
}

function networkingOf({ cluster }: GkeSite) {
  const { private: isPrivate, authorizedNetworks } = cluster.spec.network;
  const name = networkName(cluster);
  return {
    network: name,
    subnetwork: name,
    networkingMode: 'VPC_NATIVE',
    // Cannot be changed later, and network cards for GPU traffic need it.
    datapathProvider: 'ADVANCED_DATAPATH',
    ipAllocationPolicy: { clusterSecondaryRangeName: PODS, servicesSecondaryRangeName: SERVICES },
    ...(isPrivate && { privateClusterConfig: { enablePrivateNodes: true, enablePrivateEndpoint: false } }),
    ...(authorizedNetworks.length > 0 && {
      masterAuthorizedNetworksConfig: {
        cidrBlocks: authorizedNetworks.map((cidrBlock) => ({ cidrBlock })),
      },
    }),
  };
}
