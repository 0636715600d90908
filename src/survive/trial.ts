import type { Matcher } from '../scheduler/matcher';
import type { Model, Workload } from '../scheduler/model';
import { place } from '../scheduler/schedule';
import type { State } from '../scheduler/state';
import type { Placement } from '../scheduler/types';
import { type Extra, modelAfter } from './enlarged';
import type { Losing } from './losses';

/** A fleet to lose clusters of: what was decided, and how pods fit, which no loss changes. */
export interface Trial {
  readonly model: Model;
  readonly matcher: Matcher;
  readonly placements: readonly Placement[];

  /** Replicas that count, by deployment. */
  readonly before: ReadonlyMap<string, number>;
}

const NO_EXTRA: Extra = new Map();

/** Where everything goes after a loss. */
export function placedAfter({ model, matcher, placements }: Trial, losing: Losing, extra = NO_EXTRA): State {
  return place(modelAfter(model, losing, extra), placements, matcher);
}

/** Replicas that had a place before a loss and have none after, by deployment; those that lack none left out. */
export function missingAfter(
  { model, before }: Pick<Trial, 'model' | 'before'>,
  state: State,
): Map<string, number> {
  const missing = model.workloads.map((workload): [string, number] => {
    return [workload.id, (before.get(workload.id) ?? 0) - servingIn(state, workload)];
  });
  return new Map(missing.filter(([, replicas]) => replicas > 0));
}

/** Replicas of a deployment that count. */
export function servingIn(state: State, workload: Workload): number {
  return state.staying(workload).length;
}
