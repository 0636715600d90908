import { type AttributeRow, type AttributeType, DRIVERS } from '../../catalog/drivers';
import { isQuantity } from '../../cel/values/quantity';
import { isSemver } from '../../cel/values/semver';

/**
 * A condition on one device, as CEL: what `selectors` of a request take.
 *
 * @example
 * const big: Condition = gpu.memory.atLeast('79Gi');
 */
export interface Condition {
  readonly cel: string;
}

/** All of some conditions. */
export function and(first: Condition, ...rest: readonly Condition[]): Condition {
  return { cel: [first, ...rest].map(({ cel }) => cel).join(' && ') };
}

/** Any of some conditions. In parentheses, so that it can stand beside others. */
export function or(first: Condition, ...rest: readonly Condition[]): Condition {
  if (rest.length === 0) return first;
  return { cel: `(${[first, ...rest].map(({ cel }) => cel).join(' || ')})` };
}

/** The contrary of a condition. A device that leaves an optional attribute out does not meet a condition on it. */
export function not(condition: Condition): Condition {
  return { cel: `!(${condition.cel})` };
}

/** What a driver publishes, as CEL reads it. */
export interface AttributeReference {
  /** What messages call it: `gpu.nvidia.com memory`. */
  readonly label: string;

  /** The expression that reads it. It fails on a device that leaves it out. */
  readonly read: string;

  /** The condition that a device has it. */
  readonly published: string;

  /** Whether some devices leave it out. */
  readonly optional: boolean;
}

/** A fact of a driver of the catalogue. */
export function catalogReferenceOf(driver: string, name: string): AttributeReference {
  const row = DRIVERS.find((one) => one.name === driver)?.facts.find((one) => one.name === name);
  if (!row) throw new Error(`bug: the catalogue has no ${name} of ${driver}`);
  return referenceOf(driver, row);
}

/** A fact of any driver. */
export function referenceOf(
  driver: string,
  { name, type, domain = driver, optional }: Pick<AttributeRow, 'name' | 'type' | 'domain' | 'optional'>,
): AttributeReference {
  const names = `device.${type === 'quantity' ? 'capacity' : 'attributes'}[${JSON.stringify(domain)}]`;
  const plain = /^[A-Za-z_]\w*$/.test(name);
  return {
    label: `${driver} ${name}`,
    read: plain ? `${names}.${name}` : `${names}[${JSON.stringify(name)}]`,
    published: `${JSON.stringify(name)} in ${names}`,
    optional: optional !== undefined,
  };
}

/** A condition on a fact, which a device that leaves the fact out does not meet. */
export function guardOptional({ published, optional }: AttributeReference, cel: string): Condition {
  return { cel: optional ? `${published} && ${cel}` : cel };
}

/** How a fact is compared with a value. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** How values of each type stand in CEL. */
const CEL_LITERALS: Readonly<Record<AttributeType, (text: string) => string>> = {
  string: (text) => JSON.stringify(text),
  version: (text) => `semver(${JSON.stringify(text)})`,
  quantity: (text) => `quantity(${JSON.stringify(text)})`,
  int: (text) => text,
  bool: (text) => text,
};

/** Types that CEL compares by a method. */
const BY_METHOD: ReadonlySet<AttributeType> = new Set(['version', 'quantity']);

/** A fact compared with a value: `memory >= 79Gi`. The value has the form of its type, see `wellFormed`. */
export function compareWithValue(
  fact: AttributeReference & { readonly type: AttributeType },
  operator: ComparisonOperator,
  value: string,
): Condition {
  const literal = CEL_LITERALS[fact.type](value);
  if (fact.type === 'bool')
    return guardOptional(fact, (value === 'true') === (operator === '==') ? fact.read : `!${fact.read}`);
  if (!BY_METHOD.has(fact.type)) return guardOptional(fact, `${fact.read} ${operator} ${literal}`);
  return guardOptional(fact, `${fact.read}.compareTo(${literal}) ${operator} 0`);
}

/** A fact that is one of some values. */
export function compareWithList(
  fact: AttributeReference & { readonly type: AttributeType },
  values: readonly string[],
): Condition {
  const [only] = values;
  if (only !== undefined && values.length === 1) return compareWithValue(fact, '==', only);
  return guardOptional(fact, `${fact.read} in [${values.map(CEL_LITERALS[fact.type]).join(', ')}]`);
}

/** What a value of each type looks like, for messages. */
const VALUE_FORMS: Readonly<
  Record<AttributeType, { readonly test: (text: string) => boolean; readonly noun: string }>
> = {
  string: { test: () => true, noun: 'text' },
  version: { test: isSemver, noun: 'a version: 9.0.0' },
  quantity: { test: isQuantity, noun: 'an amount: 79Gi' },
  int: { test: (text) => /^-?(0|[1-9]\d{0,17})$/.test(text), noun: 'a whole number' },
  bool: { test: (text) => text === 'true' || text === 'false', noun: 'true or false' },
};

/** Whether a text is a value of a type. */
export function isWellFormed(type: AttributeType, text: string): boolean {
  return VALUE_FORMS[type].test(text);
}

/** What a value of a type is called: `an amount: 79Gi`. */
export function formOf(type: AttributeType): string {
  return VALUE_FORMS[type].noun;
}

/** A version as people write it, made whole: `9` and `9.0` become `9.0.0`. */
export function completeVersion(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? [...text.split('.'), '0', '0'].slice(0, 3).join('.') : text;
}
