import { MUST_DIFFER, MUST_EQUAL, readsDevice, relationOf, UNMET_PHRASES } from '../attribute-comparison';
import type { SelectorOutcome } from '../selector';
import {
  allNodesOf,
  type AstNode,
  type AttributeAccess,
  attributeAccessOf,
  callOf,
  deviceFieldOf,
  presenceTestOf,
  stringLiteralOf,
} from '../syntax-tree';
import { type BoundExpression, formatCelValue, formatCelValueList } from './expression-on-device';

const MAX_ALTERNATIVES = 3;

/** Explains why a device does not satisfy a part of a selector, whose outcome is no match or an error. */
export function explainCondition(node: AstNode, outcome: SelectorOutcome, reading: BoundExpression): string {
  if (outcome.kind === 'error') return explainError(node, outcome.message, reading);
  return explain({ node, wanted: true }, reading) ?? `${reading.text(node)} is false${listValuesRead(node, reading)}`;
}

function explain(miss: MissedCondition, reading: BoundExpression): string | undefined {
  const { node, wanted } = miss;
  if (node.op === '!_') return explain({ node: node.args, wanted: !wanted }, reading);
  if (node.op === '||' && wanted) return explainAlternatives(node, reading);
  for (const form of EXPLANATIONS) {
    const sentence = form(miss, reading);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/** Explains all operands of `a || b`, because all of them are false. */
function explainAlternatives(node: AstNode, reading: BoundExpression): string | undefined {
  const parts = alternativesOf(node).map((part) => explain({ node: part, wanted: true }, reading));
  return parts.length > MAX_ALTERNATIVES || parts.includes(undefined) ? undefined : parts.join(', and ');
}

function alternativesOf(node: AstNode): readonly AstNode[] {
  return node.op === '||' ? node.args.flatMap(alternativesOf) : [node];
}

function explainError(node: AstNode, message: string, reading: BoundExpression): string {
  const absent = accessesIn(node).find(
    (access) => reading.published(access) === undefined && message.endsWith(`: ${access.name}`),
  );
  if (absent) return describePublished(absent, reading);
  const access = attributeAccessOf(node);
  const value = access && formatCelValue(reading.value(node));
  if (value !== undefined) return `${reading.label(node)} is ${value}, not true or false`;
  return `${reading.text(node)} cannot be evaluated: ${message}`;
}

/** Lists the values that a part reads from the device: ` (architecture is "Hopper", no attribute "foo")`. */
function listValuesRead(node: AstNode, reading: BoundExpression): string {
  const texts = accessesIn(node).map((access) => {
    const value = reading.published(access);
    if (value === undefined) return `no ${nounOf(access)} ${JSON.stringify(reading.key(access))}`;
    const text = formatCelValue(value);
    return text && `${reading.key(access)} is ${text}`;
  });
  const known = [...new Set(texts)].filter((text) => text !== undefined);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

/** Returns the attributes and capacities below a node, except for those whose domain depends on a macro variable. */
function accessesIn(node: AstNode): readonly AttributeAccess[] {
  return allNodesOf(node).flatMap((part) => {
    const access = attributeAccessOf(part);
    return access && (access.domain.op === 'value' || readsDevice(access.domain)) ? [access] : [];
  });
}

/** A part of a selector that evaluated to the opposite of the required value. */
interface MissedCondition {
  readonly node: AstNode;
  readonly wanted: boolean;
}

/** Explains a missed condition of one form with the values of the device. Returns `undefined` for other forms. */
type Explanation = (miss: MissedCondition, reading: BoundExpression) => string | undefined;

/** The explanations by form. The first that applies is used. */
const EXPLANATIONS: readonly Explanation[] = [
  explainPresence,
  explainDomainPresence,
  explainRelation,
  explainMembership,
  explainTextMethod,
  explainParsable,
  explainNetworkMembership,
  explainNamedFormat,
  explainFlag,
];

/** Methods of texts and lists, with the verbs for a false and for a true result. */
const VERBS: Readonly<Record<string, readonly [no: string, yes: string]>> = {
  contains: ['does not contain', 'contains'],
  startsWith: ['does not start with', 'starts with'],
  endsWith: ['does not end with', 'ends with'],
  matches: ['does not match', 'matches'],
  includes: ['does not include', 'includes'],
};

/** `it publishes no attribute "foo"` */
function describePublished(access: AttributeAccess, reading: BoundExpression, article: 'no' | 'the' = 'no'): string {
  return `it publishes ${article} ${nounOf(access)} ${JSON.stringify(reading.key(access))}`;
}

function nounOf({ from }: AttributeAccess): string {
  return from === 'attributes' ? 'attribute' : 'capacity';
}

function explainPresence({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const access = presenceTestOf(node);
  return access && describePublished(access, reading, wanted ? 'no' : 'the');
}

/** `"domain" in device.attributes` */
function explainDomainPresence({ node, wanted }: MissedCondition): string | undefined {
  const [domain, map] = node.op === 'in' ? node.args : [];
  const [name, source] = [stringLiteralOf(domain), deviceFieldOf(map)];
  return source && name !== undefined
    ? `it publishes ${wanted ? 'no' : 'the'} ${source} of ${JSON.stringify(name)}`
    : undefined;
}

/** `==` and `<` and so on, `compareTo`, `isGreaterThan`, `isLessThan` */
function explainRelation({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const found = relationOf(node, wanted);
  if (!found) return undefined;
  const { subject, orders, other } = found;
  const label = reading.label(subject);
  const value = formatCelValue(reading.value(subject));
  const bound = formatCelValue(reading.value(other));
  if (value === undefined || bound === undefined) return undefined;
  const named = readsDevice(other) ? `${reading.label(other)}, which is ${bound}` : bound;
  if (orders === MUST_EQUAL) return `${label} is ${value}, not ${named}`;
  if (orders === MUST_DIFFER) return describeExcluded(label, value);
  return `${label} ${value} ${UNMET_PHRASES[orders]} ${named}`;
}

/** `architecture in ["Hopper", "Blackwell"]` */
function explainMembership({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  if (node.op !== 'in' || !readsDevice(node.args[0])) return undefined;
  const [subject, list] = node.args;
  const value = formatCelValue(reading.value(subject));
  const values = reading.value(list);
  if (value === undefined || !Array.isArray(values) || values.length === 0) return undefined;
  const label = reading.label(subject);
  if (!wanted) return describeExcluded(label, value);
  const listed = formatCelValueList(values);
  return listed && `${label} is ${value}, not ${values.length > 1 ? 'one of ' : ''}${listed}`;
}

/** `productName.contains("H100")`, `"x" in names` */
function explainTextMethod({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const call = node.op === 'in' ? { name: 'includes', receiver: node.args[1], args: [node.args[0]] } : callOf(node);
  const [argument] = call?.args ?? [];
  const verbs = call && VERBS[call.name];
  if (!verbs || !call.receiver || !argument || !readsDevice(call.receiver)) return undefined;
  const value = formatCelValue(reading.value(call.receiver));
  const searched = formatCelValue(reading.value(argument));
  if (value === undefined || searched === undefined) return undefined;
  return `${reading.label(call.receiver)} ${value} ${verbs[wanted ? 0 : 1]} ${searched}`;
}

function explainFlag({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const plain = attributeAccessOf(node) ?? (node.op === '.' && node.args[1] === 'allowMultipleAllocations');
  return plain ? `${reading.label(node)} is ${String(!wanted)}` : undefined;
}

function describeExcluded(label: string, value: string): string {
  return `${label} is ${value}, which the selector excludes`;
}

const PARSABLE_NOUNS: Readonly<Record<string, string>> = {
  isIP: 'an IP address',
  isCIDR: 'a network',
  isURL: 'a URL',
  isQuantity: 'a quantity',
  isSemver: 'a semantic version',
};

const NETWORK_METHODS = new Set(['containsIP', 'containsCIDR']);

/** `isIP(device.attributes["domain"].address)` */
function explainParsable({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const call = callOf(node);
  const noun = call && !call.receiver ? PARSABLE_NOUNS[call.name] : undefined;
  const named = noun === undefined ? undefined : labelWithValue(call?.args[0], reading);
  return named && `${named} is ${wanted ? `not ${noun}` : noun}`;
}

/** `cidr("10.0.0.0/8").containsIP(device.attributes["domain"].address)` */
function explainNetworkMembership({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const call = callOf(node);
  if (!call?.receiver || !NETWORK_METHODS.has(call.name) || readsDevice(call.receiver)) return undefined;
  const named = labelWithValue(call.args[0], reading);
  return named && `${named} is ${wanted ? 'not ' : ''}in ${formatCelValue(reading.value(call.receiver))}`;
}

/** `format.dns1123Label().validate(device.attributes["domain"].name).hasValue()`, true for an invalid text. */
function explainNamedFormat({ node, wanted }: MissedCondition, reading: BoundExpression): string | undefined {
  const outer = callOf(node);
  const call = outer?.name === 'hasValue' && outer.receiver ? callOf(outer.receiver) : undefined;
  if (call?.name !== 'validate' || !call.receiver || readsDevice(call.receiver)) return undefined;
  const named = labelWithValue(call.args[0], reading);
  return named && `${named} is ${wanted ? 'a' : 'no'} ${formatCelValue(reading.value(call.receiver))}`;
}

/** `address "10.0.0.7"` */
function labelWithValue(node: AstNode | undefined, reading: BoundExpression): string | undefined {
  if (!node || !readsDevice(node)) return undefined;
  const value = formatCelValue(reading.value(node));
  return value === undefined ? undefined : `${reading.label(node)} ${value}`;
}
