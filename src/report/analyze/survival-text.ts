import { countReachable } from '../../analyze/survive/service-capacity';
import type { DeploymentHit, Loss, ServiceHit, Survival } from '../../analyze/survive/survival';
import { combineDowntimes } from '../../diff/downtime';
import { formatDowntime } from '../diff/change-sentences';
import type { Recovery } from '../../analyze/survive/recovery-time';
import { formatCount } from '../../base/figures';
import { joinNames, pluralize } from '../../base/text';
import { formatRemedy } from '../../plan/remedy-messages';
import { type Block, type Item, section, styledLines } from '../document/document';
import { formatExtra, formatLimitsToo, formatObstacle } from './added-nodes-text';

/** With more losses, deployments that keep serving are counted. */
const MAX_LISTED_LOSSES = 8;

/**
 * Formats how a fleet survives each loss: the deployments and services that it affects, replicas that have no place
 * with any number of nodes, the extra nodes that would help, and the total.
 *
 * @param all the command that lists every deployment. Absent: every one is listed
 */
export function formatSurvival(survival: Survival, all?: string): Block[] {
  const { losses, extra, cheaper, limits, stranded } = survival;
  const isCounted = all !== undefined && losses.length > MAX_LISTED_LOSSES;
  return [
    ...losses.flatMap((loss) => [formatLoss(loss, isCounted), '']),
    ...section(isCounted ? styledLines('faint', [`Every deployment: '${all}'.`]) : []),
    ...section(styledLines('warn', stranded.length > 0 ? [formatStranded(survival)] : [])),
    ...section(
      extra
        ? formatExtra(
            extra,
            `${formatLimitsToo(limits)}${stranded.length > 0 ? 'all other' : 'all'} replicas fit after any one loss`,
            cheaper,
          )
        : [],
    ),
    ...section(
      styledLines('warn', isUnsolved(survival) ? ['No set of nodes was found with which all replicas fit.'] : []),
    ),
    ...styledLines('strong', formatSurvivalTotal(survival)),
  ];
}

function formatLoss({ lost, clusters, deployments, services }: Loss, isCounted: boolean): Block {
  const names = clusters.length === 1 && clusters[0] === lost ? '' : ` (${joinNames(clusters)})`;
  if (deployments.length + services.length === 0) return `lose ${lost}${names}: no replica is there`;
  const counted = isCounted ? deployments.filter(recovers) : [];
  const below = [
    ...deployments
      .filter((hit) => !counted.includes(hit))
      .map((hit): Item => {
        const item = { cells: [hit.deployment], text: formatHit(hit), below: formatRemedies(hit) };
        return hit.after < hit.before || isBelow(hit) ? { ...item, look: 'warn' } : item;
      }),
    ...(counted.length > 0 ? [formatRecovering(counted)] : []),
    ...services.map((hit): Item => {
      const item = { text: `service ${hit.service}   ${formatServiceHit(hit)}` };
      return hit.after < 1 ? { ...item, look: 'warn' } : item;
    }),
    ...formatLostGateways(services),
  ];
  return { look: 'strong', text: `lose ${lost}${names}`, below };
}

/** What gives a replica without a place one after a loss, other than nodes. */
function formatRemedies({ before, after, remedies = [] }: DeploymentHit): string[] {
  if (remedies.length === 0) return [];
  const reach = before - after > 1 ? ' (for at least 1 of them)' : '';
  return [`without more nodes: ${remedies.map((remedy) => formatRemedy(remedy)).join('; or ')}${reach}`];
}

/** Whether a deployment keeps enough replicas, and all others find a place. */
function recovers(hit: DeploymentHit): boolean {
  return hit.atOnce > 0 && hit.after >= hit.before && !isBelow(hit);
}

function formatRecovering(hits: readonly DeploymentHit[]): string {
  const again = hits.filter(({ seconds = 0 }) => seconds > 0);
  const keep = hits.length === 1 ? 'keeps' : 'keep';
  const start = combineDowntimes(again.map((hit) => hit.start));
  const slowest = { seconds: Math.max(...again.map(({ seconds = 0 }) => seconds)), ...(start && { start }) };
  const within = again.length > 0 ? formatDelay(slowest, 2) : '';
  return `${pluralize(hits.length, 'deployment')} ${keep} serving, and all replicas serve again${within}`;
}

/** `1 of 2 replicas keeps serving; the other serves again at most 60 min after it is placed again`. */
function formatHit(hit: DeploymentHit): string {
  const { before, atOnce, minAvailable, fewestCopies } = hit;
  const copies =
    fewestCopies === undefined
      ? ''
      : `, with at least ${fewestCopies === 1 ? '1 copy' : `${fewestCopies} copies`} each`;
  const below = isBelow(hit) ? `; below minAvailable ${minAvailable}` : '';
  if (before === 1) return `its only replica stops serving; it ${formatFate(hit)}${below}`;
  const kept = atOnce === 0 ? 'none' : atOnce;
  const keeps = atOnce > 1 ? 'keep' : 'keeps';
  return `${kept} of ${pluralize(before, 'replica')} ${keeps} serving${copies}; ${formatOthers(hit)}${below}`;
}

