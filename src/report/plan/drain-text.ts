import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { capitalize, joinNames, pluralize } from '../../base/text';
import type { DeploymentPlan, Drain, StuckReplica } from '../../plan/plan';
import type { Item } from '../document/document';
import { formatCheapestRemedy, titleOf } from './remedy-text';

/** Formats whether a drain can finish (with `lock --finalize`, once the replacements serve), or what is lost, as a line. */
export function formatDrain(drain: Drain): string {
  if (drain.lost) return formatLostCluster(drain);
  const { cluster, replicas, stuck, staying } = drain;
  const rest = staying.length === 0 ? '' : `; ${describeStaying(staying)}`;
  if (stuck.length === 0) {
    const have = replicas === 1 ? 'its 1 replica has' : `its ${formatCount(replicas)} replicas have`;
    return `drain of ${cluster}: can finish, because ${have} a replacement${rest}`;
  }
  const names = joinNames(stuck.map(formatStuck), MAX_NAMED_REPLICAS, '; ');
  const count = `${stuck.length} of ${pluralize(replicas, 'replica')}`;
  return `drain of ${cluster}: cannot finish, ${count} cannot move: ${names}${rest}`;
}

/** `us is lost: 2 replicas do not serve, and have no place elsewhere: ml/a us/0; ml/b us/0`. */
function formatLostCluster({ cluster, replicas, stuck }: Drain): string {
  const [does, has] = replicas === 1 ? ['does', 'has'] : ['do', 'have'];
  const names = stuck.map((one) => (one.why === 'paused' ? formatStuck(one) : nameStuck(one)));
  const which = joinNames(names, MAX_NAMED_REPLICAS, '; ');
  return `${cluster} is lost: ${pluralize(replicas, 'replica')} ${does} not serve, and ${has} no place elsewhere: ${which}`;
}

/** `code/r1 tolerates the taint and stays`: after the drain, the cluster is not empty. */
export function describeStaying(deployments: readonly string[], format: (name: string) => string = String): string {
  const verbs = deployments.length === 1 ? 'tolerates the taint and stays' : 'tolerate the taint and stay';
  return `${joinNames(deployments.map(format), MAX_NAMED_STAYING)} ${verbs}`;
}

const MAX_NAMED_STAYING = 3;

/** Formats drains, and for those that cannot finish the cheapest change that gives their replicas another place. */
export function formatDrains(drains: readonly Drain[], deployments: readonly DeploymentPlan[]): Item[] {
  return drains.map((drain) => {
    const isShort = drain.stuck.some(({ why }) => why === 'no-replacement');
    const hint = isShort ? `. ${hintAtDrain(drain, deployments)}, or ${hintAtFewer(drain, deployments)}` : '';
    return { text: `${formatDrain(drain)}${hint}`, look: drain.stuck.length > 0 ? 'warn' : 'change' };
  });
}

/** How many replicas to do without: of a deployment with one, all of them. */
function hintAtFewer({ stuck }: Drain, deployments: readonly DeploymentPlan[]): string {
  const ids = new Set(stuck.map(({ placement }) => placement.deployment));
  const left = deployments.filter(({ deployment }) => ids.has(deployment));
  const areSingle = left.length > 0 && left.every(({ replicas }) => replicas === 1);
  return areSingle ? "accept downtime with 'replicas: 0'" : 'lower the number of replicas';
}

/**
 * `Cheapest for ml/q: 1 more node in us / h100`: what gives the replicas of a drain another place, as a sentence to
 * continue. Each change was tried without the others: together, they may take the same room.
 */
export function hintAtDrain({ stuck }: Pick<Drain, 'stuck'>, deployments: readonly DeploymentPlan[]): string {
  const ids = new Set(stuck.map(({ placement }) => placement.deployment));
  const first = deployments.flatMap(({ deployment, shortfall }) => {
    const remedy = ids.has(deployment) && shortfall ? formatCheapestRemedy(shortfall) : undefined;
    return shortfall && remedy ? [{ title: titleOf(shortfall), deployment, remedy }] : [];
  });
  const alone = first.length > 1 ? ' alone' : '';
  const titled = [...groupBy(first, ({ title }) => title)].map(([title, all]) => {
    const texts = all.map(({ deployment, remedy }) => `for ${deployment}${alone}: ${remedy}`);
    return `${title} ${joinNames(texts, MAX_NAMED_REMEDIES, '; ')}`;
  });
  if (titled.length > 0) return capitalize(titled.join('; '));
  const bound = sortUnique(stuck.flatMap(({ noDevices, placement }) => (noDevices ? [placement.deployment] : [])));
  if (bound.length === 0) return 'Remove what keeps it off another cluster';
  return `No other cluster has the devices of ${joinNames(bound, MAX_NAMED_REMEDIES)}: add a pool with them to one`;
}

const MAX_NAMED_REMEDIES = 3;

/** The maximum number of stuck replicas to list; others are counted. */
const MAX_NAMED_REPLICAS = 8;

const STUCK_REASONS: Readonly<Record<StuckReplica['why'], string>> = {
  'no-replacement': 'has no replacement',
  paused: 'is paused',
};

function formatStuck(stuck: StuckReplica): string {
  return `${nameStuck(stuck)} ${STUCK_REASONS[stuck.why]}`;
}

function nameStuck({ placement: { deployment, cluster, index } }: StuckReplica): string {
  return `${deployment} ${cluster}/${index}`;
}
