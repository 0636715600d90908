import type { Doc } from './build';
import { fullDocument } from './documents';
import { FULL_POD } from './full-pod';
import { type BadRow, changed, told } from './rows';

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
  expect(told(withPod({}))).toEqual([]);
});

const COUNTS = 'Remove it: the plan counts on every node of a pool for every pod';

const bad: Record<string, BadRow> = {
  'a node of its own': {
    change: { nodeName: 'a' },
    want: [`nodeName: the field 'nodeName' has no place here. ${COUNTS}.`],
  },
  'a selector of nodes': {
    change: { nodeSelector: {} },
    want: [
      "nodeSelector: the field 'nodeSelector' has no place here. Remove it: pods go to all nodes of the pool that the plan chose. Choose clusters with clusterSelector, or make a pool of those nodes.",
    ],
  },
  'the network of its node': {
    change: { hostNetwork: true },
    want: [
      "hostNetwork: the field 'hostNetwork' has no place here. Remove it: pods with the ports of their node cannot share it, which the plan counts on.",
    ],
  },
  'a port of its node': {
    change: { 'containers.1.ports.0.hostPort': 80 },
    want: [
      "containers.1.ports.0.hostPort: the field 'hostPort' has no place here. Remove it: pods with a port of their node cannot share it, which the plan counts on.",
    ],
  },
  'the priority of what a cluster cannot run without': {
    change: { priorityClassName: 'system-cluster-critical' },
    want: [
      "priorityClassName: the priority class 'system-cluster-critical' is for pods that a cluster cannot run without, and evicts all others. Name a PriorityClass of your own.",
    ],
  },
  'a priority with the prefix of those of Kubernetes': {
    change: { priorityClassName: 'system-of-ours' },
    want: [
      "priorityClassName: the priority class 'system-of-ours' is for pods that a cluster cannot run without, and evicts all others. Name a PriorityClass of your own.",
    ],
  },
  'tolerations beside those of its pool': {
    change: { tolerations: [] },
    want: [
      "tolerations: the field 'tolerations' has no place here. Remove it: pods tolerate the taints of their pool, which stand at spec.nodePools[].taints of the InferenceCluster.",
    ],
  },
  'nodes that it requires': {
    change: { 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution': {} },
    want: [
      `affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: the field 'requiredDuringSchedulingIgnoredDuringExecution' has no place here. ${COUNTS}. Prefer nodes instead.`,
    ],
  },
  'pods that it shuns': {
    change: { 'affinity.podAntiAffinity': {} },
    want: [
      `affinity.podAntiAffinity: the field 'podAntiAffinity' has no place here. ${COUNTS}. Use topologySpreadConstraints to prefer a spread.`,
    ],
  },
  'a spread that it requires': {
    change: { 'topologySpreadConstraints.0.whenUnsatisfiable': 'DoNotSchedule' },
    want: ["topologySpreadConstraints.0.whenUnsatisfiable: expected 'ScheduleAnyway', got 'DoNotSchedule'."],
  },
  'claims of its containers': {
    change: { 'containers.0.resources.claims': [] },
    want: [
      "containers.0.resources.claims: the field 'claims' has no place here. Ask for devices at members[].nodeSelector.devices.",
    ],
  },
  'a resource that the plan does not count': {
    change: { 'containers.1.resources.requests.ephemeral-storage': '1Gi' },
    want: [
      "containers.1.resources.requests.ephemeral-storage: the field 'ephemeral-storage' has no place here. Remove it: the plan does not count it, so a pod that asks for it may find no node.",
    ],
  },
  'two containers of one name': {
    change: { 'initContainers.0.name': 'logs' },
    want: ["initContainers.0.name: another container of the pod is called 'logs'. Rename one of the two."],
  },
  'a container with a name of ours': {
    change: { 'initContainers.0.name': 'wait-for-cache' },
    want: ["initContainers.0.name: the container 'wait-for-cache' is one of ours. Rename yours."],
  },
  'two containers with one port': {
    change: { 'initContainers.1.ports.0': { containerPort: 9100 } },
    want: [
      "initContainers.1.ports.0.containerPort: the port 9100/TCP is that of container 'logs' already. Containers of a pod share one address: choose another port.",
    ],
  },
  'a port with a name of ours': {
    change: { 'containers.1.ports.0.name': 'http' },
    want: ["containers.1.ports.0.name: the port name 'http' is that of the engine. Rename it."],
  },
  'a mount without a volume': {
    change: { 'containers.1.volumeMounts.0.name': 'scrach' },
    want: ["containers.1.volumeMounts.0.name: there is no volume 'scrach'. Use 'scratch'."],
  },
  'two mounts at one path': {
    change: { 'containers.0.volumeMounts.1.mountPath': '/scratch' },
    want: [
      "containers.0.volumeMounts.1.mountPath: the path '/scratch' stands here twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'a volume with a name of ours': {
    change: { 'volumes.4.name': 'model-cache' },
    want: ["volumes.4.name: the volume 'model-cache' is one of ours. Mount it without declaring it, or rename yours."],
  },
  'a volume with a name of an adapter of ours': {
    change: { 'volumes.4.name': 'adapter-0' },
    want: ["volumes.4.name: the volume 'adapter-0' is one of ours. Mount it without declaring it, or rename yours."],
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
        `initContainers.1.${field}: an init container that ends has no field '${field}'. Remove it, or make it a sidecar with 'restartPolicy: Always'.`,
    ),
  },
  'a privileged container that may not escalate': {
    change: { 'containers.0.securityContext.privileged': true },
    want: [
      'containers.0.securityContext.allowPrivilegeEscalation: a privileged container can always escalate. Remove one of the two.',
    ],
  },
  'a capability as the kernel calls it': {
    change: { 'containers.0.securityContext.capabilities.add': ['ipc_lock'] },
    want: [
      "containers.0.securityContext.capabilities.add.0: 'ipc_lock' is not a capability. Write it in capitals and without CAP_, as in 'IPC_LOCK'.",
    ],
  },
  'a profile of system calls without its file': {
    change: { 'securityContext.seccompProfile.localhostProfile': undefined },
    want: [
      'securityContext.seccompProfile.localhostProfile: a profile of type Localhost needs the path of its file. Set localhostProfile.',
    ],
  },
  'a file with a profile that has none': {
    change: { 'securityContext.seccompProfile.type': 'RuntimeDefault' },
    want: [
      "securityContext.seccompProfile.localhostProfile: a profile of type RuntimeDefault has no file. Remove it, or set 'type: Localhost'.",
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
      "volumes.6.projected.sources.3: the file 'sub/b' stands in this volume twice. Give one of the two another path.",
    ],
  },
  'a path of a volume that leaves it': {
    change: { 'containers.0.volumeMounts.0.subPath': 'a/../..', 'volumes.1.configMap.items.0.path': '/a' },
    want: [
      "containers.0.volumeMounts.0.subPath: 'a/../..' is not a path within a folder. Begin it without '/', and leave out '..'.",
      "volumes.1.configMap.items.0.path: '/a' is not a path within a folder. Begin it without '/', and leave out '..'.",
    ],
  },
  'a path from nowhere': {
    change: { 'containers.0.volumeMounts.0.mountPath': 'scratch' },
    want: [
      "containers.0.volumeMounts.0.mountPath: 'scratch' is not a path from the root. Begin it with '/', and leave out '..' and ':'.",
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
      "containers.0.envFrom.0.prefix: '1_' is not the beginning of the name of a variable. Use letters, digits and '_', with no digit in front.",
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
    expect(told(withPod(change))).toEqual(want.map((line) => `${SPEC}.${line}`));
  });
});
