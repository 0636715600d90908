import { toCanonicalLabel } from '../api/labels';
import type { LabelSelector } from '../api/schema/label-selector';
import type { SelectableLabels } from './selectables';

interface LabelledItem {
  readonly labels: SelectableLabels;
}

/** The positions of items by a label and its value. */
type LabelIndex = Map<string, ReadonlyMap<string, readonly number[]>>;

/** A list never changes once it is made: it is looked through once for each label that anybody asks for. */
const INDEXES = new WeakMap<readonly LabelledItem[], LabelIndex>();

/** The items that one of some selectors may select, in their order: those that carry a label which it names. */
export function preselectByLabel<T extends LabelledItem>(
  items: readonly T[],
  entries: readonly { readonly selector: LabelSelector }[],
): readonly T[] {
  const positions = new Set<number>();
  for (const { selector } of entries) {
    const [label] = Object.entries(selector.matchLabels);
    if (!label) return items;
    for (const position of findPositions(items, ...label)) positions.add(position);
  }
  return [...positions].sort((a, b) => a - b).flatMap((position) => items[position] ?? []);
}

/** The positions of the items with a label. */
function findPositions(items: readonly LabelledItem[], name: string, value: string): readonly number[] {
  const index: LabelIndex = INDEXES.get(items) ?? new Map();
  INDEXES.set(items, index);
  const label = toCanonicalLabel(name);
  const known = index.get(label) ?? indexByValue(items, label);
  index.set(label, known);
  return known.get(value) ?? [];
}

function indexByValue(items: readonly LabelledItem[], label: string): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  items.forEach(({ labels }, position) => {
    const value = labels[label];
    if (value === undefined) return;
    const same = positions.get(value);
    if (same) same.push(position);
    else positions.set(value, [position]);
  });
  return positions;
}
