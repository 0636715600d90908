import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
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
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: Fleet,
): ClusterManifests {
  const own = replicas.filter(
    (replica) => replica.cluster.metadata.name === cluster.metadata.name && isRendered(replica.deployment),
  );
  const deployments = [...groupBy(own, ({ deployment }) => resourceId(deployment)).values()].flatMap(
    manifestsOf,
  );
  // Only to refuse what two deployments would call the same.
  distinct(deployments.flatMap(({ manifests }) => manifests));
  return { namespaces: namespaces(cluster, own, fleet), deployments };
}

/** The objects of the replicas of one deployment. The Service and most claim templates are of all of them. */
function manifestsOf(replicas: readonly ComputedReplica[]): DeploymentManifests[] {
  const manifests = inApplyOrder(distinct(replicas.flatMap(renderReplica)));
  return replicas.slice(0, 1).map(({ deployment }) => ({ deployment, manifests }));
}

function renderReplica(replica: ComputedReplica): Manifest[] {
  const workloads = replica.engines.flatMap((engine) => rendererFor(engine).render(replica, engine));
  return [service(replica), ...workloads];
}
