import { errorAt, warningAt } from '../../base/diagnostic';
import { hintAtName } from '../../base/name-suggestion';
import type { FlagValues } from '../../catalog/engines/flag-values';
import { findSetting } from '../container-settings';
import { containerPathOf, type MemberCheck } from './member-check';

/** Checks that the values of flags are among those that the runtime accepts: it ends at start with any other. */
export const checkFlagValues: MemberCheck = function* (subject) {
  const { profile } = subject.settings;
  for (const rule of profile.flagValues ?? []) {
    const found = findSetting(subject.settings, { flags: rule.flags });
    if (found?.value === undefined || rule.or?.includes(found.value)) continue;
    const path = containerPathOf(subject, found.path);
    if (found.value === '') {
      const what = `${found.name} has no value: the engine does not start`;
      yield errorAt('bad-flag-value', path, what, `Write its value after it, or remove ${found.name}`);
      continue;
    }
    const refusal = findRefusal(rule, found.value);
    if (!refusal) continue;
    const what = `${profile.title} accepts ${refusal.only} for ${found.name}, not '${found.value}'`;
    if (refusal.certain) yield errorAt('bad-flag-value', path, `${what}: the engine does not start`, refusal.hint);
    else yield warningAt('unknown-flag-value', path, `${what}, in the releases that are known`, refusal.hint);
  }
};

/** Checks that no flag with one value is given two, and that no switch is turned both on and off. */
export const checkFlagsAgree: MemberCheck = function* (subject) {
  const { profile, flags, overridden } = subject.settings;
  const single = new Set((profile.flagValues ?? []).flatMap((rule) => rule.flags));
  for (const { name, value, path } of overridden) {
    const later = flags.get(name)?.value;
    if (!single.has(name) || value === undefined || later === undefined || value === later) continue;
    const what = `${name} is ${value} here and ${later} in a later argument, which counts`;
    yield warningAt('contradiction', containerPathOf(subject, path), what, 'Remove one of the two');
  }
  for (const { name, path } of flags.values()) {
    const on = name.replace('--no-', '--');
    if (on === name || !flags.has(on)) continue;
    const what = `${name} and ${on} are both given, and the last of them counts`;
    yield warningAt('contradiction', containerPathOf(subject, path), what, 'Remove one of the two');
  }
};

interface Refusal {
  readonly only: string;
  readonly certain: boolean;
  readonly hint: string;
}

function findRefusal({ accepts, final }: FlagValues, value: string): Refusal | undefined {
  if (typeof accepts !== 'string') {
    if (accepts.includes(value)) return undefined;
    return { only: 'certain words', certain: final ?? false, hint: hintAtName(value, accepts) };
  }
  const { only, has, hint } = NUMBERS[accepts];
  return has(value) ? undefined : { only, certain: true, hint };
}

interface NumberRule extends Omit<Refusal, 'certain'> {
  readonly has: (value: string) => boolean;
}

const COUNT = 'whole numbers of 1 or more';

const NUMBERS: Readonly<Record<'Count' | 'Length' | 'Share', NumberRule>> = {
  Count: {
    only: COUNT,
    has: (value) => /^\+?\d[\d_]*$/.test(value) && /[1-9]/.test(value),
    hint: 'Use a whole number of 1 or more',
  },
  Length: {
    only: COUNT,
    has: (value) => /^\+?\d[\d_]*(\.\d+)?[kKmMgGtT]?$/.test(value) && /[1-9]/.test(value),
    hint: 'Use a whole number of 1 or more, such as 8192',
  },
  Share: {
    only: 'shares above 0 and up to 1',
    has: (value) => Number(value) > 0 && Number(value) <= 1,
    hint: 'Use a number above 0 and up to 1, such as 0.9',
  },
};
