import type { Taint } from '../api/shared/taint';
import type { Toleration } from '../api/shared/toleration';

/** A toleration of a cluster's or of a node's taints. */
export type AnyToleration = Omit<Toleration, 'effect'> & { readonly effect?: Taint['effect'] | undefined };

/**
 * Whether a toleration covers a taint, as Kubernetes matches them: no effect covers every effect, no key with
 * `Exists` covers every taint, `Equal` compares the value and takes a missing one as empty.
 */
export function tolerates({ key, operator, value, effect }: AnyToleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === undefined || key === '' || key === taint.key;
  return key === taint.key && (value ?? '') === (taint.value ?? '');
}

/** The first of `taints` that none of `tolerations` covers. */
export function untolerated(
  taints: readonly Taint[],
  tolerations: readonly AnyToleration[],
): Taint | undefined {
  return taints.find((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}
