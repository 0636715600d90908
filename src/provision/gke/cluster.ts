import { createHash } from 'node:crypto';
import { trimTrailing } from '../../base/text';
import { type GkeContext, PODS_RANGE, SERVICES_RANGE } from './network';

/** Returns the location of a cluster: the zone of a zonal control plane, or else the region. */
export function locationOf({ cluster, region }: GkeContext): string {
  return cluster.spec.cluster.gke?.zone ?? region;
}

/** Plans the control plane. */
export function planGkeCluster(context: GkeContext, drivers: GkeDrivers) {
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
      addonsConfig: addonsOf(context, drivers),
      // Envoy Gateway installs the same definitions, and the two would overwrite each other.
      gatewayApiConfig: { channel: 'CHANNEL_DISABLED' },
    },
    options: { ignoreChanges: ['initialNodeCount', 'nodeConfig'] },
  };
}

/** The drivers that caches need, in addition to the declared ones. */
interface GkeDrivers {
  /** Whether pods mount buckets. */
  readonly gcsFuse: boolean;
}

/** Sets each add-on explicitly: an omitted add-on keeps its previous state. */
function addonsOf({ cluster }: GkeContext, { gcsFuse }: GkeDrivers) {
  const addons = cluster.spec.cluster.gke?.addons;
  return {
    gcpFilestoreCsiDriverConfig: { enabled: true },
    gcePersistentDiskCsiDriverConfig: { enabled: addons?.persistentDisk !== false },
    gcsFuseCsiDriverConfig: { enabled: gcsFuse || addons?.gcsFuse === true },
  };
}

function networkingOf({ cluster }: GkeContext) {
  const { private: isPrivate, authorizedNetworks } = cluster.spec.network;
  const cidrBlocks = authorizedNetworks.map((cidrBlock) => ({ cidrBlock }));
  return {
    network: cluster.metadata.name,
    subnetwork: cluster.metadata.name,
    networkingMode: 'VPC_NATIVE',
    // Cannot be changed later. Network cards for GPU traffic need it.
    datapathProvider: 'ADVANCED_DATAPATH',
    ipAllocationPolicy: { clusterSecondaryRangeName: PODS_RANGE, servicesSecondaryRangeName: SERVICES_RANGE },
    ...(isPrivate && { privateClusterConfig: { enablePrivateNodes: true, enablePrivateEndpoint: false } }),
    ...(cidrBlocks.length > 0 && { masterAuthorizedNetworksConfig: { cidrBlocks } }),
  };
}

/** The maximum length of a service account ID (IAM). */
const MAX_ACCOUNT_ID_LENGTH = 30;
const DIGEST_LENGTH = 6;

/** From the GKE hardening guide. The default account of Compute Engine could change the whole project. */
const ROLES = [
  'roles/artifactregistry.reader',
  'roles/logging.logWriter',
  'roles/monitoring.metricWriter',
  'roles/monitoring.viewer',
  'roles/stackdriver.resourceMetadata.writer',
];

/** Returns the email address of the service account of nodes. */
export function nodeAccountEmailOf(context: GkeContext): string {
  // The parts of a domain-scoped project, such as 'example.com:chat', are in reverse order.
  const domain = context.project.split(':').reverse().join('.');
  return `${accountIdOf(context)}@${domain}.iam.gserviceaccount.com`;
}

/** Plans the service account of nodes, and its roles. */
export function planNodeAccount(context: GkeContext) {
  const { cluster, project } = context;
  const id = accountIdOf(context);
  const member = `serviceAccount:${nodeAccountEmailOf(context)}`;
  const displayName = `Nodes of the cluster ${cluster.metadata.name}`;
  return {
    account: { name: id, args: { accountId: id, project, displayName } },
    roles: ROLES.map((role) => ({ name: role.split('/')[1] ?? role, args: { project, role, member } })),
  };
}

/** Returns the ID of the service account of nodes. If the name is too long, truncates it and appends a digest. */
function accountIdOf({ cluster }: GkeContext): string {
  const { name } = cluster.metadata;
  const id = `${name}-nodes`;
  if (id.length <= MAX_ACCOUNT_ID_LENGTH) return id;
  const digest = createHash('sha256').update(`${name}/nodes`).digest('hex').slice(0, DIGEST_LENGTH);
  return `${trimTrailing(id.slice(0, MAX_ACCOUNT_ID_LENGTH - DIGEST_LENGTH - 1), '-')}-${digest}`;
}
