import { PROVIDER_LABEL, REGION_LABEL } from '../../api/labels';
import type { ManagedCloud } from '../../provision/managed-cloud';

/** Where a new fleet runs. */
export type StarterCloud = 'gke' | 'eks' | 'aks' | 'existing';

interface StarterCloudRow {
  /** What a person reads in a question. */
  readonly label: string;

  /** The cloud whose instance types its nodes have. Absent: the hardware is declared. */
  readonly provider?: ManagedCloud;

  /** The name of the cluster of a new fleet, and its `spec.cluster`. */
  readonly cluster: string;
  readonly source: object;

  /** Where the cluster is, and the label of nodes in which the cloud names their pool. */
  readonly region?: string;
  readonly poolLabel?: string;

  /** The zones of its pools where the catalog does not say which have the machines. */
  readonly zones?: readonly string[];
  readonly comment: string;
}

/** The clouds of new fleets, with a cluster for each. */
export const STARTER_CLOUDS: Readonly<Record<StarterCloud, StarterCloudRow>> = {
  gke: {
    label: 'Google Kubernetes Engine',
    provider: 'GKE',
    cluster: 'gke-us-central1',
    source: { source: 'GKE', gke: { region: 'us-central1' } },
    region: 'us-central1',
    poolLabel: 'cloud.google.com/gke-nodepool',
    zones: ['us-central1-a'],
    comment: 'A cluster on GKE. Set the zones of each pool to those of your region that have its machines.',
  },
  eks: {
    label: 'Amazon EKS',
    provider: 'EKS',
    cluster: 'eks-us-east-1',
    source: { source: 'EKS', eks: { region: 'us-east-1', zones: ['us-east-1a', 'us-east-1b'] } },
    region: 'us-east-1',
    poolLabel: 'eks.amazonaws.com/nodegroup',
    zones: ['us-east-1a'],
    comment: 'A cluster on EKS. Set the zones of each pool to those of your region that have its machines.',
  },
  aks: {
    label: 'Azure Kubernetes Service',
    provider: 'AKS',
    cluster: 'aks-eastus',
    source: { source: 'AKS', aks: { location: 'eastus' } },
    region: 'eastus',
    poolLabel: 'kubernetes.azure.com/agentpool',
    comment: 'A cluster on AKS. Set its location to a region that has the machines of its pools.',
  },
  existing: {
    label: 'a cluster that exists',
    cluster: 'onprem',
    source: { source: 'Existing', existing: { context: 'onprem' } },
    comment: [
      'A cluster that exists. `context` is its context in your kubeconfig. Its nodes carry the label',
      "fleetwright.dev/pool=POOL, or you name theirs with `poolLabel`. 'fleetwright doctor' compares both.",
    ].join('\n'),
  },
};

/** How a cluster of a new fleet is declared. */
interface StarterCluster {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: object;
  readonly zones?: readonly string[];
  readonly comment: string;
}

/**
 * Where nothing in the new folder creates the cluster of a cloud, it is declared as one that exists.
 *
 * @param made whether the Pulumi program of the folder creates it
 */
export function declareStarterCluster(cloud: StarterCloud, made: boolean): StarterCluster {
  const { label, provider, cluster, source, zones, region = '', poolLabel = '', comment } = STARTER_CLOUDS[cloud];
  // Namespaces of clusters that exist are made by others unless the cluster says so.
  const namespaces = 'Managed';
  if (provider === undefined) return { spec: { cluster: source, namespaces }, comment };
  if (made) return { spec: { cluster: source }, ...(zones && { zones }), comment };
  return {
    labels: { [PROVIDER_LABEL]: provider, [REGION_LABEL]: region },
    spec: { poolLabel, cluster: { source: 'Existing', existing: { context: cluster } }, namespaces },
    comment: [
      `A cluster on ${label} that another tool creates: 'fleetwright init --pulumi' declares one that`,
      'Pulumi creates. `context` is its context in your kubeconfig, and its node pools have the names of the pools below.',
    ].join('\n'),
  };
}

export const STARTER_CLOUD_NAMES = Object.keys(STARTER_CLOUDS) as readonly StarterCloud[];

/** The clouds on which Pulumi or another tool creates the cluster of a new fleet. */
export const MANAGED_STARTER_CLOUDS = STARTER_CLOUD_NAMES.filter((name) => STARTER_CLOUDS[name].provider !== undefined);
