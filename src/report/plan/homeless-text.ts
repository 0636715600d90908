import type { Diagnostic } from '../../base/diagnostic';
import type { Block } from '../document/document';
import { decapitalize, joinAlternatives, joinAnd, joinNames, joinSentences, pluralize } from '../../base/text';
import { asksForLess } from '../../plan/meant-bounds';
import type { ShortfallPlan } from '../../plan/plan';
import type { Remedy } from '../../scheduler/remedy';
import { formatCountedRemedy, listCheapest, placesAll } from './remedy-text';
import {
  adviseOnTooLarge,
  countByFilter,
  formatDecisiveReason,
  formatRejections,
  formatShortfallLine,
} from './shortfall-text';

/** A deployment that asks for what no cluster has any more, so that it loses replicas. */
export interface Homeless {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly replicas: number;
  readonly shortfall: ShortfallPlan;

  /** The clusters and pools that its replicas lose: `us / l4`. */
  readonly lost: readonly string[];

  /** Whether their pools have other devices than before. */
  readonly losesHardware: boolean;

  /** Whether what it asks for changed, and not the pools. Absent: no. */
  readonly changed?: true;

  /** What may have changed where the pools did not: the error stands at it. Absent: only the pools may have. */
  readonly asked?: 'selector' | 'request' | undefined;

  /** Asks whether another value is meant, where no known device has the one that it asks for. */
  readonly misspelled?: string | undefined;

  /** What to do where no device of any pool has what it asks for. */
  readonly nearest?: string | undefined;

  /** The services that can send requests to nothing else. */
  readonly services: readonly string[];

  /** The arguments of the command that gives the replicas up. */
  readonly command: string;

  /** Whether that removes so many replicas that the command asks for another flag. */
  readonly removes: boolean;
}

/** The error of such a deployment, with what its texts are made of. */
export type HomelessError = Diagnostic & { readonly homeless: Homeless };

/** Makes the error of a deployment that loses its place. */
export function toHomelessError(error: Diagnostic, homeless: Homeless): HomelessError {
  return { ...error, message: describeHomeless(homeless), hint: adviseWithCommand(homeless), homeless };
}

/** What is known of a deployment that loses its place. Undefined: the error is another one. */
export function homelessOf(error: Diagnostic & { readonly homeless?: Homeless }): Homeless | undefined {
  return error.homeless;
}

/** Says how many replicas of a deployment lose their place, and why: the reason that decides, and how many others are. */
function describeHomeless(homeless: Homeless): string {
  const { rejections } = homeless.shortfall;
  return `${summarizeHomeless(homeless)}${rejections.length > 1 ? ` (${countByFilter(rejections)})` : ''}`;
}

/** What is against each place, below the error. Empty: the error says it. */
export function formatHomelessRejections(error: Diagnostic): Block[] {
  const { rejections = [] } = homelessOf(error)?.shortfall ?? {};
  return rejections.length > 1 ? formatRejections(rejections) : [];
}

/** Says how many replicas of a deployment lose their place, and the reason that decides. */
export function summarizeHomeless(homeless: Homeless): string {
  const { deployment, replicas, shortfall } = homeless;
  const verb = shortfall.missing === 1 ? 'does' : 'do';
  const count = `${shortfall.missing} of ${pluralize(replicas, 'replica')} of ${deployment}`;
  return `${count} ${verb} not fit any more: ${formatHomelessReason(homeless)}`;
}

/** The reason that decides. */
export function formatHomelessReason({ shortfall, lost }: Homeless): string {
  return formatDecisiveReason(shortfall, lost);
}

function adviseWithCommand(homeless: Homeless): string {
  const flags = homeless.removes ? '--accept-unplaced --accept-removals' : '--accept-unplaced';
  const giveUp = `To give up the replicas, run 'fleetwright lock ${homeless.command} ${flags}'`;
  return joinSentences([adviseHomeless(homeless), giveUp]);
}

