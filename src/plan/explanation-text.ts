import type { ClusterExplanation, Explanation } from '../scheduler/explain';
import { plural } from './format';
import type { DeploymentPlan } from './plan';
import { formatReason } from './reasons';
import { replicasIn } from './replicas-in';
import { MOST_LINES, summary } from './shortfall-text';
import { PLAIN, type Style } from './style';
import { formatUsage } from './text';

/** How many of its replicas have a place, as one line. */
export function formatExplained({ workload, clusters }: Explanation, style: Style = PLAIN): string {
  const placed = clusters.flatMap(({ placements }) => placements.filter(({ leaving }) => !leaving)).length;
  return `${style.strong(workload.id)}: ${placed} of ${plural(workload.replicas, 'replica')} placed, priority ${workload.priority}`;
}

/** How a deployment stands, for a person: its replicas, then each cluster with why no further replica fits. */
export function formatExplanation(
  explanation: Explanation,
  plan: DeploymentPlan | undefined,
  style: Style = PLAIN,
): string {
  const usage = new Map(
    (plan ? replicasIn(plan) : []).map(({ placement, usage }) => {
      return [key(placement), usage.map(formatUsage).join('; ')];
    }),
  );
  const { clusters } = explanation;
  return [
    formatExplained(explanation, style),
    '',
    ...(clusters.length > MOST_LINES
      ? formatMany(clusters, usage, style)
      : clusters.flatMap((cluster) => [...formatCluster(cluster, usage, style), ''])),
  ]
    .join('\n')
    .trimEnd();
}

/** A large fleet: the first clusters with replicas, then how many others have room, and why the rest have none. */
function formatMany(
  clusters: readonly ClusterExplanation[],
  usage: ReadonlyMap<string, string>,
  style: Style,
): string[] {
  const holding = clusters.filter(({ placements }) => placements.length > 0);
  const open = clusters.filter(({ rejections }) => rejections.length === 0);
  const more = holding.length - MOST_LINES;
  return [
    ...holding.slice(0, MOST_LINES).flatMap((cluster) => [...formatCluster(cluster, usage, style), '']),
    ...(more > 0 ? [`  and on ${plural(more, 'more cluster')}: see --json`, ''] : []),
    `  room for another replica on ${plural(open.length, 'cluster')}`,
    ...summary(clusters.flatMap(({ rejections }) => rejections)).map((line) => style.faint(`    ${line}`)),
  ];
}

function formatCluster(
  { cluster, placements, rejections }: ClusterExplanation,
  usage: ReadonlyMap<string, string>,
  style: Style,
): string[] {
  return [
    `  ${style.strong(cluster)}`,
    ...placements.map((placement) => {
      const [mark, last] = placement.leaving ? ['~', '   leaving'] : ['=', ''];
      return style.add(`    ${mark} ${key(placement)}   ${usage.get(key(placement)) ?? ''}${last}`);
    }),
    ...(rejections.length === 0 ? ['    room for another replica'] : []),
    ...rejections.map(({ pool, reason }) => {
      const where = pool === undefined ? '' : `pool ${pool}: `;
      return style.faint(`    no more: ${where}${formatReason(reason)}`);
    }),
  ];
}

function key({ cluster, index }: { readonly cluster: string; readonly index: number }): string {
  return `${cluster}/${index}`;
}
