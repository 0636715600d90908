/** The longest label but for the last resort. */
const MAX_LENGTH = 6;

/** Numbers of up to so many digits get a letter in front. */
const FEW_DIGITS = 2;

/**
 * Returns a short label for each deployment, all different: `lc` for `llama-chat`, `000` for `qwen3-8b-team-000`. A
 * label contains numbers of its name only as a whole, and of a name that ends in a number only this one. A label that
 * would suit several deployments is the label of none, so labels do not depend on the order, and a further deployment
 * changes only the labels that would suit it as well.
 *
 * @param ids `namespace/name`
 */
export function labelDeployments(ids: readonly string[]): string[] {
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  let open = ids.map((id) => ({ id, candidates: candidatesOf(id) }));
  for (let round = 0; open.some(({ candidates }) => round < candidates.length); round++) {
    const wanted = new Map<string, number>();
    for (const { candidates } of open) {
      const label = candidates[round];
      if (label !== undefined) wanted.set(label, (wanted.get(label) ?? 0) + 1);
    }
    for (const { id, candidates } of open) {
      const label = candidates[round];
      if (label !== undefined && wanted.get(label) === 1 && !taken.has(label)) labels.set(id, label);
    }
    for (const label of wanted.keys()) taken.add(label);
    open = open.filter(({ id }) => !labels.has(id));
  }
  const counts = new Map<string, number>();
  for (const { id } of open) labels.set(id, lastResort(id, taken, counts));
  return ids.map((id) => labels.get(id) ?? '');
}

/** Returns the labels to try, the shortest and most telling first. */
function candidatesOf(id: string): string[] {
  const [namespace, name] = splitId(id);
  const end = NUMBER_AT_END.exec(name)?.[0];
  const all = end === undefined ? ofWords(namespace, name) : ofNumber(namespace, name, end);
  return [...new Set(all)].filter(({ length }) => length <= MAX_LENGTH);
}

const NUMBER_AT_END = /(?<!\d)\d+$/;

/** The labels of a name that ends in a number, which is what distinguishes it from similar names. */
function ofNumber(namespace: string, name: string, number: string): string[] {
  const words = wordsOf(name.slice(0, -number.length)).map(lettersOf).filter(Boolean);
  const before = (words.at(-1) ?? '').slice(0, 1);
  const initials = words.map((word) => word.charAt(0));
  const [initial = ''] = initials;
  return [
    ...(number.length > FEW_DIGITS ? [number] : []),
    before + number,
    initial + number,
    initial + before + number,
    ...initials.slice(1, -1).map((letter) => initial + letter + number),
    initials.join('') + number,
    `${(words[0] ?? '').slice(0, 2)}${number}`,
    ...ofNamespace(namespace, before + number),
    ...ofNamespace(namespace, initial + before + number),
  ];
}

/** The labels of any other name: of its initial and its last word, then of what else it consists of. */
function ofWords(namespace: string, name: string): string[] {
  const [first = 'x', ...others] = wordsOf(name);
  const initial = leadOf(first, 1);
  const initials = [first, ...others].slice(0, 3).map((word) => leadOf(word, 1));
  const last = others.toReversed();
  return [
    ...last.map((word) => initial + leadOf(word, 1)),
    leadOf(first, 2),
    initials.join(''),
    ...last.map((word) => initial + leadOf(word, 2)),
    leadOf(first, 3),
    ...ofNamespace(namespace, initial),
    ...ofNamespace(namespace, initials.join('')),
  ];
}

/** Puts what distinguishes a namespace before a label: its number with a letter, or its initials. */
function ofNamespace(namespace: string, label: string): string[] {
  const words = wordsOf(namespace);
  const number = NUMBER_AT_END.exec(namespace)?.[0];
  const initial = lettersOf(words[0] ?? '').slice(0, 1);
  const initials = words.map((word) => lettersOf(word).slice(0, 1)).join('');
  // A letter ends the number of the namespace, so it does not run into the number of the name.
  if (number !== undefined) return /^\d/.test(label) ? [] : [initial + number + label];
  return [initial + label, initials + label];
}

/**
 * A label with letters behind it.
 *
 * @param counts how many letters were tried, by what is before them
 */
function lastResort(id: string, taken: Set<string>, counts: Map<string, number>): string {
  const [, name] = splitId(id);
  const number = NUMBER_AT_END.exec(name)?.[0] ?? '';
  const start = lettersOf(name).slice(0, 1) + (number.length < MAX_LENGTH - 1 ? number : '');
  let count = counts.get(start) ?? 0;
  while (taken.has(start + lettersFor(count))) count++;
  const label = start + lettersFor(count);
  taken.add(label);
  counts.set(start, count + 1);
  return label;
}

/** `a`, `b`, ..., `z`, `aa`, `ab`, ... */
function lettersFor(count: number): string {
  const before = count < 26 ? '' : lettersFor(Math.floor(count / 26) - 1);
  return before + String.fromCharCode(97 + (count % 26));
}

function splitId(id: string): [namespace: string, name: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, Math.max(0, slash)).toLowerCase(), id.slice(slash + 1).toLowerCase()];
}

function wordsOf(name: string): string[] {
  return name.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^a-z]/g, '');
}

/** The first characters of a word. A number counts as one: a part of it is another number. */
function leadOf(word: string, count: number): string {
  return (word.match(/\d+|[a-z]/g) ?? []).slice(0, count).join('');
}
