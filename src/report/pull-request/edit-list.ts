import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { Policy } from '../../fleet/policy';
import { type Cause, toCauses } from '../../diff/replica-causes';
import type { DeclarationChange } from '../../diff/declaration-changes';
import { type CiteEdits, formatBecause } from '../diff/change-sentences';
import { formatFieldChange, shortenEngineField, shortenField } from '../diff/field-changes-text';
import { groupAlike, MAX_GROUP_NAMES } from '../document/group-alike';
import { formatCode } from '../document/write-markdown';
import type { NoteInherited } from './inherited-values';

/** Returns the address of a source position, or undefined if it has none. */
export type CreateLink = (where: string) => string | undefined;

/** Returns the numbers of the edits at a source position. Empty where there is none. */
export type FindEdits = (where: string) => readonly number[];

/** The edits of declarations, numbered, so that other parts of a comment refer to them. */
export interface EditList {
  /** One numbered line for each edit, in Markdown, with links to the sources. */
  readonly lines: readonly string[];

  /** Formats causes as a reference: `   (1, 3)`. Empty without causes. */
  readonly refer: (causes: readonly Cause[]) => string;

  /** The numbers of the edits at a position, or of the only one on its line. */
  readonly at: FindEdits;

  /** Cites causes by number: ` (edits 1 and 3)`. In full where one has no number. */
  readonly cite: CiteEdits;
}

/**
 * Numbers the edits of declarations.
 *
 * @param policies the rules of the later fleet, which a new `Fleet` brings with it
 * @param noteOf what to say behind an edit. Default: nothing
 */
export function numberEdits(
  declarations: readonly DeclarationChange[],
  linkOf: CreateLink,
  policies: readonly Pick<Policy, 'where'>[] = [],
  noteOf: NoteInherited = () => '',
): EditList {
  const written = groupEqual(groupWritten(declarations.flatMap(toCauses)), noteOf);
  const names = new Map(
    declarations.flatMap(({ id, renamed }): [string, string][] => (renamed === undefined ? [] : [[id, renamed]])),
  );
  const numbers = new Map(written.flatMap(({ all }, i) => all.map((edit) => [keyOf(edit), i + 1])));
  const numbersOf = (causes: readonly Cause[]): number[] => {
    const known = new Set(causes.flatMap((cause) => numbers.get(keyOf(cause)) ?? []));
    return [...known].sort((a, b) => a - b);
  };
  const nameEdits = (causes: readonly Cause[]): string | undefined => {
    const known = numbersOf(causes);
    if (known.length === 0 || causes.some((cause) => !numbers.has(keyOf(cause)))) return undefined;
    return nameNumbers(known);
  };
  return {
    lines: written.map(({ first, same, text, members, note }, i) => {
      if (same.length > 1) return `${i + 1}. ${formatSame(same, `${formatCode(text)}${members}${note}`, linkOf)}`;
      return `${i + 1}. ${formatEdit(first, text, linkOf, note)}${members}${formatOtherName(first, names)}${formatRules(first, policies)}`;
    }),
    at: (where) => findAt(written, where),
    refer: (causes) => {
      const known = numbersOf(causes);
      return known.length === 0 ? '' : `   (${listRuns(known).join(', ')})`;
    },
    cite: {
      nameEdits,
      because: (causes) => {
        const named = nameEdits(causes);
        return named === undefined ? formatBecause(causes) : ` (${named})`;
      },
    },
  };
}

/**
 * Names edits by their sorted numbers.
 *
 * @example
 * nameNumbers([1, 2, 3, 5]); // 'edits 1 to 3 and 5'
 */
