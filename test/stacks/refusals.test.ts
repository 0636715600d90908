import { gke } from '../../stacks/gke';
import { type Cloud, type CloudProblem, ExistingCluster, FleetStack, type FleetStackArgs } from '../../stacks/index';
import { refusal } from './build';
import { record } from './record';
import {
  expectRefusal,
  inFolderOfFleets,
  kubeconfigs,
  misplaced,
  nebius,
  NO_KUBECONFIG,
  type Refusal,
} from './refused';

inFolderOfFleets();

const CUSTOM = nebius.replace('source: Nebius, nebius: {}', 'source: Custom, custom: { cloud: OKE, region: fra }');

const refuse = (): never => {
  throw new Error('a cluster with problems is not planned');
};

const OKE: Cloud = {
  source: 'OKE',
  check: ({ spec }) => [
    {
      path: ['spec', 'cluster', 'custom', 'region'],
      message: `'${spec.cluster.custom?.region}' is not a region of OKE`,
      hint: "Use 'phx'",
    },
    { message: 'it is full', hint: 'Use another cloud' },
  ],
  plan: refuse,
  make: refuse,
};
const NEBIUS_PROBLEM: CloudProblem = { message: 'the quota is used up', hint: 'Request more' };

const cases: Record<string, Refusal> = {
  'a lock that is missing names the command that writes it': {
    change: ['fleet/fleet.lock.yaml'],
    want: [
      "fleet/fleet.lock.yaml: there is no lock file yet. Review 'fleetwright plan fleet', then run 'fleetwright lock fleet'.",
    ],
  },
  'a lock that is out of date does too': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replicas: 3'],
    want: [
      "fleet/fleet.lock.yaml: the lock file is out of date: it differs for ml/qwen3-8b. Review 'fleetwright plan fleet', then run 'fleetwright lock fleet'.",
    ],
  },
  'the stack of one cluster is refused for what concerns it, in the same words': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replicas: 3'],
    args: { cluster: 'munich' },
    want: [
      "fleet/fleet.lock.yaml: the lock file is out of date: it differs for ml/qwen3-8b. Review 'fleetwright plan fleet', then run 'fleetwright lock fleet'.",
    ],
  },
  'and not for a pool of another that has lost its room': {
    change: ['fleet/fleet.yaml', 'nodeCount: 3', 'nodeCount: 0'],
    args: { cluster: 'munich' },
    want: [],
  },
  'which refuses the stack of that cluster': {
    change: ['fleet/fleet.yaml', 'nodeCount: 3', 'nodeCount: 0'],
    args: { cluster: 'berlin' },
    want: [
      "fleet/fleet.lock.yaml: the lock file is out of date: it differs for ml/qwen3-8b. Review 'fleetwright plan fleet', then run 'fleetwright lock fleet'.",
    ],
  },
  'without a lock the stack of one cluster decides the whole fleet': {
    change: ['fleet/fleet.yaml', 'nodeCount: 3', 'nodeCount: 0'],
    args: { cluster: 'munich', lockMode: 'ephemeral' },
    want: [],
  },
  'a lock elsewhere is named in the command': {
    args: { lock: 'other.yaml' },
    want: [
      "other.yaml: there is no lock file yet. Review 'fleetwright plan fleet --lock other.yaml', then run 'fleetwright lock fleet --lock other.yaml'.",
    ],
  },
  'a stack that is thrown away needs no lock': {
    change: ['fleet/fleet.lock.yaml'],
    args: { lockMode: 'ephemeral' },
    want: [],
  },
  'a lock that is there is not read for a stack that is thrown away': {
    change: ['fleet/fleet.lock.yaml', 'version: 1', 'version: nonsense'],
    args: { lockMode: 'ephemeral' },
    want: [],
  },
  'replicas that fit nowhere stop a stack that is thrown away too, with what is missing and the cheapest remedy': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replicas: 30'],
    args: { lockMode: 'ephemeral' },
    want: [
      'fleet/fleet.yaml:57:13: 10 of 30 replicas of ml/qwen3-8b do not fit (berlin / l40s, munich / l40s: needs 1 gpu on one node; all its devices are in use). Cheapest: 1 more node in berlin / l40s (4 GPUs) (for 4 of the 10).',
    ],
  },
  'a fleet without replicas needs a lock too': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replicas: 0'],
    args: { lock: 'other.yaml' },
    want: [
      "other.yaml: there is no lock file yet. Review 'fleetwright plan fleet --lock other.yaml', then run 'fleetwright lock fleet --lock other.yaml'.",
    ],
  },
  'a context next to a Secret is one of the kubeconfig in it, not of the file of whoever applies': {
    change: ['fleet/fleet.yaml', '{ secretRef: {', '{ context: berlin, secretRef: {'],
    args: { kubeconfigs: {} },
    want: [`fleet/fleet.yaml:30:34: ${NO_KUBECONFIG}`],
  },
  'a cluster that names a Secret needs its kubeconfig': {
    args: { kubeconfigs: {} },
    want: [`fleet/fleet.yaml:30:17: ${NO_KUBECONFIG}`],
  },
  'one cluster of several needs only what it needs itself': {
    args: { kubeconfigs: {}, cluster: 'munich' },
    want: [],
  },
  'a cluster that the fleet has not is reported with the nearest': {
    args: { cluster: 'munch' },
    want: ["munch: the fleet has no cluster of this name. Use 'munich'."],
  },
  'so is a name of a kubeconfig': {
    args: { kubeconfigs: { ...kubeconfigs, paris: 'a' } },
    want: ['paris: the fleet has no cluster of this name. Use one of berlin, munich.'],
  },
  'clusters that cannot be made or reached are reported all at once': {
    args: { fleet: 'quickstart' },
    want: [
      'berlin: the fleet has no cluster of this name. Use one of eks-us-east, gke-us-central, onprem.',
      "quickstart/clusters.yaml:8:13: the Google Cloud project is not set. Run 'pulumi config set gcp:project PROJECT'.",
      "quickstart/clusters.yaml:35:17: no kubeconfig is set for cluster 'onprem'. Run 'pulumi config set --secret --path fleetwright:kubeconfigs.onprem < KUBECONFIG', or pass it as kubeconfigs.",
    ],
  },
  'a cluster on a cloud where none is made is reported': {
    more: nebius,
    args: { lockMode: 'ephemeral' },
    want: [
      "fleet/more.yaml:4:28: Fleetwright creates clusters on GKE, EKS, AKS, and no Cloud with source 'Nebius' is passed. If the cluster exists, run 'pulumi config set --secret --path fleetwright:kubeconfigs.paris < KUBECONFIG', pass its kubeconfig as kubeconfigs, or set spec.cluster to { source: Existing, existing: { context: CONTEXT } }. If the program creates the cluster, pass a Cloud with source 'Nebius' in clouds of the FleetStack.",
    ],
  },
  'a cluster on a cloud that the program does not pass is reported': {
    more: CUSTOM,
    args: { lockMode: 'ephemeral' },
    want: [
      "fleet/more.yaml:4:28: Fleetwright creates clusters on GKE, EKS, AKS, and no Cloud with source 'OKE' is passed. If the cluster exists, run 'pulumi config set --secret --path fleetwright:kubeconfigs.paris < KUBECONFIG', pass its kubeconfig as kubeconfigs, or set spec.cluster to { source: Existing, existing: { context: CONTEXT } }. If the program creates the cluster, pass a Cloud with source 'OKE' in clouds of the FleetStack.",
    ],
  },
  'the problems that a cloud of the program finds have the place of the field': {
    more: CUSTOM,
    args: { lockMode: 'ephemeral', clouds: [OKE] },
    want: [
      'fleet/more.yaml:4:28: it is full. Use another cloud.',
      "fleet/more.yaml:4:66: 'fra' is not a region of OKE. Use 'phx'.",
    ],
  },
  'a cloud of the program also creates clusters on Nebius': {
    more: nebius,
    args: { lockMode: 'ephemeral', clouds: [{ ...OKE, source: 'Nebius', check: () => [NEBIUS_PROBLEM] }] },
    want: ['fleet/more.yaml:4:28: the quota is used up. Request more.'],
  },
  'with a kubeconfig it is one that exists': {
    more: nebius,
    args: { lockMode: 'ephemeral', kubeconfigs: { ...kubeconfigs, paris: 'token: abc' } },
    want: [],
  },
  'an empty kubeconfig gives none, and does not stand for a cluster that is made': {
    more: misplaced,
    args: { lockMode: 'ephemeral', kubeconfigs: { berlin: '', paris: '\n' } },
    want: [
      "fleet/fleet.yaml:29:13: the kubeconfig of cluster 'berlin' is empty. Run 'pulumi config set --secret --path fleetwright:kubeconfigs.berlin < KUBECONFIG', or pass it as kubeconfigs.",
      "fleet/more.yaml:4:28: the kubeconfig of cluster 'paris' is empty. Run 'pulumi config set --secret --path fleetwright:kubeconfigs.paris < KUBECONFIG', or pass it as kubeconfigs.",
    ],
  },
  'an empty name is that of no project': {
    more: misplaced.replace('europe-west1-b', 'us-central1-b'),
    args: { lockMode: 'ephemeral', clouds: [gke({ project: '' })] },
    want: ["fleet/more.yaml:4:28: the Google Cloud project is not set. Run 'pulumi config set gcp:project PROJECT'."],
  },
  'what a cloud would refuse stops a cluster of the alias group when it is made': {
    more: misplaced,
    args: { lockMode: 'ephemeral', clouds: [gke({ project: 'models' })] },
    want: [
      "fleet/more.yaml:4:67: 'europe-west1-b' is not a zone of the region us-central1. Write it as in 'us-central1-a', or correct the region.",
    ],
  },
  'and does not where it is given': {
    more: misplaced,
    args: { lockMode: 'ephemeral', kubeconfigs: { ...kubeconfigs, paris: 'token: abc' } },
    want: [],
  },
  'a folder with a program is reported to be one': {
    args: { fleet: 'program' },
    want: [
      'program: a program declares this fleet, and this stack reads manifests only. Create a FleetStack in the program, with its Fleet.',
    ],
  },
  'a lock that stands among the manifests is no manifest, whatever its name': {
    copy: ['fleet/fleet.lock.yaml', 'fleet/locked.yaml'],
    args: { lock: 'fleet/locked.yaml' },
    want: [],
  },
  'a folder without resources is reported, not taken for a fleet that no one wants': {
    args: { fleet: 'nothing' },
    want: [
      'nothing: it declares no resource of Fleetwright. Use the folder of the fleet. To delete a fleet, remove its files.',
    ],
  },
  'a mistake in a manifest has its place': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replica: 2'],
    want: ["fleet/fleet.yaml:57:3: unknown field 'replica'. Use 'replicas'."],
  },
};

test.each(Object.entries(cases))('%s', (_, row) => expectRefusal(row));

/** How many namespaces stay when the stack is destroyed. */
async function kept(args: Partial<FleetStackArgs>): Promise<number> {
  const all = await record(() => new FleetStack('models', { fleet: 'fleet', kubeconfigs, ...args }));
  return all.filter(({ type, retainOnDelete }) => retainOnDelete && type.endsWith(':Namespace')).length;
}

test('namespaces and volumes go with the stack where it says so', async () => {
  expect([await kept({}), await kept({ keepData: false })]).toEqual([1, 0]);
});

test('a cluster that is given under the name of another is refused', async () => {
  let said: string[] = [];
  await record(() => {
    const berlin = new ExistingCluster('munich', { context: 'a' });
    said = refusal(() => new FleetStack('models', { fleet: 'fleet', clusters: { berlin } }));
  });
  expect(said).toEqual(["berlin: the cluster passed for it is 'munich'. Pass it as clusters['munich']."]);
});
