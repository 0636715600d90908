import { joinNames } from '../../base/text';
import { listJoiningClusters } from '../../diff/declared-sizes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ChangeStep } from './change-steps';

/** The most clusters that a step names. */
const MAX_NAMED = 5;

/** Says that new clusters, which no stack creates, come before all else. */
export function describeJoiningClusters(
  { declarations, cloud }: Pick<FleetDiff, 'declarations' | 'cloud'>,
  format: (name: string) => string = String,
): ChangeStep[] {
  const clusters = listJoiningClusters(declarations, cloud).map((name) => format(name));
  if (clusters.length === 0) return [];
  const names = joinNames(clusters, MAX_NAMED);
  const [noun, its, exist] =
    clusters.length === 1 ? ['cluster', 'its', 'it exists'] : ['clusters', 'their', 'they exist'];
  const create = `create the ${noun} ${names} with ${its} nodes, unless ${exist} already`;
  const tool = `(neither merging nor ${format('pulumi up')} does)`;
  return [{ time: 'earlier', what: `${create} ${tool}, and let your GitOps tool apply ${its} manifests.` }];
}
