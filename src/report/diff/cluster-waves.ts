import { groupBy } from '../../base/order';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { ApplyMode } from '../../diff/serving-during-change';

/** Deployments with their waves as they are counted where a change is applied in this way. */
export function countWaves(deployments: readonly DeploymentDiff[], applied: ApplyMode | undefined): DeploymentDiff[] {
  return applied === 'perCluster' ? deployments.map(countWavesByCluster) : [...deployments];
}

/** The waves of a deployment as each cluster counts them. None on a cluster where there is only one. */
function countWavesByCluster({ changes, ...one }: DeploymentDiff): DeploymentDiff {
  const byCluster = groupBy(changes, ({ cluster }) => cluster);
  const counted = changes.map(({ wave, ...change }) => {
    const waves = new Set((byCluster.get(change.cluster) ?? []).flatMap((other) => other.wave ?? []));
    if (wave === undefined || waves.size < 2) return change;
    return { ...change, wave: [...waves].filter((other) => other <= wave).length };
  });
  return { ...one, changes: counted };
}
