import { warningAt } from '../../base/diagnostic';
import { editDistance, suggestName } from '../../base/name-suggestion';
import type { EngineProfile } from '../../catalog/engines/engine-profile';
import { MAX_TYPOS, normalizeFlag } from '../container-settings';
import { containerPathOf, type MemberCheck } from './member-check';

/** Checks that the runtime has each flag: engines refuse others, and their values are not read here. */
export const checkFlagsSpelled: MemberCheck = function* (subject) {
  const { profile, flags } = subject.settings;
  if (!profile.otherFlags) return;
  const known = longFlagsOf(profile);
  for (const { name, path } of flags.values()) {
    if (isKnown(name, known) || /\s/.test(name)) continue;
    const at = containerPathOf(subject, path);
    const flag = findMeantFlag(name, known);
    if (flag !== undefined) {
      const what = `${profile.title} has a flag ${flag}, and ${name} is probably a misspelling of it`;
      yield warningAt('misspelled-flag', at, what, `Use ${flag}`);
    } else if (profile.flagsOf !== undefined && name.startsWith('--')) {
      const what = `${profile.title} ${profile.flagsOf} has no flag ${name}, and an engine with an unknown flag does not start`;
      yield warningAt('unknown-flag', at, what, `Remove it, or check that the release in the image has it`);
    }
  }
};

/** Shorter flags are too alike: `--sort` is no misspelling of `--port`. */
const SHORTEST = '--runner'.length;

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  const flag = withoutKey(name);
  return known.has(flag) || known.has(flag.replace('--no-', '--')) || isAbbreviation(flag, known);
}

/** The parsers of Python accept the beginning of a flag: `--tp` for `--tp-size`. */
function isAbbreviation(flag: string, known: ReadonlySet<string>): boolean {
  return flag.length > '--'.length && [...known].some((one) => one.startsWith(`${flag}-`));
}

/** `--speculative-config.model` sets a key of the value of `--speculative-config`. */
function withoutKey(name: string): string {
  return name.split('.')[0] ?? name;
}

/** The known flag that a user probably misspelled. Nothing for one that is unlike all of them. */
function findMeantFlag(name: string, known: ReadonlySet<string>): string | undefined {
  const dashed = `-${name}`;
  if (!name.startsWith('--')) return dashed.length >= SHORTEST && known.has(dashed) ? dashed : undefined;
  const flag = withoutKey(name);
  const candidates = [...known].filter(({ length }) => length >= SHORTEST);
  const begun = candidates.find((one) => flag.startsWith(one) && MORE_LETTERS.test(flag.slice(one.length)));
  if (begun !== undefined) return begun;
  const meant = suggestName(flag, candidates, MAX_TYPOS);
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
