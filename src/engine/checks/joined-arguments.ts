import { errorAt } from '../../base/diagnostic';
import { joinNames } from '../../base/text';
import type { EngineArgument } from '../command-line';
import { containerPathOf, type MemberCheck } from './member-check';

/** A flag with its value in one argument. */
const JOINED = /^(--?[A-Za-z][\w-]*)=/;

/** Checks that flags and their values are separate arguments where the runtime requires that. */
export const checkValuesSeparate: MemberCheck = function* (subject) {
  const { profile, invocation } = subject.settings;
  if (!profile.separateValues) return;
  for (const { text, path } of invocation.args) {
    const flag = JOINED.exec(text)?.[1];
    if (flag === undefined) continue;
    const what = `${profile.title} fails at start: it does not take ${flag} and its value as one argument`;
    yield errorAt('joined-value', containerPathOf(subject, path), what, `Write two arguments: ${flag}, and its value`);
  }
};

/** A flag, spaces and its value in one argument. */
const SPACED = /^(--?[A-Za-z][\w-]*)\s+(\S.*)$/;

/** Checks that no argument is a flag and its value with a space between: parsers read such an argument as no flag. */
export const checkNoSpaces: MemberCheck = function* (subject) {
  const { profile, invocation } = subject.settings;
  for (const [index, argument] of invocation.args.entries()) {
    const at = containerPathOf(subject, argument.path);
    const joined = wordsOf(argument, invocation.args[index - 1]);
    if (joined !== undefined) {
      const what = `${profile.title} fails at start: ${joined} are one argument`;
      yield errorAt('joined-value', at, what, "Write each as an argument of its own, as in 'args: [--a=1, --b=2]'");
      continue;
    }
    const [, flag, value] = SPACED.exec(argument.text) ?? [];
    if (flag === undefined || value === undefined) continue;
    const what = `${profile.title} fails at start: '${flag} ${value}' is one argument, not a flag`;
    const hint = profile.separateValues ? '' : `'${flag}=${value}', or `;
    yield errorAt('joined-value', at, what, `Write ${hint}two arguments`);
  }
};

/** A value in JSON, a template or quotes may hold words that look like flags. */
const QUOTED = /["'{]/;
const FLAG = /^--?[A-Za-z][\w-]*/;

/** What an argument joins: several flags, or flags after a model. Their values, which may be secret, are left out. */
function wordsOf({ text }: EngineArgument, before: EngineArgument | undefined): string | undefined {
  if (!/\s-/.test(text) || QUOTED.test(text)) return undefined;
  const [first = '', ...others] = text.trim().split(/\s+/);
  const flags = [first, ...others].flatMap((word) => FLAG.exec(word)?.[0] ?? []);
  if (FLAG.test(first)) return flags.length > 1 ? `the flags ${joinNames(flags, MAX_NAMED)}` : undefined;
  const isValue = before !== undefined && FLAG.test(before.text) && !before.text.includes('=');
  return flags.length > 0 && !isValue ? `'${first}' and what follows it (${joinNames(flags, MAX_NAMED)})` : undefined;
}

const MAX_NAMED = 4;

/** Checks that a command names its program without its arguments: containers start no shell that divides them. */
export const checkProgramWord: MemberCheck = function* (subject) {
  const [program = ''] = subject.member.template.spec.containers[0].command ?? [];
  const words = program.trim().split(/\s+/);
  if (words.length < 2) return;
  const what = `the container starts a program with the name '${words[0]} ${words[1]}', spaces included, which no image has`;
  const hint = `Write each word as an item: 'command: [${words.slice(0, 2).join(', ')}]', and the arguments in args`;
  yield errorAt('joined-value', containerPathOf(subject, ['command', 0]), what, hint);
};