/** Says what to do for replicas that lose their place, as sentences without the last full stop, except to give them up. */
export function adviseHomeless(homeless: Homeless): string {
  const { shortfall, misspelled, nearest } = homeless;
  const cheapest = listCheapest(shortfall.remedies);
  const changed = cheapest.find((one) => isChangedBound(one, homeless));
  const isNearest = nearest !== undefined && misspelled === undefined && shortfall.remedies.length === 0;
  return joinSentences([
    misspelled ?? '',
    joinAlternatives([
      ...adviseUndoing(homeless, changed),
      ...cheapest
        .filter((one) => one !== changed)
        .map((one) => formatCountedRemedy(omitKnownCost(one, homeless), shortfall)),
      ...adviseOnSelector(shortfall),
      ...(losesClusters(homeless) ? [adviseRemoval(homeless)] : []),
    ]),
    ...(homeless.asked ? adviseOnTooLarge(shortfall) : []),
    ...(isReplaced(homeless) ? [`Or ${REPLACE_HARDWARE}`] : []),
    ...(isNearest ? [`Or ${decapitalize(nearest)}`] : []),
  ]);
}

/** A request that fits again costs what it did before the change, volumes of caches included. */
function omitKnownCost(remedy: Remedy, { changed }: Homeless): Remedy {
  if (!changed || remedy.kind !== 'bound') return remedy;
  const { cost: _, ...rest } = remedy;
  return rest;
}

/** Whether a bound that the change raised is what keeps all replicas from a pool on which they run. */
function isChangedBound(remedy: Remedy, { changed, asked, lost, shortfall }: Homeless): remedy is BoundRemedy {
  if (!changed || asked !== 'selector' || remedy.kind !== 'bound' || remedy.breaks) return false;
  return asksForLess(remedy) && placesAll(remedy, shortfall) && listPlaces(remedy).some((one) => lost.includes(one));
}

type BoundRemedy = Extract<Remedy, { kind: 'bound' }>;

function listPlaces({ cluster, pool, also = [] }: BoundRemedy): string[] {
  return [{ cluster, pool }, ...also].map((one) => `${one.cluster} / ${one.pool}`);
}

/** @param bound the bound that the change raised. Undefined: it changed something else */
function adviseUndoing({ lost, changed, asked }: Homeless, bound: BoundRemedy | undefined): string[] {
  if (bound)
    return [`Undo this change: ${bound.to} is the most that fits (${joinNames(listPlaces(bound), MAX_NAMED)})`];
  if (changed) return ['Undo this change'];
  if (lost.length === 0) return [];
  if (asked === undefined && lost.every(isCluster))
    return [`Keep ${joinNames(lost, MAX_NAMED)}, where its replicas run`];
  const own = asked === undefined ? '' : `this ${asked}, or of `;
  return [`Undo the change of ${own}${joinNames(lost, MAX_NAMED)}, where its replicas run`];
}

/** What to do where all clusters that are left have another label than the deployment asks for. */
function adviseOnSelector({ rejections, remedies }: ShortfallPlan): string[] {
  const isOnly = remedies.length === 0 && rejections.length > 0 && rejections.every(isOfSelector);
  return isOnly ? ["declare another cluster that its 'clusterSelector' matches", "change 'clusterSelector'"] : [];
}

/** How to end a deployment whose cluster goes: what else is removed with it. */
function adviseRemoval({ deployment, services }: Homeless): string {
  const ids = [`ModelDeployment ${deployment}`, ...services.map((id) => `ModelService ${id}`)];
  return `remove ${joinAnd(ids)} too, if ${deployment} is to end`;
}

function isOfSelector({ reason }: ShortfallPlan['rejections'][number]): boolean {
  return reason.filter === 'selector';
}

/** Whether the clusters of a deployment are removed. */
export function losesClusters({ lost, changed }: Homeless): boolean {
  return !changed && lost.length > 0 && lost.every(isCluster);
}

function isCluster(place: string): boolean {
  return place.startsWith('cluster ');
}

const MAX_NAMED = 4;

export const REPLACE_HARDWARE =
  'declare the new hardware as another pool, let the deployment ask for it, and remove the old pool when the replicas have moved';

/** Whether the nodes of a deployment get other hardware, which it does not match. */
export function isReplaced({ losesHardware, changed }: Homeless): boolean {
  return losesHardware && !changed;
}

/** All reasons against places of a deployment. Empty: there is only the one that decides. */
export function listHomelessReasons({ shortfall }: Homeless): string[] {
  return shortfall.rejections.length > 1 ? [formatShortfallLine(shortfall)] : [];
}
