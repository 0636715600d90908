import { type Locate, locateAll, type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { SILENCE_ANNOTATION_PREFIX } from '../../api/labels';
import { type Diagnostic, removeRepeated, warningAt } from '../../base/diagnostic';
import { type DiagnosticCode, SILENCEABLE } from '../../base/diagnostic-codes';
import { suggestName } from '../../base/name-suggestion';
import { listEngineWarnings } from '../../engine/checks/check-engines';
import { type Fleet, listResources } from '../../fleet/fleet';
import { findProvisioningWarnings } from '../../provision/check-provisioning';
import type { ComputedReplica } from '../../replicas/replica';
import { findHopelessEntries } from '../../routing/checks/empty-entries';
import type { ResolvedRouting } from '../../routing/resolve-routing';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Schedule } from '../../scheduler/schedule-result';
import { findCacheSizeWarnings } from '../checks/cache-sizes';
import type { DecideOptions } from '../decision';
import type { DeploymentLoad } from '../deployment-loads';
import { findLoadWarnings } from '../load-messages';
import type { Plan } from '../plan';
import { findUnmatchedPolicies } from '../policy/unmatched-policies';
import { findAssumedMachines } from './assumed-machines';
import { findCacheWarnings, findFullFileSystems, findMissingIdentities } from './cache-warnings';
import {
  findDrainedGateways,
  findOvercommittedPools,
  findStackWarnings,
  findVolumeDriverWarnings,
} from './cluster-warnings';
import { findConstraintWarnings, findDeviceWarnings } from './device-warnings';
import { findAdapterWarnings, findHubWarnings } from './engine-model-warnings';
import { findClusterSelectorWarnings } from './cluster-selector-warnings';
import { findExceededClaims } from './exceeded-claims';
import { findGatedModels } from './gated-models';
import { findMissingNamespaces } from './namespace-warnings';
import { findDenseExpertWarnings, findMisspelledModels } from './model-warnings';
import {
  findClustersWithoutDomain,
  findExceededSpreads,
  findLimitedSearches,
  findTooFewPlaced,
} from './placement-warnings';
import { findProviderWarnings } from './provider-warnings';
import { findQuotaWarnings } from './quota-warnings';
import { findRegionWarnings } from './region-warnings';
import { findMisspelledSecrets, findSecretWarnings } from './secret-warnings';
import { findSelectorWarnings } from './selector-warnings';
import { findSlowGangs } from './slow-gangs';
import { findSlowStarts } from './slow-starts';
import { findUnknownAllocatable } from './unknown-allocatable';
import { findVacatedClusters } from './vacated-clusters';

type PlanMessages = Pick<Plan, 'warnings' | 'notes'>;

/** The decision that warnings are derived from, and the messages that were collected before it. */
interface DecidedPlacements extends Pick<Schedule, 'placements' | 'shortfalls' | 'evictions'> {
  readonly matcher: PodMatcher;
  readonly replicas: readonly ComputedReplica[];
  readonly routes: Pick<ResolvedRouting, 'routing' | 'warnings'>;
  /** What is wrong with engines on the devices of their pools, errors included. */
  readonly engines: readonly Diagnostic<ResourcePath>[];
  readonly loads: readonly DeploymentLoad[];
  readonly remarks: PlanMessages & Pick<DecideOptions, 'absent'>;
}

/** A fleet with its decision, as those who find warnings take it. */
interface JudgedPlacements extends DecidedPlacements {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;

  /** The IDs of resources that are not in the fleet because they have errors. Default: none. */
  readonly absent?: readonly string[] | undefined;
  readonly locate: Locate;
}

type Finder = (judged: JudgedPlacements) => readonly Diagnostic<ResourcePath>[];

