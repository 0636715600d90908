import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { placeText } from '../../base/text';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { CHANGE_MARKS, type Item } from '../document/document';
import { mergeAlike, nameClusters } from '../document/group-alike';
import { type FormatCauses, formatEachReplica, formatReplicaChange, REPLICA_ACTION_WORDS } from './change-sentences';

/** The row of a replica, or of several. */
export interface ReplicaRow extends Item {
  readonly cells: readonly [place: string];
  readonly text: string;
}

/** The row of a replica: `~ us/0   rolled in place; because ...`. */
export function formatReplicaRow(change: ReplicaChangeWithCauses, because?: FormatCauses): ReplicaRow {
  const { action } = change;
  return {
    mark: CHANGE_MARKS[action],
    cells: [placeText(change)],
    text: formatReplicaChange(change, because),
  };
}

/**
 * The rows of the replicas of a deployment: of many, those to which the same happens for the same causes are one,
 * `~ 204 replicas on 204 clusters   rolled in place, 1 at a time; because ...`.
 */
export function mergeReplicaRows(changes: readonly ReplicaChangeWithCauses[], because?: FormatCauses): ReplicaRow[] {
  return mergeAlike(changes, {
    keyOf: (change) => formatEachReplica(change, change.wave === undefined ? '' : ', in waves', because),
    kindOf: ({ action }) => action,
    one: (change) => formatReplicaRow(change, because),
    several: (all, isAlike) => formatReplicas(all, isAlike, because),
  });
}

type Replicas = readonly [ReplicaChangeWithCauses, ...ReplicaChangeWithCauses[]];

function formatReplicas(all: Replicas, isAlike: boolean, because?: FormatCauses): ReplicaRow {
  const [{ action }] = all;
  const clusters = nameClusters(all.map(({ cluster }) => cluster));
  const text = isAlike
    ? formatEachReplica(all[0], paceOf(all), because)
    : `${REPLICA_ACTION_WORDS[action]}, for different causes`;
  return { mark: CHANGE_MARKS[action], cells: [`${formatCount(all.length)} replicas on ${clusters}`], text };
}

/** `, 1 at a time`: the replicas in the largest wave. Empty where they have none. */
function paceOf(changes: Replicas): string {
  const [first] = changes;
  if (first.wave === undefined) return '';
  const waves = [...groupBy(changes, ({ wave }) => wave).values()];
  return `, ${formatCount(Math.max(...waves.map(({ length }) => length)))} at a time`;
}
