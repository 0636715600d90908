import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { hintAtName } from '../../base/name-suggestion';
import { IN_POD, IN_POD_TEMPLATE } from '../kubernetes-spellings';
import type { Path } from '../resource';
import { fields } from '../schema/fields';
import { annotationMap, userLabels } from '../schema/label-map';
import { namedList } from '../schema/list';
import { integer } from '../schema/quantity';
import { rules, type SchemaRule } from '../schema/rules';
import { referencedName } from '../schema/string-formats';
import { engineContainer, helperContainer, type InitContainer, initContainers } from './container';
import { isReservedContainer, isReservedVolume, RESERVED_PORTS } from './reserved-names';
import { affinity, hostAliases, topologySpreadConstraints } from './scheduling';
import { podSecurity } from './security-context';
import { volume } from './volume';

type Container = Pick<InitContainer, 'name' | 'volumeMounts'> & Partial<Pick<InitContainer, 'ports' | 'restartPolicy'>>;

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly volumes?: readonly { readonly name: string }[] | undefined;
}

function containersOf(spec: PodSpec): { readonly container: Container; readonly path: Path }[] {
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: [list, index] })),
  );
}

const containerNamesNotReserved: SchemaRule<PodSpec> = function* (spec) {
  for (const { container, path } of containersOf(spec)) {
    if (!isReservedContainer(container.name)) continue;
    const what = `Fleetwright uses the container name '${container.name}'`;
    yield errorAt('reserved-name', [...path, 'name'], what, 'Rename the container');
  }
};

const containerNamesDistinct: SchemaRule<PodSpec> = function* (spec) {
  const seen = new Set<string>();
  for (const { container, path } of containersOf(spec)) {
    if (seen.has(container.name)) {
      const what = `another container of the pod has the name '${container.name}'`;
      yield errorAt('duplicate-name', [...path, 'name'], what, 'Rename one of the two');
    }
    seen.add(container.name);
  }
};

/** Checks that all containers of a pod have distinct ports, because they share one IP address. */
const portsDistinct: SchemaRule<PodSpec> = function* (spec) {
  const seen = new Map<string, string>();
  for (const { container, path } of containersOf(spec)) {
    for (const [p, { containerPort, protocol = 'TCP' }] of (container.ports ?? []).entries()) {
      const port = `${containerPort}/${protocol}`;
      const other = seen.get(port);
      if (other !== undefined) {
        const what = `container '${other}' uses port ${port} too`;
        const hint = 'Use another port: containers of a pod share one address';
        yield errorAt('duplicate-port', [...path, 'ports', p, 'containerPort'], what, hint);
      }
      seen.set(port, container.name);
    }
  }
};

const portNamesNotReserved: SchemaRule<PodSpec> = function* (spec) {
  for (const { container, path } of containersOf(spec)) {
    for (const [p, { name }] of (container.ports ?? []).entries()) {
      if (name === undefined || !RESERVED_PORTS.has(name)) continue;
      const what = `the engine uses the port name '${name}'`;
      yield errorAt('reserved-name', [...path, 'ports', p, 'name'], what, 'Rename it');
    }
  }
};

const mountsHaveVolumes: SchemaRule<PodSpec> = function* (spec) {
  const known = (spec.volumes ?? []).map(({ name }) => name);
  for (const { container, path } of containersOf(spec)) {
    for (const [m, { name }] of (container.volumeMounts ?? []).entries()) {
      if (known.includes(name) || isReservedVolume(name)) continue;
      const hint = hintAtName(name, known, 'Add it to the volumes of this pod');
      yield errorAt('unknown-reference', [...path, 'volumeMounts', m, 'name'], `there is no volume '${name}'`, hint);
    }
  }
};

const volumeNamesNotReserved: SchemaRule<PodSpec> = function* ({ volumes = [] }) {
  for (const [v, { name }] of volumes.entries()) {
    if (!isReservedVolume(name)) continue;
    const hint = 'Mount it without a declaration, or rename the volume';
    yield errorAt('reserved-name', ['volumes', v, 'name'], `Fleetwright uses the volume name '${name}'`, hint);
  }
};

/** The fields that only long-running containers can have, because Kubernetes does not probe others. */
const LONG_RUNNING_FIELDS = ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle'] as const;

const onlySidecarsAreProbed: SchemaRule<PodSpec> = function* ({ initContainers = [] }) {
  for (const [i, container] of initContainers.entries()) {
    if (container.restartPolicy === 'Always') continue;
    for (const field of LONG_RUNNING_FIELDS.filter((one) => Reflect.get(container, one) !== undefined)) {
      const what = `an init container that is not a sidecar has no field '${field}'`;
      const hint = "Remove it, or make it a sidecar with 'restartPolicy: Always'";
      yield errorAt('contradiction', ['initContainers', i, field], what, hint);
    }
  }
};

