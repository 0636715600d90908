import type { FactType } from '../catalog/driver';
import { isQuantity } from '../cel/quantity';
import { isSemver } from '../cel/semver';
import type { Condition } from './condition';
import { guarded, type Reference } from './reference';

/** How a fact is compared with a value. */
export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** How values of each type stand in CEL. */
const LITERALS: Readonly<Record<FactType, (text: string) => string>> = {
  string: (text) => JSON.stringify(text),
  version: (text) => `semver(${JSON.stringify(text)})`,
  quantity: (text) => `quantity(${JSON.stringify(text)})`,
  int: (text) => text,
  bool: (text) => text,
};

/** Types that CEL compares by a method. */
const BY_METHOD: ReadonlySet<FactType> = new Set(['version', 'quantity']);

/** A fact compared with a value: `memory >= 79Gi`. The value has the form of its type, see `wellFormed`. */
export function comparison(
  fact: Reference & { readonly type: FactType },
  operator: Operator,
  value: string,
): Condition {
  const literal = LITERALS[fact.type](value);
  if (fact.type === 'bool')
    return guarded(fact, (value === 'true') === (operator === '==') ? fact.read : `!${fact.read}`);
  if (!BY_METHOD.has(fact.type)) return guarded(fact, `${fact.read} ${operator} ${literal}`);
  return guarded(fact, `${fact.read}.compareTo(${literal}) ${operator} 0`);
}

/** A fact that is one of some values. */
export function membership(
  fact: Reference & { readonly type: FactType },
  values: readonly string[],
): Condition {
  const [only] = values;
  if (only !== undefined && values.length === 1) return comparison(fact, '==', only);
  return guarded(fact, `${fact.read} in [${values.map(LITERALS[fact.type]).join(', ')}]`);
}

/** What a value of each type looks like, for messages. */
const FORMS: Readonly<Record<FactType, { readonly test: (text: string) => boolean; readonly noun: string }>> =
  {
    string: { test: () => true, noun: 'text' },
    version: { test: isSemver, noun: 'a version: 9.0.0' },
    quantity: { test: isQuantity, noun: 'an amount: 79Gi' },
    int: { test: (text) => /^-?(0|[1-9]\d{0,17})$/.test(text), noun: 'a whole number' },
    bool: { test: (text) => text === 'true' || text === 'false', noun: 'true or false' },
  };

/** Whether a text is a value of a type. */
export function wellFormed(type: FactType, text: string): boolean {
  return FORMS[type].test(text);
}

/** What a value of a type is called: `an amount: 79Gi`. */
export function formOf(type: FactType): string {
  return FORMS[type].noun;
}

/** A version as people write it, made whole: `9` and `9.0` become `9.0.0`. */
export function wholeVersion(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? [...text.split('.'), '0', '0'].slice(0, 3).join('.') : text;
}
