import type { ModelDeployment } from '../api/model-deployment';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import type { EnoughReplicas } from './enough-replicas';

/** A deployment before and after a change, and the cluster of each of its replicas that stay. */
export interface MinimumPair {
  readonly was: ModelDeployment;
  readonly is: ModelDeployment;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** A `minAvailable` that is not met. */
export interface BrokenMinimum {
  readonly where: string;
  readonly what: string;

  /** Whether replicas are enough, by the cluster of each. */
  readonly isEnough: (clusters: readonly string[]) => boolean;

  /** What helps. Undefined: no number of replicas that was tried. */
  readonly advise: (found: EnoughReplicas | undefined) => string;
}

/** Warns with one number of replicas that is enough for all, or else with one for each. */
export function adviseAll(
  broken: readonly BrokenMinimum[],
  find: (isEnough: BrokenMinimum['isEnough']) => EnoughReplicas | undefined,
): Diagnostic[] {
  if (broken.length === 0) return [];
  const all = find((clusters) => broken.every(({ isEnough }) => isEnough(clusters)));
  return broken.map(({ where, what, isEnough, advise }) => {
    const found = all ?? (broken.length > 1 ? find(isEnough) : undefined);
    return warningAt('lost-redundancy', where, what, advise(found));
  });
}
