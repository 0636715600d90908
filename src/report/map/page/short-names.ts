/** Returns what tells names apart: the names without the words that all begin with. `prod-eu-1`, `prod-us-1`: `eu-1`, `us-1`. */
export function shortenNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0) return [...names];
  let common = first.length;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, common))) common--;
  }
  // Whole words only, so that `node-10` and `node-11` do not become `0` and `1`.
  const end = first.slice(0, common).search(/[-._/][^-._/]*$/) + 1;
  return names.map((name) => name.slice(end));
}
