import { DEPLOYMENT } from '../api/labels';
import type { InferenceCluster } from '../api/inference-cluster';
import { groupBy, sortedBy } from '../order';
import type { Node } from './node';
import type { Pod } from './pod';
import { type Published, publishedByNode } from './published';
import type { Recorded, Snapshot } from './recorded';

/** Everything that a snapshot says of one node. */
export interface NodeView {
  readonly name: string;
  /** Absent where slices tell of the node and no `Node` was recorded. */
  readonly node?: Recorded<Node>;
  /** The devices that it publishes. Absent where the snapshot holds no slices at all. */
  readonly devices?: readonly Published[];
  /** Pods of others that are on it, and have not ended. */
  readonly foreign: readonly Pod[];
  /** The place that stands for the node: `file:line:column`. */
  readonly place: () => string;
}

/**
 * The nodes of each pool of a cluster, by name; or nothing where the snapshot cannot tell which nodes a pool has.
 *
 * The pool label says to which pool a node belongs. Without recorded nodes, slices speak for the only pool of a
 * cluster that has one.
 */
export function nodesByPool(
  snapshot: Snapshot,
  { spec: { poolLabel, nodePools } }: InferenceCluster,
): Map<string, NodeView[]> | undefined {
  const views = viewer(snapshot);
  if (snapshot.nodes.length > 0) {
    const nodes = groupBy(snapshot.nodes, ({ value }) => value.metadata.labels[poolLabel] ?? '');
    return new Map([...nodes].map(([pool, own]) => [pool, own.map((node) => views(nodeName(node), node))]));
  }
  const [only, ...others] = nodePools;
  if (!only || others.length > 0 || snapshot.slices.length === 0) return undefined;
  const names = new Set(snapshot.slices.flatMap(({ value }) => value.spec.nodeName ?? []));
  return new Map([[only.name, sortedBy(names, (name) => name).map((name) => views(name))]]);
}

/** All recorded nodes, whatever their labels. */
export function nodeViews(snapshot: Snapshot): NodeView[] {
  const views = viewer(snapshot);
  return snapshot.nodes.map((node) => views(nodeName(node), node));
}

function nodeName({ value }: Recorded<Node>): string {
  return value.metadata.name;
}

function viewer(snapshot: Snapshot): (name: string, node?: Recorded<Node>) => NodeView {
  const devices = publishedByNode(snapshot);
  const foreign = groupBy(
    snapshot.pods.map(({ value }) => value).filter(isForeign),
    ({ spec }) => spec.nodeName,
  );
  const slices = new Map(snapshot.slices.map((slice) => [slice.value.spec.nodeName, slice]));
  return (name, node) => ({
    name,
    ...(node && { node }),
    ...(snapshot.slices.length > 0 && { devices: devices.get(name) ?? [] }),
    foreign: foreign.get(name) ?? [],
    place: () => (node ?? slices.get(name))?.place(['metadata', 'name']) ?? snapshot.files[0] ?? '',
  });
}

const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Pods of ours are in the lock; those that ended hold nothing. */
function isForeign({ metadata, status }: Pod): boolean {
  return metadata.labels[DEPLOYMENT] === undefined && !ENDED.has(status.phase ?? '');
}
