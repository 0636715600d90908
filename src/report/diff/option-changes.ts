import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import { listFlagsOf } from '../../engine/container-settings';

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

/**
 * Lists the options that two command lines give otherwise, in the order of the later one, then those that are gone. Not
 * those that one of them gives several times.
 */
export function listOptionChanges(before: readonly string[], after: readonly string[]): OptionChange[] {
  const [old, now] = [readOptions(before), readOptions(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((name): OptionChange[] => {
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
    const name = at === -1 ? word : word.slice(0, at);
    const read = at === -1 ? readOption(word, words.slice(i + 1)) : { value: word.slice(at + 1), words: [word] };
    options.set(name, [...(options.get(name) ?? []), read]);
  }
  return options;
}

function readOption(word: string, following: readonly string[]): Option {
  const end = following.findIndex((one) => OPTION.test(one));
  const most = end === -1 ? following.length : end;
  const values = following.slice(0, LISTS.has(word) ? most : Math.min(1, most));
  return values.length === 0 ? { words: [word] } : { value: values.join(' '), words: [word, ...values] };
}

/** The options of engines that take several values. */
const LISTS: ReadonlySet<string> = new Set(Object.values(ENGINE_PROFILES).flatMap(listFlagsOf));

/** A word that is an option. `-1` is a value. */
const OPTION = /^-{1,2}[A-Za-z]/;

/** The words of a command line, also of a script that is one of them. */
export function splitScripts(words: readonly string[]): string[] {
  return words.flatMap((word) => (SCRIPT.test(word) ? word.split(/\s+/).filter((part) => part !== '') : [word]));
}

/** What has lines, or options of its own. */
const SCRIPT = /\n|\s-{1,2}[A-Za-z]/;
