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
  const [noun, its, they, exist, under] =
    clusters.length === 1
      ? ['cluster', 'its', 'it', 'it exists', `as ${names}`]
      : ['clusters', 'their', 'them', 'they exist', 'under these names'];
  const create = `create the ${noun} ${names} with ${its} nodes yourself, unless ${exist}`;
  const tool = `(neither merging nor ${format('pulumi up')} creates ${they})`;
  const register = `and register ${they} with the tool that applies manifests (Argo CD: ${under})`;
  return [{ time: 'earlier', what: `${create} ${tool}, ${register}.`, isBeforeManifests: true }];
}
