import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { distinct, inApplyOrder, type Manifest } from './manifest';
import { namespaces } from './namespaces';
import { isRendered } from './not-rendered';
import { rendererFor } from './renderers';
import type { ComputedReplica } from './replica';
import { service } from './service';

/** What a cluster gets, by what asks for it. */
export interface ClusterManifests {
  readonly namespaces: readonly Manifest[];
  readonly deployments: readonly DeploymentManifests[];
}

/** The objects of one deployment on one cluster, in the order in which to apply them. */
export interface DeploymentManifests {
  readonly deployment: ModelDeployment;
  readonly manifests: readonly Manifest[];
}

/** All objects of a cluster, in the order in which to apply them. Replicas on other clusters are passed over. */
export function renderCluster(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: Fleet,
): Manifest[] {
  const parts = clusterManifests(cluster, replicas, fleet);
  return inApplyOrder([...parts.namespaces, ...parts.deployments.flatMap(({ manifests }) => manifests)]);
}

/**
 * The objects of a cluster, kept apart by deployment.
 *
 * @throws FleetwrightError when two objects would have one name
 */
export function clusterManifests(
  { metadata, spec, ...cluster }: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: Fleet,
): ClusterManifests {
  const own = replicas.filter(
    (replica) => replica.cluster.metadata.name === metadata.name && isRendered(replica.deployment),
  );
  const deployments = [...groupBy(own, ({ deployment }) => deployment)].map(([deployment, all]) => ({
    deployment,
    manifests: inApplyOrder(distinct([...all.slice(0, 1).map(service), ...all.flatMap(renderReplica)])),
  }));
  distinct(deployments.flatMap(({ manifests }) => manifests));
  return { namespaces: namespaces({ metadata, spec, ...cluster }, own, fleet), deployments };
}

function renderReplica(replica: ComputedReplica): Manifest[] {
  return replica.engines.flatMap((engine) => rendererFor(engine).render(replica, engine));
}
