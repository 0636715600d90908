import type { Finding, Path } from '../resource';

/** A field, or an item of a list, that has to be there. */
export function missingField(path: Path, hint?: string): Finding {
  const last = path.at(-1);
  return {
    code: 'missing-field',
    path,
    what:
      typeof last === 'number' ? `item ${last + 1} of the list is missing` : `the field '${last}' is missing`,
    ...(hint && { hint }),
  };
}

/** Something that is too large, long or many: `65 is above the maximum of 64`. */
export function aboveMaximum(path: Path, size: string, maximum: number | bigint, hint?: string): Finding {
  return {
    code: 'out-of-bounds',
    path,
    what: `${size} is above the maximum of ${maximum}`,
    ...(hint && { hint }),
  };
}

/** Something that is too small, short or few. */
export function belowMinimum(path: Path, size: string, minimum: number | bigint): Finding {
  return { code: 'out-of-bounds', path, what: `${size} is below the minimum of ${minimum}` };
}

/** How messages call a text of some length. */
export function textOf(length: number): string {
  if (length === 0) return 'an empty text';
  return length === 1 ? 'a text of 1 character' : `a text of ${length} characters`;
}
