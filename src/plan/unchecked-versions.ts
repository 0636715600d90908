import { CLAIM_FEATURES, type ClaimFeature, CLAIMS_SINCE, featuresOf } from '../api/claim-features';
import { minorOf } from '../api/cluster-features';
import type { ModelDeployment } from '../api/model-deployment';
import { replicasByDeployment } from '../render/grouped-replicas';
import type { ComputedReplica } from '../render/replica';
import { sortedBy } from '../order';

/** A note about clusters whose version nobody declares, where replicas on them use what only later versions have. */
export function uncheckedVersions(replicas: readonly ComputedReplica[]): string[] {
  const uses = [...replicasByDeployment(replicas)].flatMap(([deployment, own]) => {
    const later = laterIn(deployment);
    if (later.length === 0) return [];
    const unknown = own.filter(({ cluster }) => cluster.spec.dra && minorOf(cluster) === undefined);
    return unknown.flatMap(({ cluster }) =>
      later.map((feature) => ({ cluster: cluster.metadata.name, feature })),
    );
  });
  if (uses.length === 0) return [];
  const clusters = listed(uses.map(({ cluster }) => cluster));
  const features = listed(uses.map(({ feature }) => `${feature} (1.${CLAIM_FEATURES[feature].since})`));
  return [
    `Whether Kubernetes on ${clusters} has ${features} is not checked: declare spec.cluster.existing.kubernetesVersion.`,
  ];
}

/** What the engines of a deployment use that not every cluster with claims has. */
function laterIn({ spec }: ModelDeployment): ClaimFeature[] {
  return spec.template.spec.engines
    .flatMap(({ members }) => members.flatMap(({ nodeSelector }) => featuresOf(nodeSelector)))
    .map(({ feature }) => feature)
    .filter((feature) => CLAIM_FEATURES[feature].since > CLAIMS_SINCE);
}

function listed(names: readonly string[]): string {
  return sortedBy(new Set(names), (name) => name).join(', ');
}
