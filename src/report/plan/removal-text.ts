import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';
import type { LargeRemoval } from '../../scheduler/lock/removals';

/** `9 of the 12 replicas in the lock would be removed, among them all of namespace ml`. */
export function formatRemoval({ removed, held, namespaces }: LargeRemoval): string {
  const lost = namespaces.length === 1 ? 'namespace' : 'namespaces';
  const all = namespaces.length === 0 ? '' : `, including all of ${lost} ${joinNames(namespaces)}`;
  return `${removed} of the ${pluralize(held, 'replica')} in the lock would be removed${all}`;
}

/**
 * The error for a change that removes too many replicas at once.
 *
 * @param lock the path of the lock
 * @param command the command that accepts it
 * @param isDeclared whether all that is removed is still declared, and only has no room any more. Default: it is not
 */
export function toRemovalProblem(removal: LargeRemoval, lock: string, command: string, isDeclared = false): Diagnostic {
  const check = isDeclared
    ? 'There is no room for them any more'
    : 'If a file or a part of a file is missing, restore it';
  const hint = `${check}. To accept the removal, run '${command}'`;
  return errorAt('large-removal', `${lock}:1:1`, formatRemoval(removal), hint);
}
