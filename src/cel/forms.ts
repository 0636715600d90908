import { formatted, inside, readable } from './forms-of-libraries';
import type { Reading } from './reading';
import { IS, IS_NOT, readsDevice, relationOf, UNMET } from './relation';
import { shown, shownList } from './shown';
import { type Access, accessOf, callOf, namesOf, type Node, sourceOf, textOf } from './syntax';

/** A part of a selector that evaluated to the opposite of what is wanted. */
export interface Miss {
  readonly node: Node;
  readonly wanted: boolean;
}

/** Says why a part of one form missed, in the values of the device; nothing for a part of another form. */
type Form = (miss: Miss, reading: Reading) => string | undefined;

/** The forms that selectors have. The first that fits says it. */
export const FORMS: readonly Form[] = [
  presence,
  published,
  relation,
  membership,
  texts,
  readable,
  inside,
  formatted,
  flag,
];

/** Methods of a text or list, with the words for one that gave false and for one that gave true. */
const VERBS: Readonly<Record<string, readonly [no: string, yes: string]>> = {
  contains: ['does not contain', 'contains'],
  startsWith: ['does not start with', 'starts with'],
  endsWith: ['does not end with', 'ends with'],
  matches: ['does not match', 'matches'],
  includes: ['does not include', 'includes'],
};

/** `it publishes no attribute "foo"` */
export function publishes(access: Access, reading: Reading, article: 'no' | 'the' = 'no'): string {
  return `it publishes ${article} ${nounOf(access)} ${JSON.stringify(reading.key(access))}`;
}

/** What an access is called: `attribute`, `capacity`. */
export function nounOf({ from }: Access): string {
  return from === 'attributes' ? 'attribute' : 'capacity';
}

/** `has(device.attributes["domain"].name)` */
function presence({ node, wanted }: Miss, reading: Reading): string | undefined {
  const call = callOf(node);
  const access = call?.name === 'has' ? accessOf(call.args[0]) : undefined;
  return access && publishes(access, reading, wanted ? 'no' : 'the');
}

/** `"name" in device.attributes["domain"]`, and `"domain" in device.attributes` */
function published({ node, wanted }: Miss, reading: Reading): string | undefined {
  if (node.op !== 'in') return undefined;
  const [left, right] = node.args;
  const name = textOf(left);
  if (name === undefined) return undefined;
  const names = namesOf(right);
  if (names) return publishes({ ...names, name }, reading, wanted ? 'no' : 'the');
  const source = sourceOf(right);
  return source && `it publishes ${wanted ? 'no' : 'the'} ${source} of ${JSON.stringify(name)}`;
}

/** `==` and `<` and so on, `compareTo`, `isGreaterThan`, `isLessThan` */
function relation({ node, wanted }: Miss, reading: Reading): string | undefined {
  const found = relationOf(node, wanted);
  if (!found) return undefined;
  const { subject, orders, other } = found;
  const label = reading.label(subject);
  const value = shown(reading.value(subject));
  const bound = shown(reading.value(other));
  if (value === undefined || bound === undefined) return undefined;
  const named = readsDevice(other) ? `${reading.label(other)}, which is ${bound}` : bound;
  if (orders === IS) return `${label} is ${value}, not ${named}`;
  if (orders === IS_NOT) return excluded(label, value);
  return `${label} ${value} ${UNMET[orders]} ${named}`;
}

/** `architecture in ["Hopper", "Blackwell"]` */
function membership({ node, wanted }: Miss, reading: Reading): string | undefined {
  if (node.op !== 'in' || !readsDevice(node.args[0])) return undefined;
  const [subject, list] = node.args;
  const value = shown(reading.value(subject));
  const values = reading.value(list);
  if (value === undefined || !Array.isArray(values) || values.length === 0) return undefined;
  const label = reading.label(subject);
  if (!wanted) return excluded(label, value);
  const listed = shownList(values);
  return listed && `${label} is ${value}, not ${values.length > 1 ? 'one of ' : ''}${listed}`;
}

/** `productName.contains("H100")`, `"x" in names` */
function texts({ node, wanted }: Miss, reading: Reading): string | undefined {
  const call =
    node.op === 'in' ? { name: 'includes', receiver: node.args[1], args: [node.args[0]] } : callOf(node);
  const [argument] = call?.args ?? [];
  const verbs = call && VERBS[call.name];
  if (!verbs || !call.receiver || !argument || !readsDevice(call.receiver)) return undefined;
  const value = shown(reading.value(call.receiver));
  const searched = shown(reading.value(argument));
  if (value === undefined || searched === undefined) return undefined;
  return `${reading.label(call.receiver)} ${value} ${verbs[wanted ? 0 : 1]} ${searched}`;
}

/** An attribute that is true or false by itself. */
function flag({ node, wanted }: Miss, reading: Reading): string | undefined {
  const plain = accessOf(node) ?? (node.op === '.' && node.args[1] === 'allowMultipleAllocations');
  return plain ? `${reading.label(node)} is ${String(!wanted)}` : undefined;
}

function excluded(label: string, value: string): string {
  return `${label} is ${value}, which the selector excludes`;
}