/** The prefix of the priority classes of Kubernetes. Others cannot have it. */
const SYSTEM_PRIORITY = 'system-';

const priorityNotOfSystem: SchemaRule<string> = function* (name) {
  if (!name.startsWith(SYSTEM_PRIORITY)) return;
  const what = `the priority class '${name}' is for pods that are critical for the cluster, and evicts all others`;
  yield errorAt('reserved-name', [], what, 'Use a PriorityClass of your own');
};

/** The limit of the alias group, far below that of Kubernetes. */
const LONGEST_ANNOTATION = 8192;

/** Fields of a pod that contradict the assumptions of the plan, each with a hint on an alternative. */
const REFUSED = {
  nodeName: 'Remove it: the plan expects that each pod can run on all nodes of the pool',
  nodeSelector:
    'Remove it: the plan chooses the pool. To choose clusters, use clusterSelector; to choose nodes, declare a pool of those nodes',
  tolerations:
    'Remove it: pods tolerate the taints of their pool. Declare those at spec.nodePools[].taints of the InferenceCluster',
  hostNetwork: 'Remove it: the plan expects that pods share nodes, and pods with the same host port cannot',
  hostPID: 'Remove it: engines do not need the processes of their node',
  hostIPC: 'Remove it: pods have shared memory at /dev/shm',
  resourceClaims: 'Request devices at members[].nodeSelector.devices',
  restartPolicy: 'Remove it: pods that serve are always restarted',
  activeDeadlineSeconds: 'Remove it: pods that serve do not end',
  overhead: 'Remove it: Kubernetes sets it from the RuntimeClass',
  schedulingGates: 'Remove it: nothing connects to them',
  ...IN_POD,
};

const spec = fields(
  {
    containers: z
      .tuple([engineContainer], helperContainer)
      .prefault([{ name: 'engine' }])
      .describe(
        'The container of the engine first, then the other containers of the pod. Default: derived from spec.model.',
      ),
    initContainers: initContainers
      .optional()
      .describe('Containers that run before the engine, one after the other, and sidecars.'),
    volumes: namedList(volume, { max: 64 }).optional().describe('The volumes that containers can mount.'),
    imagePullSecrets: z
      .array(fields({ name: referencedName.describe('The name of the Secret, in the namespace of the deployment.') }))
      .default([])
      .describe('Secrets for the registry of the image.'),
    serviceAccountName: referencedName
      .optional()
      .describe('The ServiceAccount of the pods, for cloud identities. Default: default.'),
    automountServiceAccountToken: z
      .boolean()
      .optional()
      .describe('Whether the pods get a token for the API server. Default: false.'),
    priorityClassName: referencedName
      .check(rules(priorityNotOfSystem))
      .optional()
      .describe(
        'The priority class, which decides which pods are evicted first from a full node. The classes system-* of Kubernetes are rejected. Default: none.',
      ),
    schedulerName: referencedName
      .optional()
      .describe('The scheduler of the pods. Default: the scheduler of the cluster.'),
    runtimeClassName: referencedName
      .optional()
      .describe(
        'The runtime class of their containers. The plan does not count its overhead. Default: that of the cluster.',
      ),
    terminationGracePeriodSeconds: integer(0, 86_400)
      .optional()
      .describe('Seconds that the pods have to terminate. Default: drain.grace of the engine.'),
    affinity: affinity.optional().describe('Preferences for nodes of the pool.'),
    topologySpreadConstraints: topologySpreadConstraints
      .optional()
      .describe('Preferences for the spread of pods over the nodes of the pool.'),
    securityContext: podSecurity
      .optional()
      .describe('The security context of all containers, unless a container overrides it.'),
    hostAliases: hostAliases.optional().describe('Entries for /etc/hosts.'),
  },
  REFUSED,
)
  .check(
    rules(
      containerNamesNotReserved,
      containerNamesDistinct,
      portNamesNotReserved,
      portsDistinct,
      mountsHaveVolumes,
      volumeNamesNotReserved,
      onlySidecarsAreProbed,
    ),
  )
  .prefault({})
  .describe('The spec of the pods: a subset of the Kubernetes PodSpec, with the same names.');

export const podTemplate = fields(
  {
    metadata: fields({
      labels: userLabels.describe('Labels of the pods.'),
      annotations: annotationMap(32, LONGEST_ANNOTATION).default({}).describe('Annotations of the pods.'),
    })
      .prefault({})
      .describe('Labels and annotations of the pods.'),
    spec,
  },
  IN_POD_TEMPLATE,
)
  .prefault({})
  .describe('The pods of the member.');

export type PodTemplate = z.output<typeof podTemplate>;
