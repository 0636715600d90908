import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { AccessChange } from '../../diff/access-changes';
import { nameCredentials } from './entrance-text';

type LostAccess = Pick<AccessChange, 'lostClients' | 'movedClients' | 'refused' | 'instead'>;

/** `the keys of a, b are no longer accepted, and clients with a token for chat are no longer accepted`. */
export function describeLostAccess({ lostClients, movedClients, refused, instead }: LostAccess): string {
  const parts = [
    ...(lostClients.length > 0 ? [`the keys of ${joinNames(lostClients)} are no longer accepted`] : []),
    ...(movedClients.length > 0 ? [describeMovedKeys(movedClients)] : []),
    ...refused.map((who) => `clients ${who} are no longer accepted`),
  ];
  return `${parts.join(', and ')}${instead ? `, only ${nameCredentials(instead)}` : ''}`;
}

/** `the keys of a, b are read from ml/new instead of ml/old, and keys that this Secret lacks are no longer accepted`. */
function describeMovedKeys(moved: AccessChange['movedClients']): string {
  const names = joinNames(sortUnique(moved.map(({ name }) => name)));
  const steps = sortUnique(moved.map(({ before, after }) => `${after} instead of ${before}`));
  return `the keys of ${names} are read from ${joinNames(steps)}, and keys that this Secret lacks are no longer accepted`;
}
