import { type AttributeRow, type AttributeType, DRIVERS } from '../../catalog/drivers';
import { isQuantity } from '../../cel/values/quantity';
import { isSemver } from '../../cel/values/semver';

/**
 * A condition on one device, as CEL. The `selectors` of a request accept it.
 *
 * @example
 * const big: Condition = gpu.memory.atLeast('79Gi');
 */
export interface Condition {
  readonly cel: string;
}

/** What is between conditions that must all hold. */
export const AND = ' && ';

/**
 * Combines conditions that must all hold.
 *
 * @example
 * const big = and(gpu.architecture.is('Hopper'), gpu.memory.atLeast('79Gi'));
 */
export function and(first: Condition, ...rest: readonly Condition[]): Condition {
  return { cel: [first, ...rest].map(({ cel }) => cel).join(AND) };
}

/**
 * Combines conditions of which at least one must hold. The parentheses allow further combinations.
 *
 * @example
 * const recent = or(gpu.architecture.is('Hopper'), gpu.architecture.is('Blackwell'));
 */
export function or(first: Condition, ...rest: readonly Condition[]): Condition {
  if (rest.length === 0) return first;
  return { cel: `(${[first, ...rest].map(({ cel }) => cel).join(' || ')})` };
}

/**
 * Negates a condition. A condition on an optional attribute does not match a device that omits it.
 *
 * @example
 * const notTuring = not(gpu.architecture.is('Turing'));
 */
export function not(condition: Condition): Condition {
  return { cel: `!(${condition.cel})` };
}

/** The CEL expressions that read an attribute or capacity. */
export interface AttributeReference {
  /** The name in messages: `gpu.nvidia.com memory`. */
  readonly label: string;
  readonly type: AttributeType;

  /** The expression that reads it. The evaluation fails for a device that omits it. */
  readonly read: string;

  /** The condition that a device publishes it. */
  readonly published: string;

  /** Whether some devices omit it. */
  readonly optional: boolean;
}

export function catalogReferenceOf(driver: string, name: string): AttributeReference {
  const row = DRIVERS.find((each) => each.name === driver)?.facts.find((each) => each.name === name);
  if (!row) throw new Error(`bug: the catalog has no ${name} of ${driver}`);
  return referenceOf(driver, row);
}

/** Returns the reference to an attribute or capacity of any driver. */
export function referenceOf(
  driver: string,
  { name, type, domain = driver, optional }: Pick<AttributeRow, 'name' | 'type' | 'domain' | 'optional'>,
): AttributeReference {
  const names = `device.${type === 'quantity' ? 'capacity' : 'attributes'}[${JSON.stringify(domain)}]`;
  const plain = /^[A-Za-z_]\w*$/.test(name);
  return {
    label: `${driver} ${name}`,
    type,
    read: plain ? `${names}.${name}` : `${names}[${JSON.stringify(name)}]`,
    published: `${JSON.stringify(name)} in ${names}`,
    optional: optional !== undefined,
  };
}

/** Adds a presence test to a condition on an optional attribute, so that it does not match a device that omits it. */
function guardOptional({ published, optional }: AttributeReference, cel: string): Condition {
  return { cel: optional ? `${published} && ${cel}` : cel };
}

/** An operator that compares an attribute with a value. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

const CEL_LITERALS: Readonly<Record<AttributeType, (text: string) => string>> = {
  string: (text) => JSON.stringify(text),
  version: (text) => `semver(${JSON.stringify(text)})`,
  quantity: (text) => `quantity(${JSON.stringify(text)})`,
  int: (text) => text,
  bool: (text) => text,
};

const BY_METHOD: ReadonlySet<AttributeType> = new Set(['version', 'quantity']);

/** Compares an attribute with a value: `memory >= 79Gi`. The value must be well-formed, see {@link isWellFormed}. */
export function compareWithValue(fact: AttributeReference, operator: ComparisonOperator, value: string): Condition {
  const literal = CEL_LITERALS[fact.type](value);
  if (fact.type === 'bool')
    return guardOptional(fact, (value === 'true') === (operator === '==') ? fact.read : `!${fact.read}`);
  if (!BY_METHOD.has(fact.type)) return guardOptional(fact, `${fact.read} ${operator} ${literal}`);
  return guardOptional(fact, `${fact.read}.compareTo(${literal}) ${operator} 0`);
}

export function compareWithList(fact: AttributeReference, values: readonly string[]): Condition {
  const [only] = values;
  if (only !== undefined && values.length === 1) return compareWithValue(fact, '==', only);
  return guardOptional(fact, `${fact.read} in [${values.map(CEL_LITERALS[fact.type]).join(', ')}]`);
}

/** The syntax of values by type, and its name in messages. */
const VALUE_FORMS: Readonly<
  Record<AttributeType, { readonly test: (text: string) => boolean; readonly noun: string }>
> = {
  string: { test: () => true, noun: 'text' },
  version: { test: isSemver, noun: 'a version: 9.0.0' },
  quantity: { test: isQuantity, noun: 'a Kubernetes quantity: 79Gi' },
  int: { test: (text) => /^-?(0|[1-9]\d{0,17})$/.test(text), noun: 'a whole number' },
  bool: { test: (text) => text === 'true' || text === 'false', noun: 'true or false' },
};

export function isWellFormed(type: AttributeType, text: string): boolean {
  return VALUE_FORMS[type].test(text);
}

/** Describes the values of a type: `a Kubernetes quantity: 79Gi`. */
export function formOf(type: AttributeType): string {
  return VALUE_FORMS[type].noun;
}

/** Completes a short version: `9` and `9.0` become `9.0.0`. */
export function completeVersion(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? [...text.split('.'), '0', '0'].slice(0, 3).join('.') : text;
}
