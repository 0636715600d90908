import { schedulerTypeOf } from '../api/kubernetes-features';
import type { Path } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { groupBy, sortUnique } from '../base/order';
import { idText, joinNames, pluralize } from '../base/text';
import { CLUSTER_SCHEDULERS } from '../catalog/cluster-schedulers';
import type { PlacedFleet } from '../plan/decision';
import { queueMetadataOf } from '../render/queue-metadata';
import type { FieldChange } from './field-changes';
import type { FleetDiff, ObjectChangeWithCauses } from './fleet-diff';

/** The most objects that a warning names. */
const MAX_NAMED = 3;

/** A change of a workload that Kueue rejects. */
interface Rejection {
  readonly change: ObjectChangeWithCauses;

  /** What differs though it must not: `set of claims`. */
  readonly parts: readonly string[];

  /** Absent where the queue stays. */
  readonly queue?: FieldChange;
}

/**
 * Finds changes of running workloads that the webhook of Kueue rejects. While pods are ready, the queue is immutable,
 * and so is the absence of one. Its removal is always rejected. Source: Kueue 0.19, pkg/controller/jobs/deployment and
 * /leaderworkerset.
 */
export function findRejectedByKueue(
  diff: Pick<FleetDiff, 'objects'>,
  { before, at }: { readonly before: Pick<PlacedFleet, 'fleet'>; readonly at: string },
): Diagnostic[] {
  const queued = new Set(
    before.fleet.clusters
      .filter((one) => schedulerTypeOf(one) === 'Kueue' && QUEUE_KEY in queueMetadataOf(one).labels)
      .map(({ metadata }) => metadata.name),
  );
  const found = diff.objects.flatMap((change): Rejection[] => {
    if (change.action !== 'change') return [];
    const queue = change.fields.find(({ path }) => isQueue(path));
    const parts = queued.has(change.cluster) ? listRejectedParts(change) : [];
    return queue || parts.length > 0 ? [{ change, parts, ...(queue && { queue }) }] : [];
  });
  const groups = groupBy(found, ({ change: { cluster, kind }, parts, queue }) =>
    [cluster, kind, queue?.before, queue?.after, ...parts].join('\n'),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const { what, hint } = describeRejected(
        first,
        group.map(({ change }) => change),
      );
      return warningAt('rejected-change', first.change.causes[0]?.where ?? at, what, hint);
    }),
  );
}

const QUEUE_KEY = CLUSTER_SCHEDULERS.Kueue.queue.key;

function isQueue(path: Path): boolean {
  return path.length === 3 && path[0] === 'metadata' && path[1] === 'labels' && path[2] === QUEUE_KEY;
}

/** What is rejected of workloads whose changes are the same. */
function describeRejected({ change, parts, queue }: Rejection, workloads: readonly ObjectChangeWithCauses[]) {
  const { cluster, kind } = change;
  if (!queue || isExchanged(queue)) {
    const names = joinNames(workloads.map(nameOf), MAX_NAMED);
    return {
      what: `Kueue on cluster ${cluster} rejects another ${parts.join(', ')} of ${names} while its pods are ready`,
      hint: `Drain the cluster or delete the ${kind} first`,
    };
  }
  const [verb, preposition, when] = queue.after === undefined ? TAKEN : PUT;
  const count = pluralize(workloads.length, `running ${kind}`);
  const ids = workloads.map(({ namespace, name }) => idText(namespace, name));
  return {
    what: `the change ${verb} the queue ${String(queue.after ?? queue.before)} ${preposition} ${count} of ${cluster}, which Kueue rejects${when}: ${joinNames(ids, MAX_NAMED)}`,
    hint: `Recreate ${workloads.length === 1 ? 'it' : 'them'} (downtime), or drain ${cluster} first`,
  };
}

const PUT = ['puts', 'on', ' while their pods are ready'] as const;
const TAKEN = ['takes', 'off', ''] as const;

function isExchanged({ before, after }: FieldChange): boolean {
  return before !== undefined && after !== undefined;
}

/** The parts of a workload with a queue that change although the webhook of Kueue rejects that. */
function listRejectedParts({ kind, fields }: ObjectChangeWithCauses): string[] {
  const rejected = fields.flatMap((field): string[] => {
    if (isQueue(field.path)) return isExchanged(field) ? ['queue'] : [];
    return kind === 'LeaderWorkerSet' ? partOfGang(field.path) : [];
  });
  return sortUnique(rejected);
}

/** What Kueue does not let change in the pods of a gang with a queue, by field. */
const POD_PARTS: Readonly<Record<string, string>> = {
  resourceClaims: 'set of claims',
  nodeSelector: 'node selector',
  tolerations: 'list of tolerations',
  affinity: 'affinity',
};

const CONTAINER_PARTS: Readonly<Record<string, string>> = { resources: 'resource request', ports: 'list of ports' };

function partOfGang(path: Path): string[] {
  const [, member, template, pod, part = '', index, field] = path;
  if (member !== 'leaderWorkerTemplate' || !/^(leader|worker)Template$/.test(String(template)) || pod !== 'spec')
    return [];
  const found = POD_PARTS[part];
  if (found !== undefined) return [found];
  if (part !== 'containers' && part !== 'initContainers') return [];
  if (index !== undefined && field === undefined) return ['number of containers'];
  const of = CONTAINER_PARTS[field ?? ''];
  return of === undefined ? [] : [of];
}

/** `Deployment ml/chat-0`. */
export function nameOf({ kind, namespace, name }: Pick<ObjectChangeWithCauses, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${idText(namespace, name)}`;
}
