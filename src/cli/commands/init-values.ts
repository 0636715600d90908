import { suggestName } from '../../base/name-suggestion';
import { joinNames } from '../../base/text';
import { commandError, meantHint } from '../command-error';

/** @throws FleetwrightError when a flag has another value than the known ones */
export function parseOne<T extends string>(flag: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text.trim().toLowerCase());
  if (found !== undefined) return found;
  const hint = meantHint(suggestName(text, known), `Use one of ${joinNames(known)}`);
  throw commandError('bad-flag', flag, `'${text}' is not known`, hint);
}

/** The items of a list that commas separate. */
export function splitList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
