import { DEPLOYMENT_LABEL, ENGINE_LABEL, REPLICA_INDEX_LABEL } from '../../api/labels';
import { qualifiedNameOf } from '../../api/resource';
import { copyBoundsOf } from '../../api/engine-copies';
import { listAt, textAt, valueAt } from '../../base/json';
import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import { replicaSelectorOf } from '../../manifest/kubernetes/labels-and-annotations';
import type { ComputedReplica } from '../../replicas/replica';
import type { FindingLevel } from '../finding';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { type DeclaredImages, findOtherImages } from './declared-images';
import { judgePod, POD_PHASES, type PodPhaseName, type PodProgress } from './pod-phase';

/** How far one replica is. */
export interface ReplicaStatus {
  readonly level: FindingLevel;
  readonly deployment: string;
  readonly index: number;

  /** The phase of the pod that is least far. */
  readonly phase: PodPhaseName;

  /** Its pods, by phase. Those that miss are among them. */
  readonly pods: Readonly<Partial<Record<PodPhaseName, number>>>;

  /** What the cluster says about it. */
  readonly why?: string;
}

/** The observed objects that determine the status of replicas. */
export interface ObservedPods {
  readonly pods: readonly LiveObject[];

  /** The pool of each node, from the pool label. */
  readonly poolOf: ReadonlyMap<string, string>;

  /** Claims by `namespace/name`. Absent where they cannot be listed. */
  readonly claims?: ReadonlyMap<string, LiveObject>;

  /** The images that pods are rendered with. */
  readonly images: DeclaredImages;

  /** Why pods of a replica are not created, as clauses. */
  readonly explainMissing: (replica: ComputedReplica) => readonly string[];
}

const LEVEL_BY_PHASE: Readonly<Record<PodPhaseName, FindingLevel>> = {
  missing: 'failure',
  failed: 'failure',
  'no-node': 'failure',
  image: 'warning',
  cache: 'warning',
  loading: 'warning',
  outdated: 'failure',
  serving: 'ok',
};

/** Determines the status of replicas of one cluster. */
export function judgeReplicas(replicas: readonly ComputedReplica[], observed: ObservedPods): ReplicaStatus[] {
  const existing = observed.pods.filter(({ metadata }) => metadata['deletionTimestamp'] === undefined);
  const podsByReplica = groupBy(existing, ({ metadata }) => formatReplicaKey(metadata.namespace, metadata.labels));
  return replicas.map((replica) => {
    const key = formatReplicaKey(replica.deployment.metadata.namespace, replicaSelectorOf(replica));
    return judgeReplica(replica, podsByReplica.get(key) ?? [], observed);
  });
}

function formatReplicaKey(namespace = '', labels: Readonly<Record<string, string>> = {}): string {
  return `${namespace} ${labels[DEPLOYMENT_LABEL]} ${labels[REPLICA_INDEX_LABEL]}`;
}

function judgeReplica(replica: ComputedReplica, pods: readonly LiveObject[], observed: ObservedPods): ReplicaStatus {
  const judged = pods.map((pod) => judgeDeclaredPod(pod, observed.images));
  const counts = new Map<PodPhaseName, number>();
  for (const { phase } of judged) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  const lacking = Math.max(0, countPods(replica) - pods.length);
  if (lacking > 0) counts.set('missing', lacking);
  const phase = POD_PHASES.find((one) => counts.has(one)) ?? 'serving';
  const deviations = pods.flatMap((pod) => findDeviations(pod, replica, observed));
  const reported = judged.find((one) => one.phase === phase)?.why;
  const missing = lacking > 0 ? [`${pluralize(lacking, 'pod')} missing`, ...observed.explainMissing(replica)] : [];
  const why = [...new Set([...missing, ...(reported === undefined ? [] : [reported]), ...deviations])].join('; ');
  return {
    level: deviations.length > 0 ? 'failure' : LEVEL_BY_PHASE[phase],
    deployment: qualifiedNameOf(replica.deployment),
    index: replica.index,
    phase,
    pods: Object.fromEntries(counts),
    ...(why !== '' && { why }),
  };
}

/** The phase of a pod. One that serves with another image than declared does not serve what was planned. */
function judgeDeclaredPod(pod: LiveObject, images: DeclaredImages): PodProgress {
  const progress = judgePod(pod);
  const others = progress.phase === 'serving' ? findOtherImages(pod, images) : [];
  return others.length > 0 ? { phase: 'outdated', why: others.join('; ') } : progress;
}

/** The pods of the fewest copies. An autoscaler can run more. */
function countPods({ engines }: ComputedReplica): number {
  const counts = engines.flatMap(({ engine, members }) =>
    members.map(
      ({ member }) => copyBoundsOf(engine).min * (member.role === 'Worker' ? (member.worker?.nodes ?? 1) : 1),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Finds differences between a pod and its placement: a node of another pool, or a claim without devices. */
function findDeviations(pod: LiveObject, { engines }: ComputedReplica, { poolOf, claims }: ObservedPods): string[] {
  const { name, namespace = '', labels = {} } = pod.metadata;
  const node = textAt(pod, ['spec', 'nodeName']);
  if (node === '') return [];
  const promised = engines.find(({ engine }) => engine.name === labels[ENGINE_LABEL])?.pool.name;
  const pool = poolOf.get(node);
  const elsewhere =
    promised !== undefined && pool !== undefined && pool !== promised
      ? [`${name} is in pool ${pool || 'none'} instead of ${promised}`]
      : [];
  const bare = listAt(pod, ['status', 'resourceClaimStatuses'])
    .map((one) => textAt(one, ['resourceClaimName']))
    .filter((claim) => claim !== '' && claims && !isAllocated(claims.get(`${namespace}/${claim}`)))
    .map((claim) => `claim ${claim} of ${name} has no devices`);
  return [...elsewhere, ...bare];
}

function isAllocated(claim: LiveObject | undefined): boolean {
  return valueAt(claim, ['status', 'allocation']) !== undefined;
}
