import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { Path } from '../resource';

/** Matches half of a surrogate pair, which is no character: no UTF-8 file can hold it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Finds texts and keys with half of a surrogate pair, which escapes in YAML can produce and Kubernetes rejects. */
export function findBrokenTexts(value: unknown, path: Path = []): Diagnostic<Path>[] {
  return isBroken(value) ? list(value, path) : [];
}

/** Whether a value holds such a text. Almost none does, so that this makes no paths. */
function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value);
  if (Array.isArray(value)) return value.some(isBroken);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => LONE_SURROGATE.test(key) || isBroken(one));
}

function list(value: unknown, path: Path): Diagnostic<Path>[] {
  if (typeof value === 'string') return [describeBroken(path, 'this text')];
  if (Array.isArray(value)) return value.flatMap((one, i) => findBrokenTexts(one, [...path, i]));
  return Object.entries(value ?? {}).flatMap(([key, one]) =>
    LONE_SURROGATE.test(key) ? [describeBroken(path, 'a key of this map')] : findBrokenTexts(one, [...path, key]),
  );
}

function describeBroken(path: Path, what: string): Diagnostic<Path> {
  const hint = 'Write the whole character';
  return errorAt('not-text', path, `${what} has half of a surrogate pair, which is not a character`, hint);
}
