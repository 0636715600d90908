import type { z } from 'zod';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { Path } from '../resource';

/** A rule over a value. Paths in its findings start at the value. */
export type SchemaRule<T> = (value: T) => Iterable<Diagnostic<Path>>;

/** The rule of an object with any fields. */
type ObjectRule = SchemaRule<Readonly<Record<string, unknown>>>;

/**
 * Converts rules to a zod check, so that a schema can declare them next to its fields. The rules run if all fields have
 * the right type. All rules report their findings.
 *
 * @example
 * fields({ min: z.int(), max: z.int() }).check(rules(minIsAtMostMax));
 */
export function rules<T>(...all: readonly SchemaRule<T>[]): z.core.CheckFn<T> {
  return (payload) => {
    for (const rule of all) {
      for (const finding of rule(payload.value)) {
        const path = [...finding.at];
        payload.issues.push({ code: 'custom', input: payload.value, path, params: { finding }, continue: true });
      }
    }
  };
}

export function describeMissingField(path: Path, hint: string): Diagnostic<Path> {
  const last = path.at(-1);
  const what = typeof last === 'number' ? `item ${last + 1} of the list is missing` : `the field '${last}' is missing`;
  return errorAt('missing-field', path, what, hint);
}

/** The finding of a size above its maximum: `65 is greater than the maximum of 64`. */
export function describeAboveMaximum(
  path: Path,
  size: string,
  maximum: number | bigint,
  hint: string,
): Diagnostic<Path> {
  return errorAt('out-of-bounds', path, `${size} is greater than the maximum of ${maximum}`, hint);
}

export function describeBelowMinimum(
  path: Path,
  size: string,
  minimum: number | bigint,
  hint: string,
): Diagnostic<Path> {
  return errorAt('out-of-bounds', path, `${size} is less than the minimum of ${minimum}`, hint);
}

/** Formats a text of some length for messages: `a text of 65 characters`. */
export function formatTextLength(length: number): string {
  if (length === 0) return 'an empty text';
  return length === 1 ? 'a text of 1 character' : `a text of ${length} characters`;
}

/**
 * Creates a rule that exactly one of some fields is set.
 *
 * @param noun the noun for the object in messages: `the attribute`
 */
export function requireExactlyOne(noun: string, forms: readonly string[]): ObjectRule {
  return function* (value) {
    const given = forms.filter((form) => value[form] !== undefined);
    if (given.length === 1) return;
    const what = given.length === 0 ? `${noun} has no value` : `${noun} has both ${given.join(' and ')}`;
    yield errorAt('not-exactly-one', [], what, `Set exactly one of ${forms.join(', ')}`);
  };
}

/**
 * Creates a rule that an object has the block that one of its fields chooses.
 *
 * @param noun the noun for the owner of the object in messages: `class`
 * @param field the field that chooses
 * @param blocks the block of each choice
 * @param conditions when a choice is right, for the hint: ` if a program creates it`
 * @example
 * requireChosenBlock('class', 'provider', { GKE: 'gke', EKS: 'eks' });
 */
export function requireChosenBlock(
  noun: string,
  field: string,
  blocks: Readonly<Record<string, string>>,
  conditions: Readonly<Partial<Record<string, string>>> = {},
): ObjectRule {
  return function* (value) {
    const choice = value[field];
    const block = typeof choice === 'string' ? blocks[choice] : undefined;
    if (block === undefined || value[block] !== undefined) return;
    const [other] = Object.entries(blocks).filter(([, name]) => value[name] !== undefined);
    if (other) {
      const what = `'${other[1]}' is for ${field} ${other[0]}, and the ${field} is ${String(choice)}`;
      yield errorAt(
        'contradiction',
        [other[1]],
        what,
        `Write '${block}', or '${field}: ${other[0]}'${conditions[other[0]] ?? ''}`,
      );
    } else yield describeMissingField([block], `A ${noun} with ${field} ${String(choice)} needs it`);
  };
}
