import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { Cause } from '../../diff/replica-causes';
import { shortenField } from '../diff/field-changes-text';
import { formatCode } from '../document/write-markdown';
import { joinFew, MAX_NAMES } from './clauses';

/**
 * Says which fields are edited and which declarations come and go, the first of each by name:
 * ``edits `allowPartial` and `rollout.parallel` of `ml/z` ``, ``adds InferenceClass `l4` ``.
 */
export function describeEditedFields(edits: readonly Cause[]): string {
  // The fields of a declaration that is new under another name are part of that.
  const named = (action: Cause['action']): string[] =>
    edits.filter((edit) => edit.action === action && edit.field === undefined).map(({ id }) => nameWithKind(id));
  const fields = groupFields(edits.filter(({ action }) => action === 'changed'));
  return joinAnd([
    ...joinShown('edits', joinByNames(fields.slice(0, MAX_NAMES)), describeMore(fields.length, 'more field')),
    ...(['added', 'removed'] as const).flatMap((action) => {
      const all = named(action);
      return joinShown(VERBS[action], all.slice(0, MAX_NAMES), describeMore(all.length, 'more declaration'));
    }),
  ]);
}

const VERBS = { added: 'adds', removed: 'removes' } as const;

interface EditedField {
  readonly field: string;

  /** The declarations that have it. */
  readonly names: readonly string[];
}

function groupFields(edits: readonly Cause[]): EditedField[] {
  const byField = groupBy(edits, ({ field }) => shortenField(field?.field ?? 'spec'));
  return [...byField].map(([field, all]) => ({ field, names: sortUnique(all.map(({ id }) => nameOf(id))) }));
}

/** Names fields of the same declarations together. */
function joinByNames(fields: readonly EditedField[]): string[] {
  const groups = groupBy(fields, ({ names }) => JSON.stringify(names));
  return [...groups.values()].map((all) => {
    return `${joinAnd(all.map(({ field }) => formatCode(field)))} of ${joinFew(all[0]?.names ?? [], 'declarations')}`;
  });
}

function joinShown(verb: string, shown: readonly string[], more: readonly string[]): string[] {
  return shown.length === 0 ? [] : [`${verb} ${joinAnd([...shown, ...more])}`];
}

/** `2 more fields`, of those that are not named. */
function describeMore(count: number, noun: string): string[] {
  return count > MAX_NAMES ? [pluralize(count - MAX_NAMES, noun)] : [];
}

function nameOf(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

function nameWithKind(id: string): string {
  return `${id.slice(0, id.indexOf(' '))} ${formatCode(nameOf(id))}`;
}
