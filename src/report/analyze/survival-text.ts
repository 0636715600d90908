import { countReachable } from '../../analyze/survive/service-capacity';
import type { DeploymentHit, Loss, ServiceHit, Survival, WorstDeployment } from '../../analyze/survive/survival';
import type { RefusedService, SurvivalRefusals } from '../../analyze/survive/survive';
import type { Resource } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { joinNames, pluralize } from '../../base/text';
import { indexDeploymentsById } from '../../fleet/fleet';
import { type Block, type Item, section, styledLines } from '../document/document';
import type { LocatedFleet } from '../plan/plan-annotations';
import { formatExtra, formatObstacle } from './added-nodes-text';

/**
 * Formats how a fleet survives each loss: the deployments and services that it affects, replicas that have no place
 * with any number of nodes, the extra nodes that would help, and the total.
 */
export function formatSurvival(survival: Survival): Block[] {
  const { losses, extra, stranded } = survival;
  return [
    ...losses.flatMap((loss) => [formatLoss(loss), '']),
    ...section(styledLines('warn', stranded.length > 0 ? [formatStranded(survival)] : [])),
    ...section(
      extra ? [formatExtra(extra, `${stranded.length > 0 ? 'all other' : 'all'} replicas fit after any one loss`)] : [],
    ),
    ...section(
      styledLines('warn', isUnsolved(survival) ? ['No set of nodes was found with which all replicas fit.'] : []),
    ),
    ...styledLines('strong', [formatSurvivalTotal(survival)]),
  ];
}

function formatLoss({ lost, clusters, deployments, services }: Loss): Block {
  const names = clusters.length === 1 && clusters[0] === lost ? '' : ` (${joinNames(clusters)})`;
  if (deployments.length + services.length === 0) return `lose ${lost}${names}: no replica is there`;
  const below = [
    ...deployments.map((hit): Item => {
      const item = { cells: [hit.deployment], text: formatHit(hit) };
      return hit.after < hit.before || isBelow(hit) ? { ...item, look: 'warn' } : item;
    }),
    ...services.map((hit): Item => {
      const item = { text: `service ${hit.service}   ${formatServiceHit(hit)}` };
      return hit.after < 1 ? { ...item, look: 'warn' } : item;
    }),
  ];
  return { look: 'strong', text: `lose ${lost}${names}`, below };
}

function formatHit(hit: DeploymentHit): string {
  const { before, atOnce, after, seconds, minAvailable, fewestCopies } = hit;
  const within = seconds === undefined ? '' : ` within ${formatMinutes(seconds)}`;
  const again = after > atOnce ? `${after} again${within}` : 'no replica is placed again';
  const copies =
    fewestCopies === undefined ? '' : ` with at least ${fewestCopies === 1 ? '1 copy' : `${fewestCopies} copies`} each`;
  const below = isBelow(hit) ? `; below minAvailable ${minAvailable}` : '';
  const share = before > 1 ? ` immediately${copies} (${formatPercent(atOnce / before)})` : '';
  return `${formatServing(hit)}${share}, ${again}${below}`;
}

/** Formats what is left of a deployment that lost a replica: `1 of 3 replicas serves`. */
function formatServing({ before, atOnce }: Pick<DeploymentHit, 'before' | 'atOnce'>): string {
  if (before === 1 && atOnce === 0) return 'its 1 replica stops serving';
  return `${atOnce} of ${pluralize(before, 'replica')} ${atOnce === 1 ? 'serves' : 'serve'}`;
}

/**
 * Formats what serves right after clusters are lost together, before anything is placed again: one line for each
 * deployment and service that loses something.
 */
export function formatImmediateLoss({ deployments, services }: Pick<Loss, 'deployments' | 'services'>): Block {
  const below = [
    ...deployments.map((hit): Item => ({ cells: [hit.deployment], text: formatServing(hit), look: 'warn' })),
    ...services.map(
      (hit): Item => ({ cells: [`service ${hit.service}`], text: formatCapacityLeft(hit), look: 'warn' }),
    ),
    'all other deployments and services serve as before',
  ];
  return { look: 'strong', text: 'Right after the loss:', below };
}

/** Formats the effect on a service: `50 % of its capacity is left at once, 100 % later; 1 of 2 gateways left`. */
function formatServiceHit(hit: ServiceHit): string {
  const { atOnce, after } = hit;
  const later = after > atOnce ? `${formatPercent(after)} later` : 'no more later';
  return formatCapacityLeft(hit, atOnce === 1 ? '' : ` at once, ${later}`);
}

