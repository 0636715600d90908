import type { Locate } from '../api/locate';
import type { Problem } from '../errors';
import { engineWarnings } from '../engine/checks/engine-checks';
import type { Fleet } from '../fleet';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import type { Placement } from '../scheduler/types';
import { adapterWarnings } from './adapter-warnings';
import { cacheWarnings } from './cache-warnings';
import { constraintWarnings } from './constraint-warnings';
import { engineDeviceWarnings } from './engine-device-warnings';
import { selectorWarnings } from './selector-warnings';
import { uncoveredWarnings } from './uncovered-warnings';

/** What was decided, as far as warnings look at it. */
export interface Decided {
  readonly matcher: Matcher;
  readonly placements: readonly Placement[];
}

/** What works by luck, or will not be seen to fail before it runs. */
export function warningsOf(fleet: Fleet, model: Model, decided: Decided, locate: Locate): Problem[] {
  return [
    ...uncoveredWarnings(fleet, model, decided, locate),
    ...selectorWarnings(fleet, model, decided.matcher, locate),
    ...engineWarnings(fleet, locate),
    ...engineDeviceWarnings(fleet, model, decided, locate),
    ...cacheWarnings(fleet, locate),
    ...adapterWarnings(fleet, locate),
    ...constraintWarnings(fleet, model, decided, locate),
  ];
}
