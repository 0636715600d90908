import { z } from 'zod';
import { engineContainer, helperContainer, initContainers } from './pod/container';
import {
  containersAreNotOurs,
  containersDiffer,
  mountsHaveVolumes,
  onlySidecarsAreProbed,
  portsAreNotOurs,
  portsDiffer,
  volumesAreNotOurs,
} from './pod/pod-rules';
import { affinity, hostAliases, topologySpreadConstraints } from './pod/scheduling';
import { podSecurity } from './pod/security-context';
import { volume } from './pod/volume';
import { fields } from './reading/fields';
import { rules } from './reading/rule';
import { annotationMap } from './shared/label-map';
import { namedList } from './shared/list';
import { objectName } from './shared/names';
import { userLabels } from './user-labels';

/** The limit of the alias group, far below that of Kubernetes. */
const LONGEST_ANNOTATION = 8192;

/** Fields of a pod that would break what the plan promises, and what to do instead. */
const REFUSED = {
  nodeName: 'Remove it: the plan counts on every node of a pool for every pod',
  nodeSelector:
    'Remove it: pods go to all nodes of the pool that the plan chose. Choose clusters with clusterSelector, or make a pool of those nodes',
  tolerations:
    'Remove it: pods tolerate the taints of their pool, which stand at spec.nodePools[].taints of the InferenceCluster',
  hostNetwork: 'Remove it: pods with the ports of their node cannot share it, which the plan counts on',
  hostPID: 'Remove it: an engine needs no processes of its node',
  hostIPC: 'Remove it: shared memory is at /dev/shm',
  resourceClaims: 'Ask for devices at members[].nodeSelector.devices',
  restartPolicy: 'Remove it: what serves is always started again',
  activeDeadlineSeconds: 'Remove it: what serves has no end',
  overhead: 'Remove it: Kubernetes takes it from the RuntimeClass',
  schedulingGates: 'Remove it: nothing would open them',
};

const spec = fields(
  {
    containers: z
      .tuple([engineContainer], helperContainer)
      .describe("The engine's container first, then those that run beside it."),
    initContainers: initContainers
      .optional()
      .describe('Containers that run before the engine, one after the other, and its sidecars.'),
    volumes: namedList(volume, { max: 64 }).optional().describe('What containers mount.'),
    imagePullSecrets: z
      .array(
        fields({ name: objectName.describe('The name of the Secret, in the namespace of the deployment.') }),
      )
      .default([])
      .describe('Secrets for the registry of the image.'),
    serviceAccountName: objectName
      .optional()
      .describe('The account of the pods, for identities of a cloud. Default: default.'),
    automountServiceAccountToken: z
      .boolean()
      .optional()
      .describe('Whether they can talk to the API server. Default: false.'),
    priorityClassName: objectName
      .optional()
      .describe('Which pods go first when a node is full. Default: none.'),
    schedulerName: objectName.optional().describe("Who chooses their node. Default: the cluster's own."),
    runtimeClassName: objectName
      .optional()
      .describe('What runs their containers. The plan does not count its overhead. Default: the usual.'),
    terminationGracePeriodSeconds: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .describe('Seconds to end. Default: those of the engine.'),
    affinity: affinity.optional().describe('Which nodes of the pool are better than others.'),
    topologySpreadConstraints: topologySpreadConstraints
      .optional()
      .describe('How pods should spread over the nodes of the pool.'),
    securityContext: podSecurity
      .optional()
      .describe('What all containers may do, unless they say otherwise.'),
    hostAliases: hostAliases.optional().describe('Names that resolve without DNS.'),
  },
  REFUSED,
)
  .check(
    rules(
      containersAreNotOurs,
      containersDiffer,
      portsAreNotOurs,
      portsDiffer,
      mountsHaveVolumes,
      volumesAreNotOurs,
      onlySidecarsAreProbed,
    ),
  )
  .describe('What the pods are made of: a part of the pod of Kubernetes, named as there.');

/** The pods of a member: what of a pod template may be set. */
export const podTemplate = fields({
  metadata: fields({
    labels: userLabels.describe('Labels of the pods.'),
    annotations: annotationMap(32, LONGEST_ANNOTATION).default({}).describe('Annotations of the pods.'),
  })
    .prefault({})
    .describe('Labels and annotations of the pods.'),
  spec,
}).describe('The pods of the member.');

/** The pods of a member. */
export type PodTemplate = z.output<typeof podTemplate>;