/** Gateways send all requests to what is left: a part of the capacity does not mean that the rest of them fail. */
function formatCapacityLeft({ atOnce, gateways, fallback }: ServiceHit, when = ''): string {
  if (gateways.atOnce === 0) return 'cut off: no gateway is left';
  const remaining = gateways.atOnce < gateways.before ? `; ${gateways.atOnce} of ${gateways.before} gateways left` : '';
  const next = fallback ? '; its next tier takes over' : '';
  return `${formatPercent(atOnce)} of its capacity is left${when}${remaining}${next}`;
}

/** Formats a part in percent. A part of something is neither 0 % nor 100 %. */
function formatPercent(part: number): string {
  const percent = Math.round(part * 100);
  if (part <= 0 || part >= 1) return `${percent} %`;
  return `${Math.min(99, Math.max(1, percent))} %`;
}

function isBelow({ atOnce, minAvailable = 0 }: Pick<DeploymentHit, 'atOnce' | 'minAvailable'>): boolean {
  return atOnce < minAvailable;
}

function formatMinutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} min`;
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

/** Formats the last line: how many losses leave a place for every replica, and how much may serve nothing until then. */
export function formatSurvivalTotal({ losses, deployments, services, extra }: Survival): string {
  const survived = losses.filter((loss) => loss.deployments.every(({ before, after }) => after === before)).length;
  const down = deployments.filter(({ atOnce }) => atOnce === 0).length;
  const below = deployments.filter(isBelow).length;
  const cutOff = services.filter(({ fewest }) => !fewest || countReachable(fewest) === 0).length;
  return [
    `Survive: ${extra ? 'without more nodes, ' : ''}after ${survived} of ${losses.length} losses all replicas fit again`,
    `${down} of ${deployments.length} deployments may serve nothing for a while`,
    ...(services.length > 0 ? [`${cutOff} of ${pluralize(services.length, 'service')} may take no requests`] : []),
    ...(below > 0 ? [`${below} may fall below minAvailable`] : []),
  ]
    .join('; ')
    .concat('.');
}

/** Formats the result of the gate as a line: how many deployments and services keep too few replicas at once. */
export function formatSurvivalGate(
  { deployments, services }: Survival,
  { refused, refusedServices }: SurvivalRefusals,
  required: number,
): string {
  const reachable = services.filter(({ fewest }) => fewest).length;
  const all = [
    { count: deployments.length, few: refused.length, noun: 'deployment' },
    ...(reachable > 0 ? [{ count: reachable, few: refusedServices.length, noun: 'service' }] : []),
  ];
  const replicas = `${pluralize(required, 'replica')} right after a loss`;
  if (all.every(({ few }) => few === 0)) {
    const which = all.map(({ count, noun }) => pluralize(count, noun)).join(' and ');
    return `Gate: passed; at least ${replicas} for each of ${which}.`;
  }
  const which = all.map(({ count, few, noun }) => `${few} of ${pluralize(count, noun)}`).join(' and ');
  return `Gate: refused; fewer than ${replicas} for ${which}.`;
}

export function formatRefused({ refused, refusedServices }: SurvivalRefusals, required: number): string[] {
  return [
    ...refused.map((one) => formatRefusedDeployment(one, required)),
    ...refusedServices.map((one) => formatRefusedService(one, required)),
  ];
}

function formatRefusedDeployment({ deployment, atOnce, before, when }: WorstDeployment, required: number): string {
  return `${deployment}: ${formatServing({ before, atOnce })} when ${when ?? 'nothing'} is lost, and ${required} must serve`;
}

function formatRefusedService({ service, gateways, replicas, when }: RefusedService, required: number): string {
  const lost = `when ${when ?? 'nothing'} is lost`;
  return gateways === 0
    ? `service ${service}: no gateway is left ${lost}`
    : `service ${service}: ${pluralize(replicas, 'replica')} left behind it ${lost}, and it needs ${required}`;
}

const MORE_REPLICAS = 'Add replicas on other clusters, or require fewer';

/** Returns an error for each deployment and service that keeps too few replicas at once, at its declaration. */
export function toSurvivalProblems(
  { refused, refusedServices }: SurvivalRefusals,
  required: number,
  { fleet, locate }: LocatedFleet,
): Diagnostic[] {
  const services = new Map(fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const problemAt = (declared: Resource | undefined, what: string): Diagnostic[] =>
    declared ? [errorAt('too-few-left', locate(declared, []), what, MORE_REPLICAS)] : [];
  const deployments = indexDeploymentsById(fleet.deployments);
  return [
    ...refused.flatMap((one) => problemAt(deployments.get(one.deployment), formatRefusedDeployment(one, required))),
    ...refusedServices.flatMap((one) => problemAt(services.get(one.service), formatRefusedService(one, required))),
  ];
}
