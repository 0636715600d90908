import { createHash } from 'node:crypto';
import type { Metadata } from '../api/resource';

/** What identifies a namespaced resource of ours. */
export type Identity = Pick<Metadata, 'namespace' | 'name'>;

/** What a name is made of. */
export interface Name {
  readonly kind: string;
  readonly visible: readonly (string | number)[];

  /** Of the identity, and not shown. */
  readonly hidden?: readonly string[];
  readonly longest: number;

  /** Of the digest. Default: 5. */
  readonly digits?: number;
}

/** The name of an object that belongs to a resource: the parts for people, cut to fit, and a digest over all. */
export function named(
  { namespace = '' }: Identity,
  { kind, visible, hidden = [], longest, digits = 5 }: Name,
): string {
  // No part has a slash, so different identities never join to the same text.
  const suffix = `-${digest([kind, namespace, ...visible, ...hidden].join('/'), digits)}`;
  const words = visible.join('-').toLowerCase().replaceAll('.', '-');
  const start = /^[a-z]/.test(words) ? words : `m-${words}`;
  return start.slice(0, longest - suffix.length).replace(/-+$/, '') + suffix;
}

/** Hexadecimal digits of the SHA-256 of a text. */
export function digest(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
