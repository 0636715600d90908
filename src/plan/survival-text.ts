import type { ExtraNodes, Hit, Loss, Survival, Worst } from '../survive/survival';
import { formatSum } from './cost-text';
import { plural, shortList } from './format';
import { PLAIN, type Style } from './style';

/**
 * What stays of a fleet through each loss, for a person: the deployments that each loss hits, what has no place
 * however many nodes there are, the nodes that would help, and the total.
 */
export function formatSurvival(survival: Survival, currency: string, style: Style = PLAIN): string {
  const { losses, extra, stranded } = survival;
  return [
    ...losses.flatMap((loss) => formatLoss(loss, style)),
    ...(stranded.length > 0 ? [style.warn(formatStranded(survival)), ''] : []),
    ...(extra ? [...formatExtra(extra, currency), ''] : []),
    ...(isUnsolved(survival) ? [style.warn('No set of nodes was found that is enough.'), ''] : []),
    style.strong(formatTotal(survival)),
  ].join('\n');
}

function formatLoss({ lost, clusters, deployments }: Loss, style: Style): string[] {
  const named = clusters.length === 1 && clusters[0] === lost ? '' : ` (${shortList(clusters)})`;
  if (deployments.length === 0) return [`lose ${lost}${named}: no replica is there`, ''];
  const width = Math.max(...deployments.map(({ deployment }) => deployment.length));
  return [
    style.strong(`lose ${lost}${named}`),
    ...deployments.map((hit) => {
      const line = `  ${hit.deployment.padEnd(width)}   ${formatHit(hit)}`;
      return hit.after < hit.before || isBelow(hit) ? style.warn(line) : line;
    }),
    '',
  ];
}

function formatHit(hit: Hit): string {
  const { before, atOnce, after, seconds, minAvailable } = hit;
  const percent = Math.floor((atOnce / before) * 100);
  const within = seconds === undefined ? '' : ` within ${minutes(seconds)}`;
  const again = after > atOnce ? `${after} again${within}` : 'none is placed again';
  const below = isBelow(hit) ? `; below minAvailable ${minAvailable}` : '';
  return `${atOnce} of ${plural(before, 'replica')} at once (${percent} %), ${again}${below}`;
}

function isBelow({ atOnce, minAvailable = 0 }: Pick<Hit, 'atOnce' | 'minAvailable'>): boolean {
  return atOnce < minAvailable;
}

function minutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} min`;
}

function formatStranded({ stranded }: Survival): string {
  const names = stranded.map(
    ({ lost, deployment, replicas }) => `${replicas} of ${deployment} without ${lost}`,
  );
  return `However many nodes there are, no place for ${shortList(names)}.`;
}

function formatExtra({ nodes, total, atLeast, method, cost }: ExtraNodes, currency: string): string[] {
  const sure =
    method === 'exact' ? 'the smallest set' : `found step by step; fewer than ${atLeast} cannot be enough`;
  return [
    `With ${plural(total, 'more node')} every replica has a place after any one loss (${sure}), for ${formatSum(cost)} ${currency} an hour:`,
    ...nodes.map(({ cluster, pool, nodes: count }) => `  ${count} in ${cluster} / ${pool}`),
  ];
}

/** Whether replicas lack a place that nodes would give them, and no set of nodes was found. */
function isUnsolved({ losses, extra, stranded }: Survival): boolean {
  const missing = losses.flatMap(({ deployments }) => deployments.map(({ before, after }) => before - after));
  const beyond = stranded.reduce((sum, { replicas }) => sum + replicas, 0);
  return !extra && missing.reduce((sum, replicas) => sum + replicas, 0) > beyond;
}

function formatTotal({ losses, deployments }: Survival): string {
  const whole = losses.filter((loss) =>
    loss.deployments.every(({ before, after }) => after === before),
  ).length;
  const gone = deployments.filter(({ atOnce }) => atOnce === 0).length;
  const below = deployments.filter(isBelow).length;
  return [
    `Survive: after ${whole} of ${losses.length} losses every replica has a place again`,
    `${gone} of ${deployments.length} deployments may serve nothing for a while`,
    ...(below > 0 ? [`${below} may fall below minAvailable`] : []),
  ]
    .join('; ')
    .concat('.');
}

/** Deployments that keep fewer replicas at once than are required, a line each. */
export function formatRefused(refused: readonly Worst[], required: number): string[] {
  return refused.map(
    ({ deployment, atOnce, before, when }) =>
      `${deployment}: ${atOnce} of ${plural(before, 'replica')} serve at once when ${when ?? 'nothing'} is lost, and ${required} must`,
  );
}
