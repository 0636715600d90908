import type { Fleet } from '../../fleet';
import { CLAIM_FEATURES, type ClaimFeature, featuresOf } from '../claim-features';
import { lackedBy, versionOf } from '../cluster-features';
import { labelsOf } from '../cluster-labels';
import type { InferenceCluster } from '../inference-cluster';
import { firstUnmet } from '../label-match';
import type { ModelDeployment } from '../model-deployment';
import { claimingMembers } from './claiming-members';
import type { Fault, FleetCheck } from './fault';

/**
 * What a request asks for beyond a number of devices, some cluster can give that its deployment may be on. Where only
 * some clusters can, the others are no place for it.
 */
export const featuresServed: FleetCheck = function* (fleet) {
  for (const resource of fleet.deployments) {
    const used = claimingMembers(resource).flatMap(({ nodeSelector, path }) =>
      featuresOf(nodeSelector).map((use) => ({ ...use, path: [...path, ...use.path] })),
    );
    // Most deployments use none, and to look at every cluster for each would take longer than all else.
    const clusters = used.length > 0 ? clustersOf(resource, fleet) : [];
    if (clusters.length === 0) continue;
    for (const { feature, path } of used) {
      if (clusters.some((cluster) => !lackedBy(cluster).includes(feature))) continue;
      yield { ...unserved(feature, clusters), resource, path };
    }
  }
};

/** The clusters with pools that a deployment may be on. */
function clustersOf({ spec }: ModelDeployment, { clusters }: Fleet): InferenceCluster[] {
  return clusters.filter(
    (cluster) =>
      cluster.spec.nodePools.length > 0 && !firstUnmet(spec.template.spec.clusterSelector, labelsOf(cluster)),
  );
}

/** As many clusters as a reader takes in at a glance. */
const MOST_SHOWN = 4;

function unserved(
  feature: ClaimFeature,
  clusters: readonly InferenceCluster[],
): Omit<Fault, 'resource' | 'path'> {
  const named = clusters.slice(0, MOST_SHOWN).map((cluster) => {
    const has = cluster.spec.dra ? `Kubernetes ${versionOf(cluster)}` : 'dra: false';
    return `${cluster.metadata.name} (${has})`;
  });
  const more = clusters.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const { since } = CLAIM_FEATURES[feature];
  return {
    code: 'unserved-feature',
    what: `no cluster that the deployment may be on has ${feature}: ${all}`,
    hint: `Use DRA on Kubernetes 1.${since} or later there, or remove it`,
  };
}
