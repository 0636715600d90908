import { formatCloudName } from '../cloud-names';
import { type GkeContext, networkNameOf, PODS_RANGE, SERVICES_RANGE } from './network';

/** Returns the location of a cluster: the zone of a zonal control plane, or else the region. */
export function locationOf({ cluster, region }: GkeContext): string {
  return cluster.spec.cluster.gke?.zone ?? region;
}

/** Plans the control plane. */
export function planGkeCluster(context: GkeContext) {
  const { cluster, project, labels } = context;
  const { name } = cluster.metadata;
  return {
    name,
    args: {
      name,
      project,
      location: locationOf(context),
      deletionProtection: cluster.spec.deletionProtection,
      minMasterVersion: cluster.spec.cluster.gke?.kubernetesVersion,
      releaseChannel: { channel: 'REGULAR' },
      resourceLabels: labels,
      ...networkingOf(context),
      // Pools are separate resources, so the default pool is removed.
      removeDefaultNodePool: true,
      initialNodeCount: 1,
      nodeConfig: { serviceAccount: nodeAccountEmailOf(context) },
      workloadIdentityConfig: { workloadPool: `${project}.svc.id.goog` },
      addonsConfig: addonsOf(context),
      // Envoy Gateway installs the same definitions, and the two would overwrite each other.
      gatewayApiConfig: { channel: 'CHANNEL_DISABLED' },
    },
    options: { ignoreChanges: ['initialNodeCount', 'nodeConfig'] },
  };
}

/** Sets each add-on explicitly: an omitted add-on keeps its previous state. */
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
    // Cannot be changed later. Network cards for GPU traffic need it.
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

/** The maximum length of a service account ID (IAM). */
const MAX_ACCOUNT_ID_LENGTH = 30;

/**
 * The roles of nodes: write logs and metrics, and pull images (GKE hardening guide). The default account of Compute
 * Engine could change the whole project.
 */
const ROLES = [
  'roles/artifactregistry.reader',
  'roles/logging.logWriter',
  'roles/monitoring.metricWriter',
  'roles/monitoring.viewer',
  'roles/stackdriver.resourceMetadata.writer',
];

/** Returns the email address of the service account of nodes. */
export function nodeAccountEmailOf({ cluster, project }: GkeContext): string {
  // The parts of a domain-scoped project, such as 'example.com:chat', are in reverse order.
  const domain = project.split(':').reverse().join('.');
  return `${accountIdOf({ cluster })}@${domain}.iam.gserviceaccount.com`;
}

/** Plans the service account of nodes, and its roles. */
export function planNodeAccount(context: GkeContext) {
  const { cluster, project } = context;
  const id = accountIdOf(context);
  const member = `serviceAccount:${nodeAccountEmailOf(context)}`;
  return {
    account: {
      name: id,
      args: { accountId: id, project, displayName: `Nodes of the cluster ${cluster.metadata.name}` },
    },
    roles: ROLES.map((role) => ({ name: role.split('/')[1] ?? role, args: { project, role, member } })),
  };
}

function accountIdOf({ cluster }: Pick<GkeContext, 'cluster'>): string {
  return formatCloudName([cluster.metadata.name, 'nodes'], MAX_ACCOUNT_ID_LENGTH);
}
