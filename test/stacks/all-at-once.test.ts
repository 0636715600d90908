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

const MISSPELT = "fleet/fleet.yaml:46:38: unknown field 'nodeCoun'. Use 'nodeCount'.";

const cases: Record<string, Refusal> = {
  'a lock and clusters are reported together': {
    change: ['fleet/fleet.lock.yaml'],
    args: { kubeconfigs: {}, cluster: 'berlin' },
    want: [
      "fleet/fleet.lock.yaml: there is no lock file yet. Review 'fleetwright plan fleet', then run 'fleetwright lock fleet'.",
      `fleet/fleet.yaml:30:17: ${NO_KUBECONFIG}`,
    ],
  },
  'what is wrong with clusters is reported next to a mistake in another document, and a lock that is missing': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replica: 2'],
    more: `${misplaced.replaceAll('modelplane.ai', 'fleetwright.dev')}---\n${nebius.replace('paris', 'delft')}`,
    args: { lock: 'other.yaml', kubeconfigs: { ...kubeconfigs, rome: 'token: abc' } },
    want: [
      "fleet/fleet.yaml:57:3: unknown field 'replica'. Use 'replicas'.",
      "fleet/more.yaml:4:28: the Google Cloud project is not set. Run 'pulumi config set gcp:project PROJECT'.",
      "fleet/more.yaml:4:67: 'europe-west1-b' is not a zone of the region us-central1. Write it as in 'us-central1-a', or correct the region.",
      "fleet/more.yaml:9:28: Fleetwright creates clusters on GKE, EKS, AKS, and no Cloud with source 'Nebius' is passed. If the cluster exists, run 'pulumi config set --secret --path fleetwright:kubeconfigs.delft < KUBECONFIG', pass its kubeconfig as kubeconfigs, or set spec.cluster to { source: Existing, existing: { context: CONTEXT } }. If the program creates the cluster, pass a Cloud with source 'Nebius' in clouds of the FleetStack.",
      "other.yaml: there is no lock file yet. Review 'fleetwright plan fleet --lock other.yaml', then run 'fleetwright lock fleet --lock other.yaml'.",
      'rome: the fleet has no cluster of this name. Use one of berlin, delft, munich, paris.',
    ],
  },
  'and next to what is wrong between documents, with names of no cluster': {
    change: ['fleet/fleet.yaml', 'className: l40s', 'className: l40z'],
    more: nebius,
    args: { lock: 'other.yaml', cluster: 'berlim', kubeconfigs: { rome: 'token: abc' } },
    want: [
      "berlim: the fleet has no cluster of this name. Use 'berlin'.",
      "fleet/fleet.yaml:33:32: there is no InferenceClass 'l40z'. Use 'l40s'.",
      "other.yaml: there is no lock file yet. Review 'fleetwright plan fleet --lock other.yaml', then run 'fleetwright lock fleet --lock other.yaml'.",
      'rome: the fleet has no cluster of this name. Use one of berlin, munich, paris.',
    ],
  },
  'a selector that does not compile is reported next to a rule that a cluster breaks': {
    change: ['fleet/fleet.yaml', 'cel: ', 'cel: ('],
    more: nebius.replace(
      'source: Nebius, nebius: {} }',
      'source: AKS, aks: { location: westeurope } }, storage: { sharedFilesystem: { storageClassName: default } }',
    ),
    args: { kubeconfigs: { ...kubeconfigs, paris: 'token: abc' } },
    want: [
      "fleet/fleet.yaml:68:30: syntax error: expected ')', got the end (at 1:75 of the expression). Correct the expression at that position.",
      "fleet/more.yaml:4:115: 'default' is a storage class of AKS itself, and makes volumes for one node at a time. Remove it to use the shared file system that comes with the cluster, or name a storage class of your own.",
    ],
  },
  'a name of no cluster is reported next to a broken cluster of another name': {
    change: ['fleet/fleet.yaml', 'nodeCount: 2', 'nodeCoun: 2'],
    args: { cluster: 'munch' },
    want: [MISSPELT, "munch: the fleet has no cluster of this name. Use 'munich'."],
  },
  'a broken cluster has its name': {
    change: ['fleet/fleet.yaml', 'nodeCount: 2', 'nodeCoun: 2'],
    args: { cluster: 'munich' },
    want: [MISSPELT],
  },
  'while the name of a cluster is wrong, it may become any': {
    change: ['fleet/fleet.yaml', 'name: munich', 'name: Munich'],
    args: { cluster: 'munich' },
    want: ["fleet/fleet.yaml:39:9: 'Munich' is not a DNS name. Use 'munich'."],
  },
  'so may a document that cannot be read at all': {
    more: 'kind: [\n',
    args: { cluster: 'rome' },
    want: ["fleet/more.yaml:1:7: this '[' is not closed. Add the closing bracket, and indent the lines in between."],
  },
  'a lock that cannot be read is reported next to a mistake in a manifest': {
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replica: 2'],
    copy: ['fleet/fleet.yaml', 'other.yaml'],
    args: { lock: 'other.yaml' },
    want: [
      "fleet/fleet.yaml:57:3: unknown field 'replica'. Use 'replicas'.",
      "other.yaml:1:1: the line 'version: 1' is missing: this is not a lock file. Restore it from git, or recreate it with 'fleetwright lock DIR --from HEAD'.",
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, row) => expectRefusal(row));
