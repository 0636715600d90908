import type { NodePool } from '../api/node-pool';
import { CLUSTER_LABEL } from '../api/labels';
import type { Fleet } from '../fleet/fleet';
import { MANAGED_BY, mergeUserLabels, WARM_NODES_LABEL } from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { shortenName, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import { warmCpuOf } from '../fleet/hardware/warm-cpu';
import { mirrorImage } from './image-mirror';
import { tolerationsOf } from './pod/scheduling';
import type { ClusterContext } from './routing/routing-object';
import { READ_ONLY_CONTAINER } from './pod/security-context';

/**
 * The class of pods that keep nodes. Pods of engines have priority 0 or more, so the scheduler removes these for them.
 * Below -10, autoscalers would neither add a node for them nor keep theirs.
 */
const PRIORITY_CLASS = 'fleetwright-warm-nodes';
const PRIORITY = -5;

const PAUSE = 'registry.k8s.io/pause:3.10.1';

/** The user of the image. */
const USER = 65_535;

/**
 * Renders pods that keep nodes of pools in reserve, so that a further copy need not wait for a node.
 *
 * Each requests most of the CPU of a node, and no devices: it fits only on a node without engines, where an autoscaler
 * adds a node for it and does not remove it. A pod of an engine finds the devices free and the CPU taken, and the
 * scheduler preempts for CPU. It would not preempt for claimed devices.
 */
export function renderWarmNodes(context: ClusterContext, { classes }: Pick<Fleet, 'classes'>): Manifest[] {
  const pools = context.cluster.spec.nodePools.filter(({ overprovision }) => overprovision !== undefined);
  if (pools.length === 0) return [];
  const priority = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: PRIORITY_CLASS, labels: labelsOf(context) },
    value: PRIORITY,
    preemptionPolicy: 'Never',
    description: 'Pods that keep nodes in reserve for engines.',
  };
  return [priority, ...pools.flatMap((pool) => renderPool(pool, warmCpuOf(pool, classes), context))];
}

function labelsOf({ cluster, settings }: ClusterContext) {
  const own = { ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  return mergeUserLabels(own, settings?.spec.defaults.labels ?? {});
}

function renderPool(pool: NodePool, cpu: number | undefined, context: ClusterContext): Manifest[] {
  if (cpu === undefined) return [];
  const name = `warm-nodes-${pool.name}`;
  const selector = { 'app.kubernetes.io/name': name, ...WARM_NODES_LABEL };
  const labels = { ...labelsOf(context), ...selector };
  const template = { metadata: { labels }, spec: renderPod(pool, cpu, context) };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: SYSTEM_NAMESPACE, labels },
      spec: { replicas: pool.overprovision, selector: { matchLabels: selector }, template },
    },
  ];
}

function renderPod(pool: NodePool, cpu: number, { cluster }: ClusterContext): JsonObject {
  return {
    priorityClassName: PRIORITY_CLASS,
    // It does nothing, so it has nothing to end.
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    nodeSelector: { [cluster.spec.poolLabel]: pool.name },
    tolerations: tolerationsOf(pool),
    securityContext: { runAsNonRoot: true, runAsUser: USER, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pause',
        image: mirrorImage(cluster, PAUSE),
        resources: { requests: { cpu: `${cpu}m`, memory: '8Mi' }, limits: { memory: '8Mi' } },
        securityContext: READ_ONLY_CONTAINER,
      },
    ],
  };
}
