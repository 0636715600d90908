import { NUMBER_FORMATS, type NumberFormat } from '../../catalog/gpu-architectures';
import { findQuantityFault, isByteName, LEAST_MEMORY } from '../schema/quantity-faults';
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

/** Conditions on a text that a driver publishes. */
export interface TextFact<V extends string = string> {
  /** The device publishes this text. */
  is(value: V): Condition;

  /** The device publishes another text. */
  isNot(value: V): Condition;

  /** The device publishes one of these texts. */
  isOneOf(first: V, ...rest: readonly V[]): Condition;
}

/** Conditions on an ordered value: a quantity, a version or a whole number. */
export interface OrderedFact<V> {
  /** The value equals `value`. */
  is(value: V): Condition;

  /** The value is `value` or above. */
  atLeast(value: V): Condition;

  /** The value is `value` or below. */
  atMost(value: V): Condition;

  /** The value is above `value`. */
  above(value: V): Condition;

  /** The value is below `value`. */
  below(value: V): Condition;
}

/** Conditions on a boolean value. */
export interface FlagFact {
  /** The value is true. */
  isTrue(): Condition;

  /** The device publishes the value, and it is false. */
  isFalse(): Condition;
}

/** A condition on the presence of an optional attribute. Other conditions do not match a device that omits it. */
export interface Published {
  /** The device publishes the attribute, with any value. */
  isPublished(): Condition;
}

export function createTextFact<V extends string = string>(driver: string, name: string): TextFact<V> & Published {
  const fact = catalogReferenceOf(driver, name);
  return {
    is: (value) => compareWithValue(fact, '==', value),
    isNot: (value) => compareWithValue(fact, '!=', value),
    isOneOf: (first, ...rest) => compareWithList(fact, [first, ...rest]),
    isPublished: () => ({ cel: fact.published }),
  };
}

export function createQuantityFact(driver: string, name: string): OrderedFact<QuantityText> & Published {
  const fact = catalogReferenceOf(driver, name);
  return createOrderedFact(fact, (value) => {
    const fault = findQuantityFault(value, isByteName(name) ? { least: LEAST_MEMORY } : {});
    if (fault) throw new Error(`${fact.label}: ${fault.what}. ${fault.hint}`);
    return value;
  });
}

export function createVersionFact(driver: string, name: string): OrderedFact<VersionText> & Published {
  return createOrderedFact(catalogReferenceOf(driver, name), completeVersion);
}

export function createIntegerFact(driver: string, name: string): OrderedFact<number> & Published {
  return createOrderedFact(catalogReferenceOf(driver, name), String);
}

export function createFlagFact(driver: string, name: string): FlagFact & Published {
  const fact = catalogReferenceOf(driver, name);
  return {
    isTrue: () => compareWithValue(fact, '==', 'true'),
    isFalse: () => compareWithValue(fact, '==', 'false'),
    isPublished: () => ({ cel: fact.published }),
  };
}

/** Returns the condition that the tensor cores of an NVIDIA GPU support a number format. */
export function supports(format: NumberFormat): Condition {
  const row = NUMBER_FORMATS.find(({ name }) => name === format);
  if (!row) throw new Error(`'${String(format)}' is not a number format. Use one of ${FORMAT_NAMES.join(', ')}.`);
  return compareWithValue(catalogReferenceOf('gpu.nvidia.com', 'cudaComputeCapability'), '>=', row.since);
}

const FORMAT_NAMES = NUMBER_FORMATS.map(({ name }) => name);

function createOrderedFact<V>(fact: AttributeReference, textOf: (value: V) => string): OrderedFact<V> & Published {
  const compare =
    (operator: ComparisonOperator) =>
    (value: V): Condition => {
      const text = textOf(value);
      if (!isWellFormed(fact.type, text)) throw new Error(`${fact.label}: '${text}' is not ${formOf(fact.type)}.`);
      return compareWithValue(fact, operator, text);
    };
  return {
    is: compare('=='),
    atLeast: compare('>='),
    atMost: compare('<='),
    above: compare('>'),
    below: compare('<'),
    isPublished: () => ({ cel: fact.published }),
  };
}