export function nameNumbers(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'edit' : 'edits'} ${joinAnd(listRuns(numbers))}`;
}

/** Three or more numbers in a row are a run: `1 to 3`. */
function listRuns(numbers: readonly number[]): string[] {
  const runs: number[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run.map(String) : [`${run[0]} to ${run.at(-1)}`]));
}

/** Where two edits would read the same, as those of two engines, they name what tells them apart. */
function toTexts(edits: readonly Cause[]): (edit: Cause) => string {
  const alike = groupBy(edits, (edit) => `${edit.id}\n${shortTextOf(edit)}`);
  return (edit) => {
    const short = shortTextOf(edit);
    const isUnique = alike.get(`${edit.id}\n${short}`)?.length === 1;
    const { field } = edit;
    return field && !isUnique ? formatFieldChange({ ...field, field: shortenEngineField(field.field) }) : short;
  };
}

/** Groups edits of several members or engines that are written once, as behind an anchor of YAML. */
function groupWritten(edits: readonly Cause[]): Cause[][] {
  const numbered = edits.map((edit, i) => ({ edit, i }));
  const groups = groupBy(numbered, ({ edit, i }) =>
    MEMBER.test(edit.field?.field ?? '') ? `${edit.id}\n${edit.where}\n${shortTextOf(edit)}` : String(i),
  );
  return [...groups.values()].map((all) => all.map(({ edit }) => edit));
}

/** Edits that share a number and a line. */
interface NumberedEdits {
  readonly first: Cause;

  /** The first of those of each declaration. */
  readonly same: readonly Cause[];
  readonly all: readonly Cause[];

  /** What they change. */
  readonly text: string;

  /** `, leader and worker`. */
  readonly members: string;

  /** ` (before, from the gateway: 600 requests a minute)`. */
  readonly note: string;
}

/** Of many edits, groups those that change the same field of several declarations of a kind in the same way. */
function groupEqual(written: readonly (readonly Cause[])[], noteOf: NoteInherited): NumberedEdits[] {
  const textOf = toTexts(written.flatMap(([first]) => first ?? []));
  const edits = written.flatMap((all): NumberedEdits[] => {
    const [first] = all;
    if (!first) return [];
    return [{ first, same: [first], all, text: textOf(first), members: formatMembers(all), note: noteOf(first) }];
  });
  const keyOf = ({ first, text, members, note }: NumberedEdits, i: number): string => {
    return first.field ? `${kindOf(first)}\n${text}${members}${note}` : String(i);
  };
  const keys = new Map(edits.map((one, i) => [one, keyOf(one, i)]));
  return groupAlike(edits, (one) => keys.get(one)).flatMap(([one, ...others]): NumberedEdits[] => {
    if (!one) return [];
    const group = [one, ...others];
    return [{ ...one, same: group.map(({ first }) => first), all: group.flatMap(({ all }) => all) }];
  });
}

function kindOf({ id }: Cause): string {
  return id.split(' ', 1)[0] ?? '';
}

/** `` `image: v1 -> v2` of 1,000 ModelDeployments: `ml/a` (a.yaml:1:1), `ml/b` (b.yaml:1:1), `ml/c` (c.yaml:1:1), 997 more ``. */
function formatSame(edits: readonly Cause[], what: string, linkOf: CreateLink): string {
  const [first] = edits;
  const names = edits
    .slice(0, MAX_GROUP_NAMES)
    .map(({ id, where }) => `${formatCode(id.slice(id.indexOf(' ') + 1))} (${formatPlace(where, linkOf)})`);
  const more = edits.length > MAX_GROUP_NAMES ? [`${formatCount(edits.length - MAX_GROUP_NAMES)} more`] : [];
  return `${what} of ${pluralize(edits.length, first ? kindOf(first) : 'declaration')}: ${[...names, ...more].join(', ')}`;
}

const MEMBER = /^spec\.template\.spec\.engines\[(?<engine>[^\]]+)\]\.members\[(?<member>\d+)\]\./;

/** `, leader and worker`, `, engines prefill and decode`, of an edit that is in several places. */
function formatMembers(edits: readonly Cause[] = []): string {
  const places = edits.map(({ field }) => MEMBER.exec(field?.field ?? '')?.groups);
  const [engines = [], members = []] = ['engine', 'member'].map((part) =>
    sortUnique(places.map((one) => one?.[part] ?? '')),
  );
  return [
    ...(engines.length > 1 ? [`, engines ${joinAnd(engines)}`] : []),
    ...(members.length > 1 ? [', leader and worker'] : []),
  ].join('');
}

function findAt(edits: readonly NumberedEdits[], where: string): number[] {
  const find = (isAt: (edit: Cause) => boolean): number[] =>
    edits.flatMap(({ same }, i) => (same.some(isAt) ? [i + 1] : []));
  const found = find((edit) => edit.where === where);
  if (found.length > 0) return found;
  const onLine = find((edit) => lineOf(edit.where) === lineOf(where));
  return onLine.length === 1 ? onLine : [];
}

function shortTextOf({ field, action }: Cause): string {
  return field ? formatFieldChange({ ...field, field: shortenField(field.field) }) : action;
}

/** ``, formerly `ModelDeployment ml/q` `` of what differs in its name alone. */
function formatOtherName({ id, action, field }: Cause, names: ReadonlyMap<string, string>): string {
  const other = field ? undefined : names.get(id);
  if (other === undefined) return '';
  return `, ${action === 'added' ? 'formerly' : 'now'} ${formatCode(other)}`;
}

/** `: policies fleet/policy.yaml (new, 2 rules)`, of a new declaration of the fleet. */
function formatRules({ id, action, field }: Cause, policies: readonly Pick<Policy, 'where'>[]): string {
  if (field || action !== 'added' || !id.startsWith('Fleet ') || policies.length === 0) return '';
  const files = sortUnique(policies.map(({ where }) => where.replace(POSITION, '')));
  return `: policies ${files.map(formatCode).join(', ')} (new, ${pluralize(policies.length, 'rule')})`;
}

/** The line and the column behind a file. */
const POSITION = /:\d+:\d+$/;

/** `file:line`, without the column. A construct path has none. */
function lineOf(where: string): string {
  return where.replace(/:\d+$/, '');
}

function keyOf({ id, where, field }: Cause): string {
  return `${id}\n${where}\n${field?.field ?? ''}`;
}

function formatEdit({ id, field, where }: Cause, what: string, linkOf: CreateLink, note: string): string {
  return `${formatCode(id)} ${field ? formatCode(what) : what}${note} (${formatPlace(where, linkOf)})`;
}

function formatPlace(where: string, linkOf: CreateLink): string {
  const link = linkOf(where);
  return link === undefined ? formatCode(where) : `[${formatCode(where)}](${link})`;
}
