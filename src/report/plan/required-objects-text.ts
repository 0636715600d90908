import { groupBy, sortUnique } from '../../base/order';
import { idText, joinNames } from '../../base/text';
import { formatCount } from '../../base/figures';
import type { ClusterNeeds } from '../../plan/plan';
import type { RequiredObject } from '../../render/external-references';
import { type Item, styledLines } from '../document/document';
import { MAX_GROUP_NAMES, MAX_SINGLE_ITEMS, mergeAlike, nameClusters } from '../document/group-alike';

const TITLE = 'Must exist before manifests are applied:';

/** Formats the objects that must exist on clusters. Clusters that need the same objects share an entry. */
export function formatRequiredObjects(needs: readonly ClusterNeeds[], title = TITLE): Item[] {
  if (needs.length === 0) return [];
  const below = groupNeeds(needs).map((group) => ({
    text: joinNames(group.map(({ cluster }) => cluster)),
    below: (group[0]?.objects ?? []).map(formatRequiredObject),
  }));
  return [{ look: 'strong', text: title, below }];
}

function groupNeeds(needs: readonly ClusterNeeds[]): ClusterNeeds[][] {
  return [...groupBy(needs, ({ objects }) => JSON.stringify(objects)).values()];
}

/**
 * The same, but where the entries are too many to read, each object once, with the number of its clusters.
 *
 * @param command lists each object of each cluster. Default: it is not named
 */
export function mergeRequiredObjects(needs: readonly ClusterNeeds[], title = TITLE, command?: string): Item[] {
  if (groupNeeds(needs).length <= MAX_SINGLE_ITEMS) return formatRequiredObjects(needs, title);
  const placed = needs.flatMap(({ cluster, objects }) => objects.map((object) => ({ cluster, object })));
  const below = mergeAlike(placed, {
    keyOf: ({ object }) => nameObject(object),
    kindOf: ({ object: { kind, namespace, keys } }) => JSON.stringify([kind, namespace, keys]),
    one: ({ cluster, object }) => `${nameObject(object)} on ${cluster}${nameOwners([object])}`,
    several: (all) => formatPlacedObjects(all),
  });
  const pointer = command === undefined ? [] : [`Each object: '${command}'.`];
  return [{ look: 'strong', text: title, below }, ...styledLines('faint', pointer)];
}

interface PlacedObject {
  readonly cluster: string;
  readonly object: RequiredObject;
}

/** `Namespace ml on 437 clusters, for ...`; of objects with different names, how many there are and some names. */
function formatPlacedObjects(all: readonly [PlacedObject, ...PlacedObject[]]): string {
  const [{ object }] = all;
  const objects = all.map((one) => one.object);
  const names = sortUnique(objects.map(({ namespace, name }) => idText(namespace, name)));
  const isOne = new Set(objects.map(nameObject)).size === 1;
  const what = isOne
    ? nameObject(object)
    : `${formatCount(all.length)} of kind ${object.kind} (${joinNames(names, MAX_GROUP_NAMES)})`;
  return `${what} on ${nameClusters(all.map(({ cluster }) => cluster))}${nameOwners(objects, MAX_GROUP_NAMES)}`;
}

/** Formats an object: `Secret ml/hugging-face (HF_TOKEN), for ModelCache ml/qwen3`. */
function formatRequiredObject(object: RequiredObject): string {
  return `${nameObject(object)}${nameOwners([object])}`;
}

/** `Secret ml/hugging-face (HF_TOKEN)`. */
function nameObject({ kind, namespace, name, keys, dnsNames = [], createdByStack }: RequiredObject): string {
  const read = keys.length > 0 ? ` (${keys.join(', ')})` : '';
  const names = dnsNames.length > 0 ? ` of ${joinNames(dnsNames)}` : '';
  const created = createdByStack ? ' (the stack of the cluster creates it)' : '';
  return `${kind} ${idText(namespace, name)}${read}${created}${names}`;
}

/** `, for ModelCache ml/qwen3`. */
function nameOwners(objects: readonly RequiredObject[], most?: number): string {
  return `, for ${joinNames(sortUnique(objects.flatMap((one) => one.for)), most)}`;
}