/** What becomes of the replicas that are lost: `the other 2 find no place`. */
function formatOthers(hit: DeploymentHit): string {
  const { before, atOnce, after } = hit;
  const lost = before - atOnce;
  const which = atOnce === 0 ? `all ${lost}` : lost === 1 ? 'the other' : `the other ${lost}`;
  if (after <= atOnce || after >= before) return `${which} ${formatFate(hit, lost)}`;
  const [again, left] = [after - atOnce, before - after];
  return `of ${which}, ${again} ${formatFate(hit, again)}, and ${left} ${findVerb(left)} no place`;
}

function formatFate({ atOnce, after, seconds, start }: DeploymentHit, count = 1): string {
  if (after <= atOnce) return `${findVerb(count)} no place`;
  const within = seconds === undefined ? '' : formatDelay({ seconds, ...(start && { start }) }, count);
  return `${count === 1 ? 'serves' : 'serve'} again${within}`;
}

/** The time counts from an apply that places the replicas elsewhere, which nothing does by itself. */
function formatDelay({ seconds, start }: Recovery, replicas: number): string {
  const most = Math.ceil(seconds / 60);
  const usual = start && `${formatDowntime(start, 'min')}${start.most < most ? ` (at most ${formatCount(most)})` : ''}`;
  const time = usual ?? `at most ${formatCount(most)} min`;
  return ` ${time} after ${replicas === 1 ? 'it is' : 'they are'} placed again`;
}

function findVerb(count: number): string {
  return count === 1 ? 'finds' : 'find';
}

/** Formats what is left of a deployment that lost a replica: `1 of 3 replicas serves`. */
export function formatServing({ before, atOnce }: Pick<DeploymentHit, 'before' | 'atOnce'>): string {
  if (before === 1 && atOnce === 0) return 'its 1 replica stops serving';
  return `${atOnce} of ${pluralize(before, 'replica')} ${atOnce === 1 ? 'serves' : 'serve'}`;
}

/** What of a fleet serves: its deployments and services. */
export interface ServingParts {
  readonly deployments: readonly unknown[];
  readonly services: readonly unknown[];
}

/**
 * Formats what serves right after clusters are lost together, before anything is placed again: one line for each
 * deployment and service that loses something, and how many lose nothing.
 */
export function formatImmediateLoss(
  { deployments, services }: Pick<Loss, 'deployments' | 'services'>,
  all: ServingParts,
): Block {
  const others = [
    ...countOf(all.deployments.length - deployments.length, 'deployment'),
    ...countOf(all.services.length - services.length, 'service'),
  ];
  const below = [
    ...deployments.map((hit): Item => ({ cells: [hit.deployment], text: formatServing(hit), look: 'warn' })),
    ...services.map(
      (hit): Item => ({ cells: [`service ${hit.service}`], text: formatCapacityLeft(hit), look: 'warn' }),
    ),
    ...formatLostGateways(services),
    ...(others.length > 0 ? [`as before: ${others.join(' and ')}`] : []),
  ];
  return { look: 'strong', text: 'Right after the loss:', below };
}

function countOf(count: number, noun: string): string[] {
  return count > 0 ? [pluralize(count, `other ${noun}`)] : [];
}

/** `targets of 50 % of its requests are left and get all of them (later: all targets); 1 of 2 gateways is left`. */
function formatServiceHit(hit: ServiceHit): string {
  const { atOnce, after } = hit;
  if (atOnce === 1) return formatCapacityLeft(hit);
  const later = after === 1 ? 'all targets' : `targets of ${formatPercent(after)}`;
  return formatCapacityLeft(hit, after > atOnce ? ` (later: ${later})` : ' (also later)');
}

/** Gateways send all requests to the targets that are left: those of the others do not fail. */
function formatCapacityLeft(hit: ServiceHit, when = ''): string {
  const { atOnce, gateways, fallback } = hit;
  if (gateways.atOnce === 0) return 'cut off: no gateway is left';
  const remaining = gateways.atOnce < gateways.before ? `; ${formatGatewaysLeft(hit)}` : '';
  const next = fallback ? '; its next tier takes over' : '';
  return `${describeTargets(atOnce)}${when}${remaining}${next}`;
}

function describeTargets(left: number): string {
  if (left === 0) return 'no target is left';
  if (left === 1) return 'all targets are left';
  return `targets of ${formatPercent(left)} of its requests are left and get all of them`;
}

