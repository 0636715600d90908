import type { FactType } from '../catalog/driver';
import { formOf, type Operator, wellFormed, wholeVersion } from './comparison';
import type { Bound } from './where-bounds';

/** A value, one of several, or comparisons as text: `Hopper`, `[Hopper, Blackwell]`, `">= 40Gi, < 90Gi"`. */
export type WhereValue = string | number | boolean | readonly string[];

/** What is wrong with a value, in clauses. */
export interface BadValue {
  readonly what: string;
  readonly hint: string;
}

/** What a value asks of a fact: all of some bounds, or one of some values. */
export type Asked =
  | { readonly bounds: readonly Bound[] }
  | { readonly oneOf: readonly string[] }
  | { readonly wrong: BadValue };

const COMPARISON = /^\s*(==|!=|<=|>=|<|>)\s*(\S.*?)\s*$/;

/** Reads the value of a short form for a fact of some type. */
export function asked(type: FactType, value: WhereValue): Asked {
  if (typeof value !== 'string')
    return typeof value === 'object' ? several(type, value) : scalar(type, value);
  const parts = type === 'string' ? [value] : value.split(',');
  const bounds = parts.map((part) => bound(type, part));
  const wrong = bounds.find((one) => 'what' in one);
  return wrong ? { wrong } : { bounds: bounds.filter((one) => 'operator' in one) };
}

function scalar(type: FactType, value: number | boolean): Asked {
  const found = bound(type, String(value));
  const fits = typeof value === 'boolean' ? type === 'bool' : type !== 'string' && type !== 'bool';
  if (!fits) return { wrong: misfit(type, String(value)) };
  return 'operator' in found ? { bounds: [found] } : { wrong: found };
}

function several(type: FactType, values: readonly string[]): Asked {
  if (type !== 'string' && type !== 'int') {
    const what = 'a list of values is for text and whole numbers';
    return { wrong: { what, hint: 'Write a comparison, or CEL in selectors' } };
  }
  if (values.length === 0) {
    return {
      wrong: { what: 'a list without values is met by nothing', hint: 'List the values that will do' },
    };
  }
  const odd = values.find((one) => !wellFormed(type, one));
  return odd === undefined ? { oneOf: values } : { wrong: misfit(type, odd) };
}

function bound(type: FactType, part: string): Bound | BadValue {
  const [, operator, written] = COMPARISON.exec(part) ?? [];
  const plain = (written ?? part).trim();
  const value = type === 'version' ? wholeVersion(plain) : plain;
  if (!wellFormed(type, value) || (type === 'string' && written === undefined && value === '')) {
    return misfit(type, plain);
  }
  if (operator === undefined && type === 'quantity') {
    return { what: `'${plain}' does not say how to compare`, hint: `Write '>= ${plain}' for at least that` };
  }
  const op = (operator ?? '==') as Operator;
  if (isOrder(op) && (type === 'string' || type === 'bool')) {
    const noun = type === 'string' ? 'text' : 'true or false';
    return { what: `'${op}' does not compare ${noun}`, hint: "Write the value, or '!= ' and the value" };
  }
  return { operator: op, value };
}

function isOrder(operator: Operator): boolean {
  return operator !== '==' && operator !== '!=';
}

function misfit(type: FactType, text: string): BadValue {
  return { what: `'${text}' is not ${formOf(type)}`, hint: EXAMPLES[type] };
}

const EXAMPLES: Readonly<Record<FactType, string>> = {
  string: 'Write the value as the driver publishes it, in quotes if it looks like a number',
  version: "Write a version or a comparison: '>= 9.0'",
  quantity: "Write a comparison: '>= 79Gi'",
  int: "Write a number or a comparison: '>= 1'",
  bool: 'Write true or false',
};
