import { failure, type Said, unknown } from '../finding';
import type { Listing } from '../live-object';

/** What to say where the objects of a kind cannot be seen. A kind that is not served is told by another check. */
export function unseen(
  { missing, why }: Extract<Listing, { missing: string }>,
  objects: string,
): readonly Said[] {
  if (missing === 'unserved') return [];
  if (missing === 'forbidden') return [unknown(`the ${objects} may not be listed`, `Ask for it: ${why}`)];
  return [failure(`the ${objects} could not be listed`, `Try again: ${why}`)];
}
