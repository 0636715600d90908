import type { Doc } from './build';
import { fullDocument } from './documents';
import { FULL_POD } from './full-pod';
import { type BadRow, changed, reported } from './rows';

const SPEC = 'spec.template.spec.engines.0.members.0.template.spec';

/** A deployment with the pod that has every field, changed. */
function withPod(change: BadRow['change']): Doc {
  const document = changed(fullDocument('ModelDeployment'), {
    [SPEC]: JSON.parse(JSON.stringify(FULL_POD)) as Doc,
  });
  return changed(
    document,
    Object.fromEntries(Object.entries(change).map(([path, value]) => [`${SPEC}.${path}`, value])),
  );
}

test('a pod may have all fields at once', () => {
  expect(reported(withPod({}))).toEqual([]);
});

const COUNTS = 'Remove it: the plan expects that each pod can run on all nodes of the pool';

const bad: Record<string, BadRow> = {
  'a node of its own': {
    change: { nodeName: 'a' },
    want: [`nodeName: the field 'nodeName' is not allowed here. ${COUNTS}.`],
  },
  'a selector of nodes': {
    change: { nodeSelector: {} },
    want: [
      "nodeSelector: the field 'nodeSelector' is not allowed here. Remove it: the plan chooses the pool. To choose clusters, use clusterSelector; to choose nodes, declare a pool of those nodes.",
    ],
  },
  'the network of its node': {
    change: { hostNetwork: true },
    want: [
      "hostNetwork: the field 'hostNetwork' is not allowed here. Remove it: the plan expects that pods share nodes, and pods with the same host port cannot.",
    ],
  },
  'a port of its node': {
    change: { 'containers.1.ports.0.hostPort': 80 },
    want: [
      "containers.1.ports.0.hostPort: the field 'hostPort' is not allowed here. Remove it: the plan expects that pods share nodes, and pods with the same host port cannot.",
    ],
  },
  'the priority of what a cluster cannot run without': {
    change: { priorityClassName: 'system-cluster-critical' },
    want: [
      "priorityClassName: the priority class 'system-cluster-critical' is for pods that are critical for the cluster, and evicts all others. Use a PriorityClass of your own.",
    ],
  },
  'a priority with the prefix of those of Kubernetes': {
    change: { priorityClassName: 'system-of-ours' },
    want: [
      "priorityClassName: the priority class 'system-of-ours' is for pods that are critical for the cluster, and evicts all others. Use a PriorityClass of your own.",
    ],
  },
  'tolerations next to those of its pool': {
    change: { tolerations: [] },
    want: [
      "tolerations: the field 'tolerations' is not allowed here. Remove it: pods tolerate the taints of their pool. Declare those at spec.nodePools[].taints of the InferenceCluster.",
    ],
  },
  'nodes that it requires': {
    change: { 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution': {} },
    want: [
      `affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: the field 'requiredDuringSchedulingIgnoredDuringExecution' is not allowed here. ${COUNTS}. Use preferred nodes instead.`,
    ],
  },
  'pods that it shuns': {
    change: { 'affinity.podAntiAffinity': {} },
    want: [
      `affinity.podAntiAffinity: the field 'podAntiAffinity' is not allowed here. ${COUNTS}. Use topologySpreadConstraints instead.`,
    ],
  },
  'a spread that it requires': {
    change: { 'topologySpreadConstraints.0.whenUnsatisfiable': 'DoNotSchedule' },
    want: ["topologySpreadConstraints.0.whenUnsatisfiable: unknown value 'DoNotSchedule'. Use 'ScheduleAnyway'."],
  },
  'claims of its containers': {
    change: { 'containers.0.resources.claims': [] },
    want: [
      "containers.0.resources.claims: the field 'claims' is not allowed here. Request devices at members[].nodeSelector.devices.",
    ],
  },
  'a resource that the plan does not count': {
    change: { 'containers.1.resources.requests.ephemeral-storage': '1Gi' },
    want: [
      "containers.1.resources.requests.ephemeral-storage: the field 'ephemeral-storage' is not allowed here. Remove it: the plan does not count it, so a pod that requests it may fit no node.",
    ],
  },
  'two containers of one name': {
    change: { 'initContainers.0.name': 'logs' },
    want: ["initContainers.0.name: another container of the pod has the name 'logs'. Rename one of the two."],
  },
  'a container with a name of ours': {
    change: { 'initContainers.0.name': 'wait-for-cache' },
    want: ["initContainers.0.name: Fleetwright uses the container name 'wait-for-cache'. Rename the container."],
  },
  'two containers with one port': {
    change: { 'initContainers.1.ports.0': { containerPort: 9100 } },
    want: [
      "initContainers.1.ports.0.containerPort: container 'logs' uses port 9100/TCP too. Use another port: containers of a pod share one address.",
    ],
  },
  'a port with a name of ours': {
    change: { 'containers.1.ports.0.name': 'http' },
    want: ["containers.1.ports.0.name: the engine uses the port name 'http'. Rename it."],
  },
  'a mount without a volume': {
    change: { 'containers.1.volumeMounts.0.name': 'scrach' },
    want: ["containers.1.volumeMounts.0.name: there is no volume 'scrach'. Use 'scratch'."],
  },
  'two mounts at one path': {
    change: { 'containers.0.volumeMounts.1.mountPath': '/scratch' },
    want: [
      "containers.0.volumeMounts.1.mountPath: the path '/scratch' is listed twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'a volume with a name of ours': {
    change: { 'volumes.4.name': 'model-cache' },
    want: [
      "volumes.4.name: Fleetwright uses the volume name 'model-cache'. Mount it without a declaration, or rename the volume.",
    ],
  },
  'a volume with a name of an adapter of ours': {
    change: { 'volumes.4.name': 'adapter-0' },
    want: [
      "volumes.4.name: Fleetwright uses the volume name 'adapter-0'. Mount it without a declaration, or rename the volume.",
    ],
  },
  'a volume from two sources': {
    change: { 'volumes.0.configMap': { name: 'a' } },
    want: [
      'volumes.0: the volume has both emptyDir and configMap. Set exactly one of emptyDir, configMap, secret, persistentVolumeClaim, nfs, csi, projected, downwardAPI, hostPath.',
    ],
  },
  'a probe that asks nothing': {
    change: { 'containers.0.startupProbe.exec': undefined },
    want: ['containers.0.startupProbe: the probe has no value. Set exactly one of httpGet, exec, tcpSocket, grpc.'],
  },
  'a probe of a container that ends': {
    change: { 'initContainers.1.restartPolicy': undefined, 'initContainers.1.startupProbe': undefined },
    want: ['readinessProbe', 'livenessProbe', 'lifecycle'].map(
      (field) =>
        `initContainers.1.${field}: an init container that is not a sidecar has no field '${field}'. Remove it, or make it a sidecar with 'restartPolicy: Always'.`,
    ),
  },
  'a privileged container that may not escalate': {
    change: { 'containers.0.securityContext.privileged': true },
    want: [
      'containers.0.securityContext.allowPrivilegeEscalation: a privileged container can always escalate its privileges. Remove one of the two.',
    ],
  },
  'a capability as the kernel calls it': {
    change: { 'containers.0.securityContext.capabilities.add': ['ipc_lock'] },
    want: [
      "containers.0.securityContext.capabilities.add.0: 'ipc_lock' is not a capability. Use uppercase without CAP_, as in 'IPC_LOCK'.",
    ],
  },
  'a profile of system calls without its file': {
    change: { 'securityContext.seccompProfile.localhostProfile': undefined },
    want: [
      'securityContext.seccompProfile.localhostProfile: a profile of type Localhost needs a file. Set localhostProfile.',
    ],
  },
  'a file with a profile that has none': {
    change: { 'securityContext.seccompProfile.type': 'RuntimeDefault' },
    want: [
      "securityContext.seccompProfile.localhostProfile: a profile of type RuntimeDefault cannot have a file. Remove it, or set 'type: Localhost'.",
    ],
  },
  'a preference with values for an operator that takes none': {
    change: {
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.preference.matchExpressions.0.operator':
        'Exists',
    },
    want: [
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.preference.matchExpressions.0.values: the operator Exists takes no values. Remove the values.',
    ],
  },
  'a comparison with what is no number': {
    change: {
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.preference.matchExpressions.1.values': [
        'old',
      ],
    },
    want: [
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.preference.matchExpressions.1.values: the operator Lt takes one whole number. Write one whole number as text in a list.',
    ],
  },
  'a choice between no values': {
    change: { 'topologySpreadConstraints.0.labelSelector.matchExpressions.0.values': [] },
    want: [
      'topologySpreadConstraints.0.labelSelector.matchExpressions.0.values: the operator In takes values. Write values as text in a list.',
    ],
  },
  'two sources with one file': {
    change: { 'volumes.6.projected.sources.3.serviceAccountToken.path': 'sub/b' },
    want: [
      "volumes.6.projected.sources.3: two sources of this volume have the file 'sub/b'. Change the path of one of the two.",
    ],
  },
  'a path of a volume that leaves it': {
    change: { 'containers.0.volumeMounts.0.subPath': 'a/../..', 'volumes.1.configMap.items.0.path': '/a' },
    want: [
      "containers.0.volumeMounts.0.subPath: 'a/../..' is not a path within a folder. Do not begin it with '/', and do not use '..'.",
      "volumes.1.configMap.items.0.path: '/a' is not a path within a folder. Do not begin it with '/', and do not use '..'.",
    ],
  },
  'a path from nowhere': {
    change: { 'containers.0.volumeMounts.0.mountPath': 'scratch' },
    want: [
      "containers.0.volumeMounts.0.mountPath: 'scratch' is not a path from the root. Begin it with '/', and do not use '..' or ':'.",
    ],
  },
  'names of ports, headers and variables that Kubernetes does not take': {
    change: {
      'containers.1.ports.0.name': '9100',
      'containers.0.envFrom.0.prefix': '1_',
      'containers.0.readinessProbe.httpGet.httpHeaders.0.name': 'X Probe',
    },
    want: [
      "containers.1.ports.0.name: '9100' is not the name of a port. Use lowercase letters, digits and single '-', with a letter among them.",
      "containers.0.envFrom.0.prefix: '1_' is not the beginning of the name of a variable. Use letters, digits and '_', not starting with a digit.",
      "containers.0.readinessProbe.httpGet.httpHeaders.0.name: 'X Probe' is not the name of a header. Use letters, digits and '-'.",
    ],
  },
  'an address that is none': {
    change: { 'hostAliases.0.ip': '10.0.0.256' },
    want: ["hostAliases.0.ip: '10.0.0.256' is not an IP address. Write it as in '10.0.0.1'."],
  },
};

describe('a pod may not have', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(withPod(change))).toEqual(want.map((line) => `${SPEC}.${line}`));
  });
});
