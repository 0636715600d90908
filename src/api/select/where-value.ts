import { compareText } from '../../base/order';
import { GPUS } from '../../catalog/gpus';
import type { AttributeRow, AttributeType } from '../../catalog/drivers';
import { parseQuantity } from '../../cel/values/quantity';
import { parseSemver } from '../../cel/values/semver';
import { findQuantityFault, isByteName, LEAST_DEVICE_MEMORY, LEAST_MEMORY } from '../schema/quantity-faults';
import { type ComparisonOperator, completeVersion, formOf, isWellFormed } from './condition';

/** A value, a list of allowed values, or comparisons as text: `Hopper`, `[Hopper, Blackwell]`, `">= 40Gi, < 90Gi"`. */
export type WhereValue = string | number | boolean | readonly string[];

interface InvalidWhereValue {
  readonly what: string;
  readonly hint: string;
}

/** The constraint that a value states: bounds that must all hold, or a list of allowed values. */
export type ParsedWhereValue =
  | { readonly bounds: readonly ValueBound[] }
  | { readonly oneOf: readonly string[] }
  | { readonly wrong: InvalidWhereValue };

const COMPARISON = /^(==|!=|<=|>=|<|>)\s*(\S.*)$/;

/** An attribute or capacity, as far as its values depend on it. */
type WhereFact = Pick<AttributeRow, 'name' | 'type'>;

export function parseWhereValue(fact: WhereFact, value: WhereValue): ParsedWhereValue {
  if (typeof value === 'object') return parseList(fact.type, value);
  if (typeof value !== 'string') return parseScalar(fact, value);
  const parts = fact.type === 'string' ? [value] : value.split(',');
  const bounds = parts.map((part) => parseBound(fact, part));
  const wrong = bounds.find((bound) => 'what' in bound);
  return wrong ? { wrong } : { bounds: bounds.filter((bound) => 'operator' in bound) };
}

function parseScalar(fact: WhereFact, value: number | boolean): ParsedWhereValue {
  const { type } = fact;
  const found = parseBound(fact, String(value));
  const fits = typeof value === 'boolean' ? type === 'bool' : type !== 'string' && type !== 'bool';
  if (!fits) return { wrong: describeMisfit(type, String(value)) };
  return 'operator' in found ? { bounds: [found] } : { wrong: found };
}

function parseList(type: AttributeType, values: readonly string[]): ParsedWhereValue {
  if (type !== 'string' && type !== 'int') {
    const what = 'a list of values is allowed for text and whole numbers only';
    return { wrong: { what, hint: 'Use a comparison, or CEL in selectors' } };
  }
  if (values.length === 0) {
    return { wrong: { what: 'no device matches an empty list', hint: 'List the accepted values' } };
  }
  const invalid = values.find((value) => !isWellFormed(type, value));
  return invalid === undefined ? { oneOf: values } : { wrong: describeMisfit(type, invalid) };
}

/** A comparison operator with its signs in the wrong order: `=>`. */
const TURNED = /^=([<>])(.*)$/;

function findTurnedOperator(type: AttributeType, plain: string): InvalidWhereValue | undefined {
  const [, sign, rest] = TURNED.exec(plain) ?? [];
  if (type === 'string' || sign === undefined) return undefined;
  return { what: `'=${sign}' is not a comparison operator`, hint: `Did you mean '${sign}= ${(rest ?? '').trim()}'?` };
}

function parseBound({ name, type }: WhereFact, part: string): ValueBound | InvalidWhereValue {
  const [, operator, written] = COMPARISON.exec(part.trim()) ?? [];
  const plain = (written ?? part).trim();
  const value = type === 'version' ? completeVersion(plain) : plain;
  const fault = findTurnedOperator(type, plain) ?? findAmountFault({ name, type }, plain, operator);
  if (fault) return fault;
  if (!isWellFormed(type, value) || (type === 'string' && written === undefined && value === '')) {
    return describeMisfit(type, plain);
  }
  const op = (operator ?? '==') as ComparisonOperator;
  if (isOrder(op) && (type === 'string' || type === 'bool')) {
    const noun = type === 'string' ? 'text' : 'true or false';
    return { what: `'${op}' does not compare ${noun}`, hint: "Use the value, or '!= ' and the value" };
  }
  return { operator: op, value };
}

