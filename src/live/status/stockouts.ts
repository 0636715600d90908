import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import { textAt, valueAt } from '../../base/json';
import { sortedBy } from '../../base/order';
import type { ClusterDeclaration } from '../doctor/check';
import type { FindingLevel } from '../finding';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/** A pool that an autoscaler cannot make larger. */
export interface Stockout {
  readonly level: FindingLevel;

  /** `stockout`: the cloud has no such machine. `quota`: it may not be had. `no-scale-up`: no pool would help. */
  readonly kind: 'stockout' | 'quota' | 'no-scale-up';

  /** Absent where the event does not say. */
  readonly pool?: string;
  readonly zones: readonly string[];
  readonly machineType?: string;
  readonly message: string;
}

/** Event reasons of failed scale-ups: cluster-autoscaler, and GKE's (`FailedScaleUp`). */
export const AUTOSCALER_REASONS = ['FailedScaleUp', 'FailedToScaleUpGroup', 'NotTriggerScaleUp', 'ScaleUpTimedOut'];

/** Messages of clouds without available machines: Compute Engine, EC2, Azure. */
const NO_CAPACITY =
  /ZONE_RESOURCE_POOL_EXHAUSTED|GCE_STOCKOUT|out of resources|InsufficientInstanceCapacity|InsufficientCapacity|AllocationFailed|Overconstrained|SkuNotAvailable/i;

const QUOTA_EXCEEDED = /quota/i;

/** Zone names: `us-central1-a` of Google, `us-east-1a` of AWS. */
const ZONE = /\b[a-z]+-[a-z]+\d-[a-z]\b|\b[a-z]{2}(?:-[a-z]+){1,3}-\d[a-z]\b/g;

/** Finds failed scale-ups for rendered pods without a node, which are `waiting` by `namespace/name`. */
export function findStockouts(
  events: readonly LiveObject[],
  waiting: ReadonlyMap<string, LiveObject>,
  declared: ClusterDeclaration,
): Stockout[] {
  const stockouts = events.flatMap((event) => {
    const about = valueAt(event, ['involvedObject']);
    const pod = waiting.get(`${textAt(about, ['namespace'])}/${textAt(about, ['name'])}`);
    // Events about other pods are skipped. Events that are not about a pod are about a pool.
    if (textAt(about, ['kind']) === 'Pod' && !pod) return [];
    return waiting.size > 0 ? [toStockout(event, pod, declared)] : [];
  });
  const distinct = new Map(stockouts.map((one) => [`${one.kind} ${one.pool} ${one.message}`, one]));
  return sortedBy(distinct, ([key]) => key).map(([, one]) => one);
}

function toStockout(event: LiveObject, pod: LiveObject | undefined, { cluster, fleet }: ClusterDeclaration): Stockout {
  const message = textAt(event, ['message']);
  const pool = findPool(cluster, pod, message);
  const { gke, eks, aks } =
    fleet.classes.find(({ metadata }) => metadata.name === pool?.className)?.spec.provisioning ?? {};
  const machineType = gke?.machineType ?? eks?.instanceType ?? aks?.vmSize;
  const zones = [...new Set(message.match(ZONE) ?? pool?.zones)];
  const kind = NO_CAPACITY.test(message) ? 'stockout' : QUOTA_EXCEEDED.test(message) ? 'quota' : 'no-scale-up';
  return {
    level: kind === 'no-scale-up' ? 'warning' : 'failure',
    kind,
    ...(pool && { pool: pool.name }),
    zones,
    ...(machineType !== undefined && { machineType }),
    message,
  };
}

/** The pool that the pod selects, else one whose name is in the message: cloud node groups contain the pool name. */
function findPool(
  { spec: { nodePools, poolLabel } }: InferenceCluster,
  pod: LiveObject | undefined,
  message: string,
): NodePool | undefined {
  const wanted = textAt(pod, ['spec', 'nodeSelector', poolLabel]);
  const named = nodePools.find(({ name }) => name === wanted);
  return named ?? nodePools.find(({ name }) => toWords(message).includes(toWords(name)));
}

/** The words of a text, each between two spaces. */
function toWords(text: string): string {
  return ` ${text.replaceAll(/\W+/g, ' ')} `;
}
