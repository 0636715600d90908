import { type Locate, locateAll, type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { type Diagnostic, distinct, warningAt } from '../../base/diagnostic';
import { SILENCEABLE } from '../../base/diagnostic-codes';
import { suggestName } from '../../base/name-suggestion';
import { listEngineWarnings } from '../../engine/checks/check-engines';
import type { Fleet } from '../../fleet/fleet';
import { findProvisioningWarnings } from '../../provision/check-provisioning';
import type { ResolvedRouting } from '../../routing/resolve-routing';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/placement';
import type { Plan } from '../plan';
import { findUnmatchedPolicies } from '../policy/unmatched-policies';
import { findCacheWarnings } from './cache-warnings';
import { findOvercommittedPools, findRegionWarnings, findVolumeDriverWarnings } from './cluster-warnings';
import { findConstraintWarnings, findDeviceWarnings } from './device-warnings';
import { findEngineDeviceWarnings } from './engine-device-warnings';
import { findAdapterWarnings, findHubWarnings } from './engine-model-warnings';
import { findSelectorWarnings } from './selector-warnings';

type PlanMessages = Pick<Plan, 'warnings' | 'notes'>;

/** The decision that warnings are derived from, and the messages that were collected before it. */
interface DecidedPlacements {
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
  readonly routes: Pick<ResolvedRouting, 'warnings'>;
  readonly remarks: PlanMessages;
}

/** Collects the warnings of a plan, and notes on the warnings that resources silence. */
export function collectWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  decided: DecidedPlacements,
  locate: Locate,
): PlanMessages {
  const all = [
    ...findOvercommittedPools(fleet, model, decided),
    ...model.warnings,
    ...findSelectorWarnings(fleet, model, decided.matcher),
    ...findDeviceWarnings(fleet, model, decided.matcher),
    ...listEngineWarnings(fleet),
    ...findEngineDeviceWarnings(fleet, model, decided),
    ...findHubWarnings(fleet, decided.placements),
    ...findVolumeDriverWarnings(fleet, decided.placements),
    ...findCacheWarnings(fleet),
    ...findAdapterWarnings(fleet),
    ...findConstraintWarnings(fleet, model, decided),
    ...findRegionWarnings(fleet),
    ...findUnmatchedPolicies(fleet),
    ...findProvisioningWarnings(fleet),
    ...decided.routes.warnings,
  ];
  const { warnings, notes } = applySilences(all, resourcesOf(fleet));
  const { remarks } = decided;
  return {
    warnings: distinct([...remarks.warnings, ...locateAll(warnings, locate)]),
    notes: [...remarks.notes, ...notes],
  };
}

/** The resources that can silence warnings. */
function resourcesOf(fleet: Fleet): Resource[] {
  const { settings, classes, clusters, deployments, caches, services, endpoints } = fleet;
  const others = [classes, clusters, deployments, caches, services, endpoints];
  return [...(settings ? [settings] : []), ...others.flat()];
}

/** Removes warnings that `fleetwright.dev/silence-CODE: reason` silences, and reports annotations that silence none. */
function applySilences(warnings: readonly Diagnostic<ResourcePath>[], resources: readonly Resource[]) {
  const notes = new Set<string>();
  const remaining = warnings.filter(({ code, at: { resource } }) => {
    const reason = resource.metadata.annotations[SILENCE_ANNOTATION_PREFIX + code]?.trim();
    if (!reason) return true;
    notes.add(`${resourceIdOf(resource)} silences ${code}: ${reason}`);
    return false;
  });
  return { warnings: [...remaining, ...resources.flatMap(findBadSilences)], notes: [...notes] };
}

function findBadSilences(resource: Resource): Diagnostic<ResourcePath>[] {
  return Object.entries(resource.metadata.annotations).flatMap(([key, reason]) => {
    if (!key.startsWith(SILENCE_ANNOTATION_PREFIX)) return [];
    const at = { resource, path: ['metadata', 'annotations', key] };
    const code = key.slice(SILENCE_ANNOTATION_PREFIX.length);
    if (!Object.hasOwn(SILENCEABLE, code)) return [reportUnknownCode(code, at)];
    if (reason.trim() !== '') return [];
    const what = 'a silence without a reason silences nothing';
    return [warningAt('bad-silence', at, what, 'Write why the warning does not matter here')];
  });
}

function reportUnknownCode(code: string, at: ResourcePath): Diagnostic<ResourcePath> {
  const known = Object.keys(SILENCEABLE);
  const meant = suggestName(code, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return warningAt('bad-silence', at, `there is no warning '${code}' to silence`, hint);
}