/** Finds an amount that is no quantity, or that lacks its unit or its operator. */
function findAmountFault({ name, type }: WhereFact, plain: string, operator?: string): InvalidWhereValue | undefined {
  if (type !== 'quantity') return undefined;
  const isLeast = name === 'memory' && (operator === undefined || operator.startsWith('>'));
  let smallest: PublishedMemory | undefined;
  const format = (meant: string): string => {
    smallest = isLeast ? findPublishedMemory(meant) : undefined;
    return `${operator ?? '>='} ${smallest?.whole ?? meant}`;
  };
  const least = isLeast ? LEAST_DEVICE_MEMORY : LEAST_MEMORY;
  const fault = findQuantityFault(plain, { format, ...(isByteName(name) && { least }) });
  if (fault) return smallest ? { ...fault, hint: `${fault.hint} ${smallest.why}` } : fault;
  if (operator !== undefined) return undefined;
  const published = isLeast ? findPublishedMemory(plain) : undefined;
  const hint = `Use '>= ${published?.whole ?? plain}' for at least that`;
  const why = published === undefined ? '' : `. ${published.why}`;
  return { what: `'${plain}' has no comparison operator`, hint: `${hint}${why}` };
}

const GI = 2 ** 30;

interface PublishedMemory {
  /** The most whole Gi that every GPU of the advertised size publishes: `79Gi` for `80Gi`. */
  readonly whole: string;
  readonly why: string;
}

/** Finds what GPUs of an advertised size publish, where that is less: an H100 of 80Gi has 81559Mi. */
function findPublishedMemory(meant: string): PublishedMemory | undefined {
  const size = bytesOf(meant);
  const published = GPUS.flatMap(({ memory, nominal, productName }) => {
    return memory !== undefined && nominal !== undefined && bytesOf(nominal) === size
      ? [{ memory, productName, bytes: bytesOf(memory) }]
      : [];
  });
  const [least] = published.sort((a, b) => a.bytes - b.bytes);
  if (!least || least.bytes >= size) return undefined;
  const why = `A GPU of ${meant} publishes less: ${least.memory} on ${least.productName}`;
  return { whole: `${Math.floor(least.bytes / GI)}Gi`, why };
}

function bytesOf(quantity: string): number {
  return parseQuantity(quantity).asApproximateFloat();
}

function isOrder(operator: ComparisonOperator): boolean {
  return operator !== '==' && operator !== '!=';
}

function describeMisfit(type: AttributeType, text: string): InvalidWhereValue {
  return { what: `'${text}' is not ${formOf(type)}`, hint: HINTS[type] };
}

const HINTS: Readonly<Record<AttributeType, string>> = {
  string: 'Use the value that the driver publishes, in quotes if it looks like a number',
  version: "Write a version or a comparison: '>= 9.0'",
  quantity: "Write a comparison: '>= 79Gi'",
  int: "Write a number or a comparison: '>= 1'",
  bool: 'Write true or false',
};

/** A comparison with a value: `>= 79Gi`. */
export interface ValueBound {
  readonly operator: ComparisonOperator;
  readonly value: string;
}

const VALUE_ORDERS: Readonly<Record<AttributeType, (a: string, b: string) => number>> = {
  string: compareText,
  bool: compareText,
  int: (a, b) => Number(BigInt(a) - BigInt(b)),
  version: (a, b) => parseSemver(a).compare(parseSemver(b)),
  quantity: (a, b) => parseQuantity(a).compare(parseQuantity(b)),
};

const OPERATOR_TESTS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export function isWithinBound(type: AttributeType, value: string, { operator, value: bound }: ValueBound): boolean {
  return OPERATOR_TESTS[operator](VALUE_ORDERS[type](value, bound));
}

/** Finds two bounds that no value can satisfy together. Returns `undefined` if there are none. */
export function findContradiction(
  type: AttributeType,
  bounds: readonly ValueBound[],
): readonly [ValueBound, ValueBound] | undefined {
  for (const [index, first] of bounds.entries()) {
    const second = bounds.slice(index + 1).find((other) => areExclusive(type, first, other));
    if (second) return [first, second];
  }
  return undefined;
}

function areExclusive(type: AttributeType, a: ValueBound, b: ValueBound): boolean {
  if (a.operator === '==') return !isWithinBound(type, a.value, b);
  if (b.operator === '==') return !isWithinBound(type, b.value, a);
  const [low, high] = isLower(a) ? [a, b] : [b, a];
  if (!isLower(low) || !isUpper(high)) return false;
  const order = VALUE_ORDERS[type](low.value, high.value);
  return order > 0 || (order === 0 && !(low.operator === '>=' && high.operator === '<='));
}

function isLower({ operator }: ValueBound): boolean {
  return operator === '>' || operator === '>=';
}

function isUpper({ operator }: ValueBound): boolean {
  return operator === '<' || operator === '<=';
}
