import { expectRefusal, inFolderOfFleets, kubeconfigs, type Refusal } from './refused';

inFolderOfFleets();

/** A document that is declared next to a fleet. */
function declared(kind: string, name: string, spec: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\n${spec}---\n`;
}

/** One GPU on a node of GKE, and eight as the class says. */
const h100 = declared(
  'InferenceClass',
  'h100',
  `spec:
  provisioning: { provider: GKE, gke: { machineType: g2-standard-8, accelerator: { type: nvidia-l4, count: 1 } } }
  devices: [{ name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8 }]
`,
);

const slices = declared(
  'InferenceClass',
  'slices',
  `spec:
  provisioning: { provider: EKS, eks: { instanceType: p5.48xlarge, accelerator: { type: nvidia-h100, count: 8 } } }
  devices: [{ name: slice, driver: gpu.nvidia.com, deviceClassName: mig.nvidia.com, count: 56 }]
`,
);

const long = 'h'.repeat(41);

/** Everything that can be wrong with one cluster on GKE at once. */
const onGke = declared(
  'InferenceCluster',
  'paris.eu',
  `spec:
  cluster: { source: GKE, gke: { region: europe-west9, zone: europe-west1-b, kubernetesVersion: '1.37' } }
  network: { cidr: 172.17.0.0/20 }
  storage: { sharedFilesystem: { storageClassName: standard-rwx } }
  nodePools:
    - { name: ${long}, className: h100, nodeCount: 9, zones: [europe-west9-a, europe-west1-c, europe-west9-b] }
    - { name: h200, className: h200, zones: [europe-west9-a] }
`,
);

const cork = 'c'.repeat(64);

/** And with one on EKS. */
const onEks = declared(
  'InferenceCluster',
  cork,
  `spec:
  cluster: { source: EKS, eks: { region: eu-west-1, kubernetesVersion: '1.33' } }
  network: { cidr: 10.0.0.0/33 }
  storage: { sharedFilesystem: { storageClassName: gp2 } }
  nodePools:
    - { name: system, className: slices }
`,
);

const elsewhere = [
  ['delft', 'AKS, aks: { location: westeurope } }, storage: { sharedFilesystem: { storageClassName: managed } '],
  ['oslo', 'Nebius, nebius: {} '],
  ['rome', 'Vultr, vultr: { region: fco } '],
]
  .map(([name = '', source]) => declared('InferenceCluster', name, `spec: { cluster: { source: ${source}} }\n`))
  .join('');

const place = (at: string): string => `fleet/more.yaml:${at}:`;
const NOT_GIVEN =
  'Remove it to use the shared file system that comes with the cluster, or name a storage class of your own.';

const notMade = (at: string, source: string, name: string): string =>
  `${place(at)} Fleetwright creates clusters on GKE, EKS, AKS, and no Cloud with source '${source}' is passed. If the cluster exists, run 'pulumi config set --secret --path fleetwright:kubeconfigs.${name} < KUBECONFIG', pass its kubeconfig as kubeconfigs, or set spec.cluster to { source: Existing, existing: { context: CONTEXT } }. If the program creates the cluster, pass a Cloud with source '${source}' in clouds of the FleetStack.`;

const NO_LOCK =
  "other.yaml: there is no lock file yet. Review 'fleetwright plan fleet --lock other.yaml', then run 'fleetwright lock fleet --lock other.yaml'.";

/** What looks for another resource, or at engines. */
const NO_CLASS = `${place('24:32')} there is no InferenceClass 'h200'. Use 'h100'.`;
const NO_DRA = `${place('30:72')} Kubernetes 1.33 does not serve resource.k8s.io/v1. Use 1.34 or later, or set 'dra: false'.`;

const everything = [
  `${place('6:3')} the class declares 8 GPUs for each node, and 'g2-standard-8' has 1. Correct the device or the instance type.`,
  `${place('17:19')} 'paris.eu' is not a cluster name on GKE. Use at most 40 letters, digits and '-', starting with a letter.`,
  `${place('19:22')} the Google Cloud project is not set. Run 'pulumi config set gcp:project PROJECT'.`,
  `${place('19:62')} 'europe-west1-b' is not a zone of the region europe-west9. Write it as in 'europe-west9-a', or correct the region.`,
  `${place('19:97')} Kubernetes 1.37 is not between 1.33 and 1.36, the versions for new clusters on GKE. Use one of these versions.`,
  `${place('20:20')} '172.17.0.0/20' overlaps 172.17.0.0/16, which container runtimes use. Use a range like '10.0.0.0/14'.`,
  `${place('20:20')} the range has addresses for the pods of 2 nodes, and the pools have 10. Use a larger range: each node takes 256 addresses for pods.`,
  `${place('21:52')} 'standard-rwx' is a storage class of GKE itself, and makes volumes in the network 'default', which nodes of this cluster cannot reach. ${NOT_GIVEN}`,
  `${place('23:15')} a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.`,
  `${place('23:113')} 'europe-west1-c' is not a zone of the region europe-west9. List its zones as in 'europe-west9-a', or correct the region.`,
  NO_CLASS,
  `${place('28:19')} '${cork}' is not a cluster name on EKS. Use at most 37 letters, digits and '-'.`,
  `${place('28:19')} a text of 64 characters is greater than the maximum of 63. Shorten it: it is the value of a label of workloads.`,
  NO_DRA,
  `${place('30:72')} Kubernetes 1.33 is not between 1.34 and 1.36, the versions for new clusters on EKS. Use one of these versions.`,
  `${place('31:20')} '10.0.0.0/33' is not a range of IPv4 addresses. Write it as in '10.0.0.0/16'.`,
  `${place('32:52')} 'gp2' is a storage class of EKS itself, and makes volumes for one node at a time. ${NOT_GIVEN}`,
  `${place('34:7')} the field 'zones' is missing. List the zones of the region that have the machine type. Pools on EKS require them.`,
  `${place('34:15')} 'system' is the name of the pool for the cluster itself. Use another name.`,
  `${place('34:34')} InferenceClass 'slices' has partitions of GPUs, and new nodes on EKS have whole GPUs. Declare whole GPUs, or use an existing cluster with partitioned GPUs.`,
  `${place('39:115')} 'managed' is a storage class of AKS itself, and makes volumes for one node at a time. ${NOT_GIVEN}`,
  notMade('44:28', 'Nebius', 'oslo'),
  notMade('49:28', 'Vultr', 'rome'),
  `lisbon: the fleet has no cluster of this name. Use one of berlin, ${cork}, delft, munich, oslo, paris.eu, rome.`,
  NO_LOCK,
];

const wrong: Pick<Refusal, 'more' | 'args'> = {
  more: [h100, slices, onGke, onEks, elsewhere].join(''),
  args: { lock: 'other.yaml', kubeconfigs: { ...kubeconfigs, lisbon: 'token: abc' } },
};

const cases: Record<string, Refusal> = {
  'all that can be wrong with a fleet and its stack is reported at once': { ...wrong, want: everything },
  'so it is with a lock that cannot be read': {
    ...wrong,
    copy: ['fleet/fleet.yaml', 'other.yaml'],
    want: everything.map((line) =>
      line === NO_LOCK
        ? "other.yaml:1:1: the line 'version: 1' is missing: this is not a lock file. Restore it from git, or recreate it with 'fleetwright lock DIR --from HEAD'."
        : line,
    ),
  },
  'only what looks for other resources waits until all of them can be read': {
    ...wrong,
    change: ['fleet/fleet.yaml', 'replicas: 2', 'replica: 2'],
    want: [
      "fleet/fleet.yaml:57:3: unknown field 'replica'. Use 'replicas'.",
      ...everything.filter((line) => line !== NO_CLASS && line !== NO_DRA),
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, row) => expectRefusal(row));
