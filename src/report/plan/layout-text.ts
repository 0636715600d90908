import { formatCount } from '../../base/figures';
import { joinNames, pluralize } from '../../base/text';
import { formatGpus } from '../../sizing/layout-rules';
import type { PlannedLayout } from '../../plan/plan';

/**
 * Formats how a model is divided, and what that holds, with the clusters if there are several layouts.
 *
 * @example
 * formatLayoutLine(layout, 1); // '2 x H200, TP 2: 41.2 GiB of KV, 38 requests of 32,768'
 */
export function formatLayoutLine(layout: PlannedLayout, of: number): string {
  const { kvGiB, requests, context, clusters } = layout;
  const held = requests === null ? `up to ${formatCount(context)} tokens a request` : formatRequests(requests, context);
  const where = of > 1 && clusters.length > 0 ? ` on ${joinNames(clusters)}` : '';
  return `${formatGpus(layout)}${where}: ${kvGiB.toFixed(1)} GiB of KV, ${held}`;
}

function formatRequests(requests: number, context: number): string {
  return `${requests === 1 ? pluralize(1, 'request') : `${formatCount(requests)} requests`} of ${formatCount(context)}`;
}
