import { toCanonicalLabel } from '../api/labels';
import type { LabelSelector } from '../api/schema/label-selector';
import { groupBy } from '../base/order';
import type { SelectableLabels } from './selectables';

interface LabelledItem {
  readonly labels: SelectableLabels;
}

/** The positions of items by a label and its value. */
type LabelIndex = Map<string, ReadonlyMap<string | undefined, readonly number[]>>;

/** Lists do not change after they are created, so each list is scanned once per label. */
const INDEXES = new WeakMap<readonly LabelledItem[], LabelIndex>();

/** Returns the items that have the first label of any selector, in their order. Other items cannot match. */
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

function findPositions(items: readonly LabelledItem[], name: string, value: string): readonly number[] {
  const index: LabelIndex = INDEXES.get(items) ?? new Map();
  INDEXES.set(items, index);
  const label = toCanonicalLabel(name);
  const byValue = index.get(label) ?? groupBy(items.keys(), (position) => items[position]?.labels[label]);
  index.set(label, byValue);
  return byValue.get(value) ?? [];
}
