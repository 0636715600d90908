import { missingField } from '../reading/common-findings';
import type { Rule } from '../reading/rule';

/**
 * A rule that an object has the block that one of its fields chooses.
 *
 * @param noun what the object belongs to, in messages: `class`
 * @param field the field that chooses
 * @param blocks the block of each choice
 * @example
 * chosenBlock('class', 'provider', { GKE: 'gke', EKS: 'eks' });
 */
export function chosenBlock(
  noun: string,
  field: string,
  blocks: Readonly<Record<string, string>>,
): Rule<Readonly<Record<string, unknown>>> {
  return function* (value) {
    const choice = value[field];
    const block = typeof choice === 'string' ? blocks[choice] : undefined;
    if (block === undefined || value[block] !== undefined) return;
    yield missingField([block], `A ${noun} with ${field} ${String(choice)} needs it`);
  };
}
