import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { ModelLayouts } from '../fleet/models/model-layouts';
import type { Lock } from '../scheduler/lock/lock';
import { recordRevision } from '../scheduler/previous-revision';

/** The layouts of all models of a fleet, for its lock. Nothing if it has no models. */
export function chosenLayoutsOf({ expansions }: Fleet): Pick<Lock, 'layouts'> {
  if (!expansions || expansions.size === 0) return {};
  return { layouts: new Map([...expansions].map(([id, { layouts }]): [string, ModelLayouts] => [id, layouts])) };
}

/** The engines of layouts that are replaced now, for replicas that still run them. */
export function replacedLayoutsOf({ expansions = new Map() }: Fleet): PreviousRevision[] {
  return [...expansions.values()].flatMap(({ earlier = [] }) =>
    earlier.flatMap(({ deployment }) => recordRevision(deployment) ?? []),
  );
}
