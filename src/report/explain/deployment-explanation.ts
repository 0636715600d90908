import { pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { DeploymentPlan } from '../../plan/plan';
import { formatRejectionReason } from '../../plan/rejection-messages';
import type { PodSecurityResult } from '../../render/pod/pod-security-standards';
import type { ClusterExplanation, DeploymentExplanation } from '../../scheduler/explain-deployment';
import { PLAIN_STYLE, type Style } from '../document/terminal-style';
import { formatUsage } from '../plan/plan-text';
import { MAX_REASON_LINES, summarizeRejections } from '../plan/shortfall-text';

/** How many of its replicas have a place, as one line. */
export function formatExplanationSummary(
  { deployment: workload, clusters }: DeploymentExplanation,
  style: Style = PLAIN_STYLE,
): string {
  const placed = clusters.flatMap(({ placements }) => placements.filter(({ leaving }) => !leaving)).length;
  return `${style.strong(workload.id)}: ${placed} of ${pluralize(workload.replicas, 'replica')} placed, priority ${workload.priority}`;
}

/** How a deployment stands, for a person: its replicas, then each cluster with why no further replica fits. */
export function formatExplanation(
  explanation: DeploymentExplanation,
  plan: DeploymentPlan | undefined,
  style: Style = PLAIN_STYLE,
): string {
  const usage = new Map(
    (plan ? listReplicasAfter(plan) : []).map(({ placement, usage }) => {
      return [replicaLabel(placement), usage.map(formatUsage).join('; ')];
    }),
  );
  const { clusters } = explanation;
  return [
    formatExplanationSummary(explanation, style),
    '',
    ...(clusters.length > MAX_REASON_LINES
      ? formatLargeFleet(clusters, usage, style)
      : clusters.flatMap((cluster) => [...formatCluster(cluster, usage, style), ''])),
  ]
    .join('\n')
    .trimEnd();
}

/** A large fleet: the first clusters with replicas, then how many others have room, and why the rest have none. */
function formatLargeFleet(
  clusters: readonly ClusterExplanation[],
  usage: ReadonlyMap<string, string>,
  style: Style,
): string[] {
  const holding = clusters.filter(({ placements }) => placements.length > 0);
  const open = clusters.filter(({ rejections }) => rejections.length === 0);
  const more = holding.length - MAX_REASON_LINES;
  return [
    ...holding.slice(0, MAX_REASON_LINES).flatMap((cluster) => [...formatCluster(cluster, usage, style), '']),
    ...(more > 0 ? [`  and on ${pluralize(more, 'more cluster')}: see --json`, ''] : []),
    `  room for another replica on ${pluralize(open.length, 'cluster')}`,
    ...summarizeRejections(clusters.flatMap(({ rejections }) => rejections)).map((line) =>
      style.faint(`    ${line}`),
    ),
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
      return style.add(
        `    ${mark} ${replicaLabel(placement)}   ${usage.get(replicaLabel(placement)) ?? ''}${last}`,
      );
    }),
    ...(rejections.length === 0 ? ['    room for another replica'] : []),
    ...rejections.map(({ pool, reason }) => {
      const where = pool === undefined ? '' : `pool ${pool}: `;
      return style.faint(`    no more: ${where}${formatRejectionReason(reason)}`);
    }),
  ];
}

function replicaLabel({ cluster, index }: { readonly cluster: string; readonly index: number }): string {
  return `${cluster}/${index}`;
}

/** What the pods of a deployment may do, for a person: `Pod Security level baseline: it may run as root in ...` */
export function formatSecurityLevel({ level, reasons }: PodSecurityResult): string {
  const [first, ...more] = reasons;
  const why = first === undefined ? '' : `: ${first}`;
  return [`  Pod Security level ${level}${why}`, ...more.map((reason) => `    ${reason}`)].join('\n');
}
