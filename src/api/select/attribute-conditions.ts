import type { AttributeType } from '../../catalog/drivers';
import { NUMBER_FORMATS, type NumberFormat } from '../../catalog/gpu-architectures';
import {
  type AttributeReference,
  catalogReferenceOf,
  compareWithList,
  compareWithValue,
  type ComparisonOperator,
  completeVersion,
  type Condition,
  formOf,
  isWellFormed,
} from './condition';

/** An amount as Kubernetes writes it: `79Gi`. */
export type QuantityText = `${number}${'' | 'k' | 'M' | 'G' | 'T' | 'Ki' | 'Mi' | 'Gi' | 'Ti'}`;

/** A version of two or three numbers: `9.0`, `580.126.20`. */
export type VersionText = `${number}.${number}` | `${number}.${number}.${number}`;

/** A text that a driver publishes. */
export interface TextFact<V extends string = string> {
  /** It is this text. */
  is(value: V): Condition;

  /** It is published, and another text. */
  isNot(value: V): Condition;

  /** It is one of these texts. */
  isOneOf(first: V, ...rest: readonly V[]): Condition;
}

/** A fact with an order: an amount, a version or a whole number. */
export interface OrderedFact<V> {
  /** It equals this value. */
  is(value: V): Condition;

  /** It is this value or above. */
  atLeast(value: V): Condition;

  /** It is this value or below. */
  atMost(value: V): Condition;

  /** It is above this value. */
  above(value: V): Condition;

  /** It is below this value. */
  below(value: V): Condition;
}

/** A fact that is true or false. */
export interface FlagFact {
  /** It is true. */
  isTrue(): Condition;

  /** It is published, and false. */
  isFalse(): Condition;
}

/** What only some devices have. Conditions on it are not met by a device that leaves it out. */
export interface Published {
  /** The device publishes it, whatever its value. */
  isPublished(): Condition;
}

/** A text of a driver of the catalogue. */
export function createTextFact<V extends string = string>(
  driver: string,
  name: string,
): TextFact<V> & Published {
  const fact = { ...catalogReferenceOf(driver, name), type: 'string' as const };
  return {
    is: (value) => compareWithValue(fact, '==', value),
    isNot: (value) => compareWithValue(fact, '!=', value),
    isOneOf: (first, ...rest) => compareWithList(fact, [first, ...rest]),
    isPublished: () => ({ cel: fact.published }),
  };
}

/** An amount of a driver of the catalogue. */
export function createQuantityFact(driver: string, name: string): OrderedFact<QuantityText> & Published {
  return createOrderedFact(catalogReferenceOf(driver, name), 'quantity', (value) => value);
}

/** A version of a driver of the catalogue. */
export function createVersionFact(driver: string, name: string): OrderedFact<VersionText> & Published {
  return createOrderedFact(catalogReferenceOf(driver, name), 'version', completeVersion);
}

/** A whole number of a driver of the catalogue. */
export function createIntegerFact(driver: string, name: string): OrderedFact<number> & Published {
  return createOrderedFact(catalogReferenceOf(driver, name), 'int', String);
}

/** A fact of a driver of the catalogue that is true or false. */
export function createFlagFact(driver: string, name: string): FlagFact & Published {
  const fact = { ...catalogReferenceOf(driver, name), type: 'bool' as const };
  return {
    isTrue: () => compareWithValue(fact, '==', 'true'),
    isFalse: () => compareWithValue(fact, '==', 'false'),
    isPublished: () => ({ cel: fact.published }),
  };
}

/** The condition that a GPU of NVIDIA multiplies a number format on its tensor cores. */
export function supports(format: NumberFormat): Condition {
  const row = NUMBER_FORMATS.find(({ name }) => name === format);
  if (!row)
    throw new Error(`'${String(format)}' is no number format. Use one of ${FORMAT_NAMES.join(', ')}.`);
  const fact = { ...catalogReferenceOf('gpu.nvidia.com', 'cudaComputeCapability'), type: 'version' as const };
  return compareWithValue(fact, '>=', row.since);
}

const FORMAT_NAMES = NUMBER_FORMATS.map(({ name }) => name);

function createOrderedFact<V>(
  read: AttributeReference,
  type: AttributeType,
  textOf: (value: V) => string,
): OrderedFact<V> & Published {
  const fact = { ...read, type };
  const compare =
    (operator: ComparisonOperator) =>
    (value: V): Condition => {
      const written = textOf(value);
      if (!isWellFormed(type, written))
        throw new Error(`${read.label}: '${written}' is not ${formOf(type)}.`);
      return compareWithValue(fact, operator, written);
    };
  return {
    is: compare('=='),
    atLeast: compare('>='),
    atMost: compare('<='),
    above: compare('>'),
    below: compare('<'),
    isPublished: () => ({ cel: read.published }),
  };
}
