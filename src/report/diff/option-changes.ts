import { sortUnique } from '../../base/order';

/** An option of a command line that another command line gives otherwise. */
export interface OptionChange {
  /** `--max-model-len`. */
  readonly name: string;

  /** Absent: the command line lacks it. */
  readonly was?: Option;
  readonly is?: Option;
}

/** An option of a command line. */
interface Option {
  /** Absent: it is a flag. */
  readonly value?: string;

  /** The words of it, as they are given. */
  readonly words: readonly string[];
}

/** Lists the options that two command lines give otherwise. Not those that one of them gives several times. */
export function listOptionChanges(before: readonly string[], after: readonly string[]): OptionChange[] {
  const [old, now] = [readOptions(before), readOptions(after)];
  return sortUnique([...old.keys(), ...now.keys()]).flatMap((name): OptionChange[] => {
    const [[was, ...more] = [], [is, ...others] = []] = [old.get(name), now.get(name)];
    const isSame = was !== undefined && is !== undefined && was.value === is.value;
    if (more.length + others.length > 0 || isSame) return [];
    return [{ name, ...(was && { was }), ...(is && { is }) }];
  });
}

/** Reads `--name=value`, `--name value` and `--name`. */
function readOptions(words: readonly string[]): ReadonlyMap<string, readonly Option[]> {
  const options = new Map<string, Option[]>();
  for (const [i, word] of words.entries()) {
    if (!OPTION.test(word)) continue;
    const at = word.indexOf('=');
    const next = words[i + 1];
    const name = at === -1 ? word : word.slice(0, at);
    options.set(name, [...(options.get(name) ?? []), readOption(word, at, next)]);
  }
  return options;
}

function readOption(word: string, at: number, next: string | undefined): Option {
  if (at !== -1) return { value: word.slice(at + 1), words: [word] };
  return next === undefined || OPTION.test(next) ? { words: [word] } : { value: next, words: [word, next] };
}

/** A word that is an option. `-1` is a value. */
const OPTION = /^-{1,2}[A-Za-z]/;

/** The words of a command line, also of a script that is one of them. */
export function splitScripts(words: readonly string[]): string[] {
  return words.flatMap((word) => (SCRIPT.test(word) ? word.split(/\s+/).filter((part) => part !== '') : [word]));
}

/** What has lines, or options of its own. */
const SCRIPT = /\n|\s-{1,2}[A-Za-z]/;
