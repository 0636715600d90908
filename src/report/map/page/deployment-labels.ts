/** The longest label that is tried before numbers. */
const MAX_LETTERS = 3;

/**
 * Returns a short label for each deployment, all different: `lc` for `llama-chat`. Equal lists
 * have equal labels.
 *
 * @param ids `namespace/name`, sorted
 */
export function labelDeployments(ids: readonly string[]): string[] {
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  return ids.map((id) => {
    const label = candidatesOf(id).find((one) => !taken.has(one)) ?? numberedLabel(id, taken, counters);
    taken.add(label);
    return label;
  });
}

/** Returns the labels to try, the shortest and most telling first. */
function candidatesOf(id: string): string[] {
  const name = id.slice(id.indexOf('/') + 1).toLowerCase();
  const words = name.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const [first = 'x', ...others] = words;
  const initial = first.charAt(0);
  const initials = words.map((word) => word.charAt(0)).join('');
  const digits = Number(name.match(/\d+/g)?.at(-1) ?? Number.NaN);
  return [
    ...others.toReversed().map((word) => initial + word.charAt(0)),
    ...(Number.isSafeInteger(digits) ? [`${initial}${digits}`] : []),
    first.slice(0, 2),
    initials.slice(0, MAX_LETTERS),
    ...others.toReversed().map((word) => initial + word.slice(0, 2)),
    first.slice(0, MAX_LETTERS),
  ];
}

function numberedLabel(id: string, taken: ReadonlySet<string>, counters: Map<string, number>): string {
  const initial = id
    .slice(id.indexOf('/') + 1)
    .charAt(0)
    .toLowerCase();
  let count = counters.get(initial) ?? 2;
  while (taken.has(`${initial}${count}`)) count++;
  counters.set(initial, count + 1);
  return `${initial}${count}`;
}