/** What finds the warnings of a plan, in their order. */
const FINDERS: readonly Finder[] = [
  ({ fleet, model, ...decided }) => findOvercommittedPools(fleet, model, decided),
  ({ fleet, model, ...decided }) => findQuotaWarnings(fleet, model, decided),
  ({ fleet, model, ...decided }) => findUnknownAllocatable(fleet, model, decided),
  ({ fleet }) => findAssumedMachines(fleet),
  ({ fleet, model, ...decided }) => findExceededSpreads(fleet, model, decided),
  ({ fleet, ...decided }) => findTooFewPlaced(fleet, decided),
  ({ fleet, model, matcher }) => findClustersWithoutDomain(fleet, model, matcher),
  ({ fleet }) => findClusterSelectorWarnings(fleet),
  ({ fleet }) => fleet.hardwareWarnings,
  ({ model }) => model.warnings,
  ({ fleet, model, matcher }) => findSelectorWarnings(fleet, model, matcher),
  ({ fleet, model, matcher }) => withoutExplained(findDeviceWarnings(fleet, model, matcher), model.warnings),
  ({ fleet }) => listEngineWarnings(fleet),
  ({ engines }) => engines.filter(({ severity }) => severity === 'warning'),
  ({ fleet, model, ...decided }) => findExceededClaims(fleet, model, decided),
  ({ fleet, loads }) => findLoadWarnings(fleet, loads),
  ({ fleet, placements }) => findHubWarnings(fleet, placements),
  ({ fleet, placements }) => findGatedModels(fleet, placements),
  ({ fleet, placements }) => findVolumeDriverWarnings(fleet, placements),
  ({ fleet }) => findCacheWarnings(fleet),
  ({ fleet, replicas }) => findFullFileSystems(fleet, replicas),
  ({ fleet, replicas }) => findMissingIdentities(fleet, replicas),
  ({ fleet }) => findCacheSizeWarnings(fleet),
  ({ fleet }) => findAdapterWarnings(fleet),
  ({ fleet }) => findDenseExpertWarnings(fleet),
  ({ fleet }) => findMisspelledModels(fleet),
  ({ fleet, model, ...decided }) => findConstraintWarnings(fleet, model, decided),
  ({ fleet }) => findProviderWarnings(fleet),
  ({ fleet }) => findRegionWarnings(fleet),
  ({ fleet }) => findStackWarnings(fleet),
  ({ fleet }) => findDrainedGateways(fleet),
  ({ fleet }) => findUnmatchedPolicies(fleet),
  ({ fleet }) => findProvisioningWarnings(fleet),
  ({ fleet, locate }) => findMissingNamespaces(fleet, locate),
  ({ fleet }) => findSecretWarnings(fleet),
  ({ fleet }) => findMisspelledSecrets(fleet),
  ({ fleet, replicas }) => findSlowGangs(fleet, replicas),
  ({ replicas, routes }) => findSlowStarts(replicas, routes.routing),
  ({ fleet, absent }) => findHopelessEntries(fleet, absent),
  ({ routes }) => routes.warnings,
  ({ fleet, routes, ...decided }) => findVacatedClusters(fleet, { ...decided, ...routes }),
  // What is certain comes first.
  ({ fleet, shortfalls }) => findLimitedSearches(fleet, shortfalls),
];

/** Collects the warnings of a plan, and notes on the warnings that resources silence. */
export function collectWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  decided: DecidedPlacements,
  locate: Locate,
): PlanMessages {
  const judged = { ...decided, fleet, model, absent: decided.remarks.absent, locate };
  const all = FINDERS.flatMap((find) => find(judged));
  return toMessages(all, fleet, decided.remarks, locate);
}

/** What depends on where the lock keeps replicas: whether some lack a place, and whether a search for one ends early. */
const OF_LOCK: ReadonlySet<DiagnosticCode> = new Set(['search-limit', 'too-few-placed']);

/** The warnings of a plan without a lock that a plan with one shares. */
export function withoutLockWarnings(warnings: readonly Diagnostic[]): Diagnostic[] {
  return warnings.filter(({ code }) => !OF_LOCK.has(code));
}

function toMessages(
  found: readonly Diagnostic<ResourcePath>[],
  fleet: Fleet,
  remarks: PlanMessages,
  locate: Locate,
): PlanMessages {
  const { warnings, notes } = applySilences(found, listResources(fleet));
  return {
    warnings: removeRepeated([...remarks.warnings, ...locateAll(warnings, locate)]),
    notes: [...remarks.notes, ...notes],
  };
}

/** Leaves out that no device matches a part of a selector where another warning suggests the value that was meant. */
function withoutExplained(
  found: readonly Diagnostic<ResourcePath>[],
  explained: readonly Diagnostic<ResourcePath>[],
): Diagnostic<ResourcePath>[] {
  const places = new Set(explained.filter(({ code }) => code === 'unlisted-value').map(keyOfPart));
  return found.filter((one) => one.code !== 'no-device' || !places.has(keyOfPart(one)));
}

function keyOfPart({ at: { resource, path }, excerpt }: Diagnostic<ResourcePath>): string {
  return JSON.stringify([resourceIdOf(resource), path, excerpt]);
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
    const what = 'an annotation that silences a warning needs a reason';
    return [warningAt('bad-silence', at, what, 'Set its value to the reason')];
  });
}

function reportUnknownCode(code: string, at: ResourcePath): Diagnostic<ResourcePath> {
  const known = Object.keys(SILENCEABLE);
  const meant = suggestName(code, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return warningAt('bad-silence', at, `there is no warning '${code}' to silence`, hint);
}
