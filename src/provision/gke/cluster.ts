import { formatCloudName } from '../cloud-names';
import { type GkeContext, networkNameOf, PODS_RANGE, SERVICES_RANGE } from './network';

/** Of the cluster: a zone for a zonal control plane, else its region. */
export function locationOf({ cluster, region }: GkeContext): string {
  return cluster.spec.cluster.gke?.zone ?? region;
}

/** The control plane. */
export function planGkeCluster(site: GkeContext) {
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
      nodeConfig: { serviceAccount: nodeAccountEmailOf(site) },
      workloadIdentityConfig: { workloadPool: `${project}.svc.id.goog` },
      addonsConfig: addonsOf(site),
      // Envoy Gateway brings the same definitions, and the two would undo each other.
      gatewayApiConfig: { channel: 'CHANNEL_DISABLED' },
    },
    options: { ignoreChanges: ['initialNodeCount', 'nodeConfig'] },
  };
}

/** Each by itself: what is left out stays as it was before. */
function addonsOf({ cluster }: GkeContext) {
  const addons = cluster.spec.cluster.gke?.addons;
  return {
    gcpFilestoreCsiDriverConfig: { enabled: true },
    gcePersistentDiskCsiDriverConfig: { enabled: addons?.persistentDisk !== false },
    gcsFuseCsiDriverConfig: { enabled: addons?.gcsFuse === true },
  };
}

function networkingOf({ cluster }: GkeContext) {
  const { private: isPrivate, authorizedNetworks } = cluster.spec.network;
  const name = networkNameOf(cluster);
  return {
    network: name,
    subnetwork: name,
    networkingMode: 'VPC_NATIVE',
    // Cannot be changed later, and network cards for GPU traffic need it.
    datapathProvider: 'ADVANCED_DATAPATH',
    ipAllocationPolicy: { clusterSecondaryRangeName: PODS_RANGE, servicesSecondaryRangeName: SERVICES_RANGE },
    ...(isPrivate && { privateClusterConfig: { enablePrivateNodes: true, enablePrivateEndpoint: false } }),
    ...(authorizedNetworks.length > 0 && {
      masterAuthorizedNetworksConfig: {
        cidrBlocks: authorizedNetworks.map((cidrBlock) => ({ cidrBlock })),
      },
    }),
  };
}

/** The longest ID of a service account (IAM). */
const LONGEST = 30;

/**
 * What nodes may do: write logs and metrics, and read images (GKE hardening guide). The default account of Compute
 * Engine could change the whole project.
 */
const ROLES = [
  'roles/artifactregistry.reader',
  'roles/logging.logWriter',
  'roles/monitoring.metricWriter',
  'roles/monitoring.viewer',
  'roles/stackdriver.resourceMetadata.writer',
];

/** The address of the account that nodes run as. */
export function nodeAccountEmailOf({ cluster, project }: GkeContext): string {
  // A project of an organisation's own domain, 'example.com:chat', is turned around.
  const domain = project.split(':').reverse().join('.');
  return `${accountIdOf({ cluster })}@${domain}.iam.gserviceaccount.com`;
}

/** The account that nodes run as, and its roles. */
export function planNodeAccount(site: GkeContext) {
  const { cluster, project } = site;
  const id = accountIdOf(site);
  const member = `serviceAccount:${nodeAccountEmailOf(site)}`;
  return {
    account: {
      name: id,
      args: { accountId: id, project, displayName: `Nodes of the cluster ${cluster.metadata.name}` },
    },
    roles: ROLES.map((role) => ({ name: role.split('/')[1] ?? role, args: { project, role, member } })),
  };
}

function accountIdOf({ cluster }: Pick<GkeContext, 'cluster'>): string {
  return formatCloudName([cluster.metadata.name, 'nodes'], LONGEST);
}
