import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { isMap, valueAt } from '../../base/json';
import type { Path } from '../resource';

/** A finding of a document. */
export interface SchemaFinding {
  readonly finding: Diagnostic<Path>;

  /** Whether a rule between fields reports it, and not the type of a field. */
  readonly isRule: boolean;
}

/**
 * Drops findings that another one causes, so that each mistake is reported once: a field that is missing because its
 * name is misspelt, and what rules report of an object whose field has another name, or is the block of another choice.
 *
 * @param value the document
 */
export function dropFollowUps(all: readonly SchemaFinding[], value: unknown): Diagnostic<Path>[] {
  const causes = all.flatMap(({ finding }) => causeOf(finding, value));
  return all
    .filter(({ finding, isRule }) => !causes.some((cause) => cause.covers(finding, isRule)))
    .map(({ finding }) => nameMissingBlock(finding, all, value));
}

interface Cause {
  /** Whether a finding is gone when the mistake is corrected. */
  readonly covers: (finding: Diagnostic<Path>, isRule: boolean) => boolean;
}

/** The field that a hint names, by the code of the finding. */
const NAMED_FIELD: Readonly<Partial<Record<DiagnosticCode, RegExp>>> = {
  'unknown-field': /^Use '(.+)'$/,
  'moved-field': /(?:^Use|as in) '([A-Za-z]+)/,
};

/** The hint for a block of another choice: see `requireChosenBlock`. */
const OTHER_BLOCK = /^Write '\w+', or '\w+: \w+'$/;

function causeOf(finding: Diagnostic<Path>, value: unknown): Cause[] {
  const all = causesByField(finding, value);
  const isMoved = finding.code === 'moved-field' && !finding.hint?.startsWith('Remove');
  return isMoved ? [...all, coverMissingPlace(finding)] : all;
}

/** What is missing because it is written at another level: at a place that the hint names, or below or above it. */
function coverMissingPlace({ at: path, hint = '' }: Diagnostic<Path>): Cause {
  const key = path.at(-1);
  const holder = path.slice(0, -1);
  return {
    covers({ code, at }) {
      if (code === 'no-devices') return hint.includes('nodeSelector') && isWithin(holder, at);
      if (code !== 'missing-field' || !(isWithin(at, holder) || isWithin(holder, at.slice(0, -1)))) return false;
      return at.slice(holder.length).includes(key ?? '') || at.at(-1) === key || namesField(hint, at.at(-1));
    },
  };
}

/** Whether a hint names a field as a part of a path: `spec.template.spec.engines[].members`. */
function namesField(hint: string, field: string | number | undefined): boolean {
  const isName = /[a-z][A-Z]/.test(String(field));
  return hint.split(/[ ,]+/).some((word) => {
    return word.includes('.') ? word.split(/[^A-Za-z]+/).includes(String(field)) : isName && word === field;
  });
}

function causesByField({ code, at: path, hint = '' }: Diagnostic<Path>, value: unknown): Cause[] {
  if (code === 'contradiction' && OTHER_BLOCK.test(hint)) return [coverOtherBlock(path)];
  if (!(code in NAMED_FIELD)) return [];
  const holder = path.slice(0, -1);
  const name = NAMED_FIELD[code]?.exec(hint)?.[1];
  const replaces = isMap(valueAt(value, path)) || (code === 'moved-field' && hint.startsWith("Use '"));
  return [{ covers: (finding, isRule) => isLeftOut(finding, { holder, name, replaces: replaces && isRule }) }];
}

interface UnknownField {
  readonly holder: Path;

  /** The field that is meant. */
  readonly name: string | undefined;

  /** Whether the field is written in place of one that a rule misses. */
  readonly replaces: boolean;
}

/** Whether a finding is that something is missing which an unknown field of an object is a misspelling of. */
function isLeftOut({ code, at: path, message }: Diagnostic<Path>, { holder, name, replaces }: UnknownField): boolean {
  if (code === 'not-exactly-one') return isSame(path, holder);
  if (code === 'no-devices') return name !== undefined && isWithin(holder, path) && message.includes(name);
  if (code !== 'missing-field' || !isSame(path.slice(0, -1), holder)) return false;
  return replaces || path.at(-1) === name;
}

/** While it is open which of the two is meant, the choice or the block, nothing that depends on them is reported. */
function coverOtherBlock(block: Path): Cause {
  const holder = block.slice(0, -1);
  return {
    covers: ({ code, at: path }, isRule) => {
      if (path.length > block.length) return isWithin(path, block);
      const depends = code === 'missing-field' || code === 'contradiction';
      return isRule && depends && isSame(path.slice(0, -1), holder) && !isSame(path, block);
    },
  };
}

/** Names the block that a rule misses where an unknown map is the only candidate for it. */
function nameMissingBlock(finding: Diagnostic<Path>, all: readonly SchemaFinding[], value: unknown): Diagnostic<Path> {
  const { code, at: path, hint = '' } = finding;
  if (code !== 'unknown-field' || NAMED_FIELD[code]?.test(hint) || !isMap(valueAt(value, path))) return finding;
  const holder = path.slice(0, -1);
  const missing = all.find(({ finding: other, isRule }) => {
    return isRule && other.code === 'missing-field' && isSame(other.at.slice(0, -1), holder);
  });
  return missing ? { ...finding, hint: `Use '${missing.finding.at.at(-1)}'` } : finding;
}

function isSame(a: Path, b: Path): boolean {
  return a.length === b.length && isWithin(a, b);
}

/** Whether a path is another one, or below it. */
function isWithin(path: Path, outer: Path): boolean {
  return outer.every((part, i) => part === path[i]);
}
