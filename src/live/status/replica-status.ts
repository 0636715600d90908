import { DEPLOYMENT, ENGINE, REPLICA_INDEX } from '../../api/labels';
import { qualifiedName } from '../../api/resource';
import { groupBy } from '../../order';
import { plural } from '../../plan/format';
import { replicaSelector } from '../../render/labels';
import type { ComputedEngine, ComputedReplica } from '../../render/replica';
import type { Level } from '../finding';
import { listAt, type LiveObject, textAt, valueAt } from '../live-object';
import { PHASES, type Phase, podPhase } from './pod-phase';

/** How far one replica is. */
export interface ReplicaStatus {
  readonly level: Level;
  readonly deployment: string;
  readonly index: number;

  /** The phase of the pod that is least far. */
  readonly phase: Phase;

  /** Its pods, by phase. Those that miss are among them. */
  readonly pods: Readonly<Partial<Record<Phase, number>>>;

  /** What the cluster says about it. */
  readonly why?: string;
}

/** What replicas are judged by. */
interface Surroundings {
  readonly pods: readonly LiveObject[];

  /** The pool of each node, by its label. */
  readonly poolOf: ReadonlyMap<string, string>;

  /** Claims by `namespace/name`. Absent where they cannot be seen. */
  readonly claims?: ReadonlyMap<string, LiveObject>;
}

const LEVELS: Readonly<Record<Phase, Level>> = {
  missing: 'failure',
  failed: 'failure',
  'no-node': 'failure',
  image: 'warning',
  cache: 'warning',
  loading: 'warning',
  serving: 'ok',
};

/** How far each of some replicas of one cluster is. */
export function replicaStatuses(
  replicas: readonly ComputedReplica[],
  { pods, poolOf, claims }: Surroundings,
): ReplicaStatus[] {
  const ours = groupBy(
    pods.filter(({ metadata }) => metadata['deletionTimestamp'] === undefined),
    keyOf,
  );
  return replicas.map((replica) => {
    const { namespace = '' } = replica.deployment.metadata;
    const labels = replicaSelector(replica);
    const own = ours.get(key(namespace, labels)) ?? [];
    return statusOf(replica, own, { pods, poolOf, ...(claims && { claims }) });
  });
}

function keyOf({ metadata: { namespace = '', labels = {} } }: LiveObject): string {
  return key(namespace, labels);
}

function key(namespace: string, labels: Readonly<Record<string, string>>): string {
  return `${namespace} ${labels[DEPLOYMENT]} ${labels[REPLICA_INDEX]}`;
}

function statusOf(
  replica: ComputedReplica,
  pods: readonly LiveObject[],
  surroundings: Surroundings,
): ReplicaStatus {
  const judged = pods.map(podPhase);
  const counts = new Map<Phase, number>();
  for (const { phase } of judged) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  const lacking = Math.max(0, podsOf(replica) - pods.length);
  if (lacking > 0) counts.set('missing', lacking);
  const phase = PHASES.find((one) => counts.has(one)) ?? 'serving';
  const astray = pods.flatMap((pod) => strays(pod, replica, surroundings));
  const said = judged.find((one) => one.phase === phase)?.why;
  const missing = phase === 'missing' ? `${plural(lacking, 'pod')} not there` : undefined;
  const why = [...new Set([missing ?? said ?? [], astray].flat())].join('; ');
  return {
    level: astray.length > 0 ? 'failure' : LEVELS[phase],
    deployment: qualifiedName(replica.deployment),
    index: replica.index,
    phase,
    pods: Object.fromEntries(counts),
    ...(why !== '' && { why }),
  };
}

function podsOf({ engines }: ComputedReplica): number {
  return engines.reduce((sum, one) => sum + one.engine.copies * podsOfCopy(one), 0);
}

function podsOfCopy({ members }: ComputedEngine): number {
  return members.reduce(
    (sum, { member }) => sum + (member.role === 'Worker' ? (member.worker?.nodes ?? 1) : 1),
    0,
  );
}

/** What a pod has otherwise than it was promised: another pool, or a claim without devices. */
function strays(
  pod: LiveObject,
  { engines }: ComputedReplica,
  { poolOf, claims }: Surroundings,
): readonly string[] {
  const { name, namespace = '', labels = {} } = pod.metadata;
  const node = textAt(pod, ['spec', 'nodeName']);
  const promised = engines.find(({ engine }) => engine.name === labels[ENGINE])?.pool.name;
  const pool = poolOf.get(node);
  if (node === '') return [];
  const elsewhere =
    promised !== undefined && pool !== undefined && pool !== promised
      ? [`${name} is in pool ${pool || 'none'}, and ${promised} was promised`]
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
