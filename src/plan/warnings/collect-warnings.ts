import { type Locate, type Resource, resourceIdOf } from '../../api/kinds';
import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { dedupeProblems, type Problem } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import { listEngineWarnings } from '../../engine/checks/check-engines';
import type { Fault } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import { findProvisioningWarnings } from '../../provision/check-provisioning';
import type { ResolvedRouting } from '../../routing/resolve-routing';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/schedule-result';
import { findUnmatchedPolicies } from '../policy/unmatched-policies';
import { findCacheWarnings } from './cache-warnings';
import { findOvercommittedPools, findRegionWarnings, findVolumeDriverWarnings } from './cluster-warnings';
import { findConstraintWarnings } from './constraint-warnings';
import { findDeviceWarnings } from './device-warnings';
import { findEngineDeviceWarnings } from './engine-device-warnings';
import { findAdapterWarnings, findHubWarnings } from './engine-model-warnings';
import { findSelectorWarnings } from './selector-warnings';
import { WARNING_CODES } from './warning-codes';

/** What the reader of a plan is told beside what was decided. */
export interface PlanMessages {
  readonly warnings: readonly Problem[];
  readonly notes: readonly string[];
}

/** What was decided, as far as warnings look at it, and what was told before. */
export interface DecidedPlacements {
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
  readonly routes: Pick<ResolvedRouting, 'warnings'>;
  readonly remarks: PlanMessages;
}

/** What works by luck, or will not be seen to fail before it runs, and what resources silence of it. */
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
  const located = warnings.map(({ resource, path, ...said }) => ({ where: locate(resource, path), ...said }));
  const { remarks } = decided;
  return { warnings: dedupeProblems([...remarks.warnings, ...located]), notes: [...remarks.notes, ...notes] };
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

/** Warnings, and notes on those that resources silence. */
export interface UnsilencedWarnings {
  readonly warnings: readonly Fault[];
  readonly notes: readonly string[];
}

/**
 * Leaves out warnings that their resource silences with an annotation `fleetwright.dev/silence-CODE: reason`. Each
 * silence is noted with its reason; one that silences nothing known, or says no reason, is a warning itself.
 */
export function applySilences(
  warnings: readonly Fault[],
  resources: readonly Resource[],
): UnsilencedWarnings {
  const notes = new Set<string>();
  const left = warnings.filter(({ code, resource }) => {
    const reason = resource.metadata.annotations[SILENCE_ANNOTATION_PREFIX + code]?.trim();
    if (!reason) return true;
    notes.add(`${resourceIdOf(resource)} silences ${code}: ${reason}`);
    return false;
  });
  return { warnings: [...left, ...resources.flatMap(findBadSilences)], notes: [...notes] };
}

function findBadSilences(resource: Resource): Fault[] {
  const keys = Object.keys(resource.metadata.annotations).filter((key) =>
    key.startsWith(SILENCE_ANNOTATION_PREFIX),
  );
  return keys.flatMap((key) => {
    const path = ['metadata', 'annotations', key];
    const code = key.slice(SILENCE_ANNOTATION_PREFIX.length);
    const said = Object.hasOwn(WARNING_CODES, code)
      ? checkReason(resource.metadata.annotations[key] ?? '')
      : reportUnknownCode(code);
    return said ? [{ resource, path, ...said }] : [];
  });
}

function checkReason(reason: string): Omit<Fault, 'resource' | 'path'> | undefined {
  if (reason.trim() !== '') return undefined;
  const what = 'a silence without a reason silences nothing';
  return { code: 'bad-silence', what, hint: 'Write why the warning does not matter here' };
}

function reportUnknownCode(code: string): Omit<Fault, 'resource' | 'path'> {
  const known = Object.keys(WARNING_CODES);
  const meant = suggestName(code, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return { code: 'bad-silence', what: `there is no warning '${code}' to silence`, hint };
}
