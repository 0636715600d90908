import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import { type Problem, toldOnce } from '../errors';
import { engineWarnings } from '../engine/checks/engine-checks';
import type { Fleet } from '../fleet';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import type { Resolved } from '../routing/resolve';
import type { Placement } from '../scheduler/types';
import { provisioningWarnings } from '../provision/check-provisioning';
import { adapterWarnings } from './adapter-warnings';
import { cacheWarnings } from './cache-warnings';
import { constraintWarnings } from './constraint-warnings';
import { deviceWarnings } from './device-warnings';
import { engineDeviceWarnings } from './engine-device-warnings';
import { hubWarnings } from './hub-warnings';
import { policyWarnings } from './policy-warnings';
import { regionWarnings } from './region-warnings';
import { selectorWarnings } from './selector-warnings';
import { heard } from './silence';
import { uncoveredWarnings } from './uncovered-warnings';
import { volumeWarnings } from './volume-warnings';

/** What the reader of a plan is told beside what was decided. */
export interface Told {
  readonly warnings: readonly Problem[];
  readonly notes: readonly string[];
}

/** What was decided, as far as warnings look at it, and what was told before. */
export interface Decided {
  readonly matcher: Matcher;
  readonly placements: readonly Placement[];
  readonly routes: Pick<Resolved, 'warnings'>;
  readonly remarks: Told;
}

/** What works by luck, or will not be seen to fail before it runs, and what resources silence of it. */
export function warningsOf(fleet: Fleet, model: Model, decided: Decided, locate: Locate): Told {
  const all = [
    ...uncoveredWarnings(fleet, model, decided),
    ...model.remarks,
    ...selectorWarnings(fleet, model, decided.matcher),
    ...deviceWarnings(fleet, model, decided.matcher),
    ...engineWarnings(fleet),
    ...engineDeviceWarnings(fleet, model, decided),
    ...hubWarnings(fleet, decided.placements),
    ...volumeWarnings(fleet, decided.placements),
    ...cacheWarnings(fleet),
    ...adapterWarnings(fleet),
    ...constraintWarnings(fleet, model, decided),
    ...regionWarnings(fleet),
    ...policyWarnings(fleet),
    ...provisioningWarnings(fleet),
    ...decided.routes.warnings,
  ];
  const { warnings, notes } = heard(all, resourcesOf(fleet));
  const located = warnings.map(({ resource, path, ...said }) => ({ where: locate(resource, path), ...said }));
  const { remarks } = decided;
  return { warnings: toldOnce([...remarks.warnings, ...located]), notes: [...remarks.notes, ...notes] };
}

/** What warnings are about. */
function resourcesOf(fleet: Fleet): Resource[] {
  const { settings, classes, clusters, deployments, caches, services, endpoints } = fleet;
  return [
    ...(settings ? [settings] : []),
    ...classes,
    ...clusters,
    ...deployments,
    ...caches,
    ...services,
    ...endpoints,
  ];
}
