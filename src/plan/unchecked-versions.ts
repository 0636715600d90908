import { CLAIM_FEATURES, CLAIMS_SINCE, featuresOf } from '../api/claim-features';
import { minorOf } from '../api/cluster-features';
import type { ComputedReplica } from '../render/replica';
import { sortedBy } from '../order';

/** A note about clusters whose version nobody declares, where replicas on them use what only later versions have. */
export function uncheckedVersions(replicas: readonly ComputedReplica[]): string[] {
  const unknown = replicas.filter(({ cluster }) => cluster.spec.dra && minorOf(cluster) === undefined);
  const uses = unknown.flatMap(({ cluster, engines }) =>
    engines
      .flatMap(({ engine }) => engine.members.flatMap(({ nodeSelector }) => featuresOf(nodeSelector)))
      .filter(({ feature }) => CLAIM_FEATURES[feature].since > CLAIMS_SINCE)
      .map(({ feature }) => ({ cluster: cluster.metadata.name, feature })),
  );
  if (uses.length === 0) return [];
  const clusters = listed(uses.map(({ cluster }) => cluster));
  const features = listed(uses.map(({ feature }) => `${feature} (1.${CLAIM_FEATURES[feature].since})`));
  return [
    `Whether Kubernetes on ${clusters} has ${features} is not checked: declare spec.cluster.existing.kubernetesVersion.`,
  ];
}

function listed(names: readonly string[]): string {
  return sortedBy(new Set(names), (name) => name).join(', ');
}
