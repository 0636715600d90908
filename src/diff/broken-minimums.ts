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

/** Warns once, with a number of replicas that is enough for all, or else of each with its own. */
export function adviseAll(
  broken: readonly BrokenMinimum[],
  find: (isEnough: BrokenMinimum['isEnough']) => EnoughReplicas | undefined,
): Diagnostic[] {
  const [first] = broken;
  if (!first) return [];
  const all = find((clusters) => broken.every(({ isEnough }) => isEnough(clusters)));
  if (all || broken.length === 1) {
    const what = broken.map((one) => one.what).join('; ');
    return [warningAt('lost-redundancy', first.where, what, first.advise(all))];
  }
  return broken.map(({ where, what, isEnough, advise }) => {
    return warningAt('lost-redundancy', where, what, advise(find(isEnough)));
  });
}
