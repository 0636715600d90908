import type { Need } from './need';

/** Whether no other pod that needs something of the same kind fits on a node beside a pod. */
export function takesNode(need: Need, amounts: readonly number[]): boolean {
  return need === 'node' || need.some(({ count, kinds }) => kinds.every((kind) => count === amounts[kind]));
}
