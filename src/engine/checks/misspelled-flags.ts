import { warningAt } from '../../base/diagnostic';
import { editDistance, suggestName } from '../../base/name-suggestion';
import type { EngineProfile } from '../../catalog/engines/engine-profile';
import { MAX_TYPOS, normalizeFlag } from '../container-settings';
import { containerPathOf, type MemberCheck } from './member-check';

/** Checks that no flag is almost one that the runtime has: engines refuse it, and its value is not read here. */
export const checkFlagsSpelled: MemberCheck = function* (subject) {
  const { profile, flags } = subject.settings;
  if (!profile.otherFlags) return;
  const known = longFlagsOf(profile);
  for (const { name, path } of flags.values()) {
    const flag = findMeantFlag(name, known);
    if (flag === undefined) continue;
    const what = `${profile.title} has a flag ${flag}, and ${name} is probably a misspelling of it`;
    yield warningAt('misspelled-flag', containerPathOf(subject, path), what, `Use ${flag}`);
  }
};

/** Shorter flags are too alike: `--sort` is no misspelling of `--port`. */
const SHORTEST = '--runner'.length;

/** The known flag that a user probably misspelled. Nothing for a known flag, and for one that is unlike all of them. */
function findMeantFlag(name: string, known: ReadonlySet<string>): string | undefined {
  const dashed = `-${name}`;
  if (!name.startsWith('--')) return dashed.length >= SHORTEST && known.has(dashed) ? dashed : undefined;
  const [flag = name] = name.split('.');
  if ([flag, flag.replace('--no-', '--')].some((one) => known.has(one))) return undefined;
  const candidates = [...known].filter(({ length }) => length >= SHORTEST);
  const begun = candidates.find((one) => flag.startsWith(one) && MORE_LETTERS.test(flag.slice(one.length)));
  if (begun !== undefined) return begun;
  const meant = suggestName(flag, candidates);
  const limit = meant?.length === SHORTEST ? 1 : MAX_TYPOS;
  return meant !== undefined && editDistance(flag, meant) <= limit ? meant : undefined;
}

/** `--max-model-length` writes out the end of `--max-model-len`. */
const MORE_LETTERS = /^[a-z]{1,4}$/;

const KNOWN_FLAGS = new WeakMap<EngineProfile, ReadonlySet<string>>();

/** All long flags that a profile names, wherever it does. */
function longFlagsOf(profile: EngineProfile): ReadonlySet<string> {
  const known = KNOWN_FLAGS.get(profile) ?? new Set([...listTexts(profile)].filter(isLongFlag).map(normalizeFlag));
  KNOWN_FLAGS.set(profile, known);
  return known;
}

function isLongFlag(text: string): boolean {
  return /^--[a-z][\w-]*$/.test(text);
}

function* listTexts(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* listTexts(part);
  }
}
