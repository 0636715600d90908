import { type Locate, locateAll, type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { type Diagnostic, distinct, warningAt } from '../../base/diagnostic';
import { SILENCEABLE } from '../../base/diagnostic-codes';
import { suggestName } from '../../base/name-suggestion';
import { listEngineWarnings } from '../../engine/checks/check-engines';
import { type Fleet, listResources } from '../../fleet/fleet';
import { findProvisioningWarnings } from '../../provision/check-provisioning';
import type { ResolvedRouting } from '../../routing/resolve-routing';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/placement';
import type { Shortfall } from '../../scheduler/schedule-result';
import type { Plan } from '../plan';
import { findUnmatchedPolicies } from '../policy/unmatched-policies';
import { findCacheWarnings } from './cache-warnings';
import {
  findOvercommittedPools,
  findRegionWarnings,
  findStackWarnings,
  findVolumeDriverWarnings,
} from './cluster-warnings';
import { findConstraintWarnings, findDeviceWarnings } from './device-warnings';
import { findEngineDeviceWarnings } from './engine-device-warnings';
import { findAdapterWarnings, findHubWarnings } from './engine-model-warnings';
import { findLimitedSearches } from './placement-warnings';
import { findSecretWarnings } from './secret-warnings';
import { findSelectorWarnings } from './selector-warnings';

type PlanMessages = Pick<Plan, 'warnings' | 'notes'>;

/** The decision that warnings are derived from, and the messages that were collected before it. */
interface DecidedPlacements {
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
  readonly shortfalls: readonly Shortfall[];
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
    ...findLimitedSearches(fleet, decided.shortfalls),
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
    ...findStackWarnings(fleet),
    ...findUnmatchedPolicies(fleet),
    ...findProvisioningWarnings(fleet),
    ...findSecretWarnings(fleet),
    ...decided.routes.warnings,
  ];
  const { warnings, notes } = applySilences(all, listResources(fleet));
  const { remarks } = decided;
  return {
    warnings: distinct([...remarks.warnings, ...locateAll(warnings, locate)]),
    notes: [...remarks.notes, ...notes],
  };
}

/** Collects the warnings on declarations alone, before anything is placed, and notes on silenced ones. */
export function collectDeclarationWarnings(fleet: Fleet, locate: Locate): PlanMessages {
  const { warnings, notes } = silenceWarnings(findSecretWarnings(fleet));
  return { warnings: locateAll(warnings, locate), notes };
}

/** Removes warnings that `fleetwright.dev/silence-CODE: reason` silences, and reports annotations that silence none. */
function applySilences(warnings: readonly Diagnostic<ResourcePath>[], resources: readonly Resource[]) {
  const silenced = silenceWarnings(warnings);
  return { ...silenced, warnings: [...silenced.warnings, ...resources.flatMap(findBadSilences)] };
}

function silenceWarnings(warnings: readonly Diagnostic<ResourcePath>[]) {
  const notes = new Set<string>();
  const remaining = warnings.filter(({ code, at: { resource } }) => {
    const reason = resource.metadata.annotations[SILENCE_ANNOTATION_PREFIX + code]?.trim();
    if (!reason) return true;
    notes.add(`${resourceIdOf(resource)} silences ${code}: ${reason}`);
    return false;
  });
  return { warnings: remaining, notes: [...notes] };
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
