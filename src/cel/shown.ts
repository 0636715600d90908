import { Address } from './address';
import { NamedFormat } from './named-format';
import { Network } from './network';
import { Quantity } from './quantity';
import { Semver } from './semver';
import { Url } from './url';

/** Values whose texts need no quotes. */
const PRINTED = [Quantity, Semver, Address, Network, Url, NamedFormat];

const MOST_SHOWN = 5;

/** A value as a selector would write it, short; nothing for what has no short form. */
export function shown(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (PRINTED.some((type) => value instanceof type)) return String(value);
  if (!Array.isArray(value)) return undefined;
  const listed = shownList(value);
  return listed === undefined ? undefined : `[${listed}]`;
}

/** Values in a row, the first few of many: `"a", "b"`. */
export function shownList(values: readonly unknown[]): string | undefined {
  const texts = values.slice(0, MOST_SHOWN).map(shown);
  if (texts.includes(undefined)) return undefined;
  const more = values.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
