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
    zones: ['us-central1-a'],
    comment: 'A cluster on GKE. Set the zones of each pool to those of your region that have its machines.',
  },
  eks: {
    label: 'Amazon EKS',
    provider: 'EKS',
    cluster: 'eks-us-east-1',
    source: { source: 'EKS', eks: { region: 'us-east-1', zones: ['us-east-1a', 'us-east-1b'] } },
    zones: ['us-east-1a'],
    comment: 'A cluster on EKS. Set the zones of each pool to those of your region that have its machines.',
  },
  aks: {
    label: 'Azure Kubernetes Service',
    provider: 'AKS',
    cluster: 'aks-eastus',
    source: { source: 'AKS', aks: { location: 'eastus' } },
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

export const STARTER_CLOUD_NAMES = Object.keys(STARTER_CLOUDS) as readonly StarterCloud[];
