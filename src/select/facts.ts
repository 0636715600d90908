import { NUMBER_FORMATS, type NumberFormat } from '../catalog/number-formats';
import type { FactType } from '../catalog/driver';
import { comparison, formOf, membership, type Operator, wellFormed, wholeVersion } from './comparison';
import type { Condition } from './condition';
import { reference, type Reference } from './reference';

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
export function text<V extends string = string>(driver: string, name: string): TextFact<V> & Published {
  const fact = { ...reference(driver, name), type: 'string' as const };
  return {
    is: (value) => comparison(fact, '==', value),
    isNot: (value) => comparison(fact, '!=', value),
    isOneOf: (first, ...rest) => membership(fact, [first, ...rest]),
    isPublished: () => ({ cel: fact.published }),
  };
}

/** An amount of a driver of the catalogue. */
export function amount(driver: string, name: string): OrderedFact<QuantityText> & Published {
  return ordered(reference(driver, name), 'quantity', (value) => value);
}

/** A version of a driver of the catalogue. */
export function version(driver: string, name: string): OrderedFact<VersionText> & Published {
  return ordered(reference(driver, name), 'version', wholeVersion);
}

/** A whole number of a driver of the catalogue. */
export function integer(driver: string, name: string): OrderedFact<number> & Published {
  return ordered(reference(driver, name), 'int', String);
}

/** A fact of a driver of the catalogue that is true or false. */
export function flag(driver: string, name: string): FlagFact & Published {
  const fact = { ...reference(driver, name), type: 'bool' as const };
  return {
    isTrue: () => comparison(fact, '==', 'true'),
    isFalse: () => comparison(fact, '==', 'false'),
    isPublished: () => ({ cel: fact.published }),
  };
}

/** The condition that a GPU of NVIDIA multiplies a number format on its tensor cores. */
export function supports(format: NumberFormat): Condition {
  const row = NUMBER_FORMATS.find(({ name }) => name === format);
  if (!row) throw new Error(`'${String(format)}' is no number format. Use one of ${FORMATS.join(', ')}.`);
  const fact = { ...reference('gpu.nvidia.com', 'cudaComputeCapability'), type: 'version' as const };
  return comparison(fact, '>=', row.since);
}

const FORMATS = NUMBER_FORMATS.map(({ name }) => name);

function ordered<V>(
  read: Reference,
  type: FactType,
  textOf: (value: V) => string,
): OrderedFact<V> & Published {
  const fact = { ...read, type };
  const compare =
    (operator: Operator) =>
    (value: V): Condition => {
      const written = textOf(value);
      if (!wellFormed(type, written)) throw new Error(`${read.label}: '${written}' is not ${formOf(type)}.`);
      return comparison(fact, operator, written);
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