/** Says what happens to clients that a gateway which others stand in for answers. Empty where none is lost. */
function formatLostGateways(services: Loss['services']): string[] {
  const isLost = services.some(({ gateways, byGateway = [gateways] }) =>
    byGateway.some(({ before, atOnce }) => atOnce > 0 && atOnce < before),
  );
  return isLost ? ['clients that DNS sends to a lost gateway fail until DNS drops its address'] : [];
}

/** `1 of 2 gateways is left`. Of several InferenceGateways: `gateway chat is left on 1 of 2 clusters, gateway qwen is cut off`. */
function formatGatewaysLeft({ gateways, byGateway }: Pick<ServiceHit, 'gateways' | 'byGateway'>): string {
  if (!byGateway) {
    return `${gateways.atOnce} of ${pluralize(gateways.before, 'gateway')} ${gateways.atOnce === 1 ? 'is' : 'are'} left`;
  }
  const parts = byGateway.map(({ gateway, before, atOnce }) =>
    atOnce === 0
      ? `gateway ${gateway} is cut off`
      : `gateway ${gateway} is left on ${atOnce} of ${pluralize(before, 'cluster')}`,
  );
  return joinNames(parts, MOST_GATEWAYS);
}

const MOST_GATEWAYS = 4;

/** Formats a part in percent. A part of something is neither 0 % nor 100 %. */
function formatPercent(part: number): string {
  const percent = Math.round(part * 100);
  if (part <= 0 || part >= 1) return `${percent} %`;
  return `${Math.min(99, Math.max(1, percent))} %`;
}

function isBelow({ atOnce, minAvailable = 0 }: Pick<DeploymentHit, 'atOnce' | 'minAvailable'>): boolean {
  return atOnce < minAvailable;
}

function formatStranded({ stranded }: Survival): string {
  const names = stranded.map((one) => {
    return `${pluralize(one.replicas, 'replica')} of ${one.deployment} after the loss of ${one.lost}${formatObstacle(one)}`;
  });
  return `More nodes do not help ${joinNames(names)}.`;
}

/** Reports whether more nodes would give some replicas a place, but no sufficient set of nodes was found. */
function isUnsolved({ losses, extra, stranded }: Survival): boolean {
  const missing = losses.flatMap(({ deployments }) => deployments.map(({ before, after }) => before - after));
  const unplaceable = stranded.reduce((sum, { replicas }) => sum + replicas, 0);
  return !extra && missing.reduce((sum, replicas) => sum + replicas, 0) > unplaceable;
}

/**
 * Formats the last lines: how many losses leave a place for every replica, how much may serve nothing until then, and
 * which losses take nothing down.
 */
export function formatSurvivalTotal(survival: Survival): string[] {
  return [formatCounts(survival), ...formatWithoutOutage(survival)];
}

/** Names the losses that can be borne. Not where the counts say it: there is one loss, or none takes anything down. */
function formatWithoutOutage({ losses, withoutOutage, services }: Survival): string[] {
  if (losses.length === 1 || withoutOutage.length === losses.length) return [];
  const [what, stops, none] =
    services.length > 0
      ? ['service', 'stops taking requests', 'takes no requests']
      : ['deployment', 'stops serving', 'serves nothing'];
  return withoutOutage.length === 0
    ? [`Every loss leaves a ${what} that ${none}.`]
    : [`No ${what} ${stops} after the loss of: ${joinNames(withoutOutage, MAX_NAMED)}.`];
}

function formatCounts({ losses, deployments, services, extra }: Survival): string {
  const survived = losses.filter((loss) => loss.deployments.every(({ before, after }) => after === before)).length;
  const below = deployments.filter(isBelow).length;
  const cutOff = services.filter(({ fewest }) => !fewest || countReachable(fewest) === 0).length;
  return [
    `Survive: ${extra ? 'without more nodes, ' : ''}all replicas find a place again after ${survived} of ${losses.length} losses`,
    ...(deployments.length > 0 ? [formatDown(deployments)] : []),
    ...(services.length > 0 ? [formatCutOff(cutOff, services.length)] : []),
    ...(below > 0 ? [`${below} may fall below minAvailable`] : []),
  ]
    .join('; ')
    .concat('.');
}

function formatCutOff(cutOff: number, all: number): string {
  if (cutOff > 0) return `${cutOff} of ${pluralize(all, 'service')} may take no requests`;
  return all === 1 ? 'the 1 service keeps taking requests' : `all ${all} services keep taking requests`;
}

const MAX_NAMED = 20;

function formatDown(deployments: Survival['deployments']): string {
  const down = deployments.filter(({ atOnce }) => atOnce === 0).map(({ deployment }) => deployment);
  const all = deployments.length;
  if (down.length > 0)
    return `${down.length} of ${pluralize(all, 'deployment')} may serve nothing for a while: ${joinNames(down, MAX_NAMED)}`;
  return all === 1 ? 'the 1 deployment keeps at least one replica' : `all ${all} deployments keep at least one replica`;
}
