import { placeText, pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { DeploymentPlan } from '../../plan/plan';
import { formatRejectionReason } from '../../plan/rejection-messages';
import type { PodSecurityResult } from '../../render/pod/pod-security-standards';
import type { ClusterExplanation, DeploymentExplanation } from '../../scheduler/explain-deployment';
import { type Block, indent, type Item, CHANGE_MARKS, section, strong, styledLines } from '../document/document';
import { formatUsage } from '../plan/plan-text';
import { MAX_REASON_LINES, summarizeRejections } from '../plan/shortfall-text';

/** Formats how many replicas of a deployment have a place, as one line. */
export function formatExplanationSummary({ deployment, clusters }: DeploymentExplanation): Item {
  const placed = clusters.flatMap(({ placements }) => placements.filter(({ draining }) => !draining)).length;
  const count = `${placed} of ${pluralize(deployment.replicas, 'replica')} placed`;
  return { text: [strong(deployment.id), `: ${count}, priority ${deployment.priority}`] };
}

/** Formats the explanation of a deployment: per cluster its replicas, and why no further replica fits. */
export function formatExplanation(explanation: DeploymentExplanation, plan: DeploymentPlan | undefined): Block[] {
  const usage = new Map(
    (plan ? listReplicasAfter(plan) : []).map(({ placement, usage }) => {
      return [placeText(placement), usage.map(formatUsage).join('; ')];
    }),
  );
  const { clusters } = explanation;
  const formatClusters = (shown: typeof clusters): Block[] =>
    shown.flatMap((cluster) => [formatCluster(cluster, usage), '']);
  const blocks =
    clusters.length > MAX_REASON_LINES ? formatLargeFleet(clusters, formatClusters) : formatClusters(clusters);
  return [formatExplanationSummary(explanation), '', ...indent(blocks)];
}

/** Formats a large fleet: the first clusters with replicas, the number of clusters with room, and the rejections. */
function formatLargeFleet(
  clusters: readonly ClusterExplanation[],
  formatClusters: (shown: readonly ClusterExplanation[]) => Block[],
): Block[] {
  const used = clusters.filter(({ placements }) => placements.length > 0);
  const open = clusters.filter(({ rejections }) => rejections.length === 0);
  const more = used.length - MAX_REASON_LINES;
  const rejections = clusters.flatMap((cluster) => cluster.rejections);
  return [
    ...formatClusters(used.slice(0, MAX_REASON_LINES)),
    ...section(more > 0 ? [`and on ${pluralize(more, 'more cluster')}: use --json`] : []),
    {
      text: `room for another replica on ${pluralize(open.length, 'cluster')}`,
      below: styledLines('faint', summarizeRejections(rejections)),
    },
    '',
  ];
}

function formatCluster(
  { cluster, placements, rejections }: ClusterExplanation,
  usage: ReadonlyMap<string, string>,
): Item {
  const refused = rejections.map(({ pool, reason }) => {
    return `no more: ${pool === undefined ? '' : `pool ${pool}: `}${formatRejectionReason(reason)}`;
  });
  return {
    text: [strong(cluster)],
    below: [
      ...placements.map((placement): Item => {
        const [mark, suffix] = placement.draining ? [CHANGE_MARKS.draining, '   draining'] : [CHANGE_MARKS.keep, ''];
        const text = `${placeText(placement)}   ${usage.get(placeText(placement)) ?? ''}${suffix}`;
        return { mark, look: 'add', text };
      }),
      ...(refused.length === 0 ? ['room for another replica'] : styledLines('faint', refused)),
    ],
  };
}

/** Formats the Pod Security level of a deployment: `Pod Security level baseline: it may run as root in ...` */
export function formatSecurityLevel({ level, reasons: [first, ...more] }: PodSecurityResult): Block[] {
  const why = first === undefined ? '' : `: ${first}`;
  return indent([{ text: `Pod Security level ${level}${why}`, below: more }]);
}
