import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { canonicalLabel, CLUSTER, DEPLOYMENT, REPLICA_INDEX } from '../api/labels';
import { type Anchors, resolved } from './anchors';
import type { Item } from './items';
import { entryOf, keyText } from './keys';

/** The labels that a controller puts on what it makes for one replica, all three, by our names for them. */
const OF_REPLICA = [DEPLOYMENT, CLUSTER, REPLICA_INDEX];

/**
 * Whether a document is no declaration but what a controller of the alias group made of one: the ModelEndpoint of a
 * replica. An export of a cluster has them beside those that users wrote. They are told by their owner, a
 * ModelDeployment, or where the export lost that, by the labels of a replica.
 */
export function isComposed({ apiVersion, kind, node }: Item, anchors: Anchors): boolean {
  if (kind !== 'ModelEndpoint' || !apiVersion.startsWith('modelplane.ai/')) return false;
  const metadata = mapAt(node, 'metadata', anchors);
  if (!metadata) return false;
  const labels = mapAt(metadata, 'labels', anchors);
  const owners = valueAt(metadata, 'ownerReferences', anchors);
  const owned = isSeq(owners) && owners.items.some((owner) => kindOf(owner, anchors) === 'ModelDeployment');
  return owned || (labels !== undefined && isOfReplica(labels, anchors));
}

function isOfReplica({ items }: YAMLMap.Parsed, anchors: Anchors): boolean {
  const keys = new Set(items.map(({ key }) => canonicalLabel(keyText(key, anchors) ?? '')));
  return OF_REPLICA.every((key) => keys.has(key));
}

function kindOf(node: ParsedNode, anchors: Anchors): unknown {
  const owner = resolved(node, anchors);
  const kind = isMap(owner) ? valueAt(owner, 'kind', anchors) : undefined;
  return isScalar(kind) ? kind.value : undefined;
}

function mapAt(map: YAMLMap.Parsed, key: string, anchors: Anchors): YAMLMap.Parsed | undefined {
  const value = valueAt(map, key, anchors);
  return isMap(value) ? value : undefined;
}

function valueAt(map: YAMLMap.Parsed, key: string, anchors: Anchors): ParsedNode | undefined {
  return resolved(entryOf(map, key, anchors)?.value ?? null, anchors);
}
