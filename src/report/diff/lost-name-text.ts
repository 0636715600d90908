import type { LostModels } from '../../diff/lost-names';

/** What to keep for clients of names that are no longer served: `Keep the adapters`. */
export function adviseOnNames(
  count: number,
  { adaptersOnly, otherModel }: Pick<LostModels, 'adaptersOnly' | 'otherModel'>,
): string {
  if (adaptersOnly) return `Keep the adapter${count === 1 ? '' : 's'}`;
  return otherModel
    ? 'Add the new model as a deployment of its own, and keep this one'
    : 'Keep the name next to the new one';
}
