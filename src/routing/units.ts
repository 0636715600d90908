import type { InferenceCluster } from '../api/inference-cluster';
import { CLUSTER, DEPLOYMENT, REPLICA_INDEX } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import { qualifiedName } from '../api/resource';
import { deploymentsById } from '../deployments-by-id';
import type { Fleet } from '../fleet';
import { sortedBy } from '../order';
import type { ComputedReplica } from '../render/replica';

/** Labels of something that services select. */
export type Labels = Readonly<Record<string, string>>;

/** A replica, as far as routes ask. */
export type RoutedReplica = Pick<ComputedReplica, 'deployment' | 'cluster' | 'index'>;

/** What a service can send requests to: one replica, or one external endpoint. */
export type Unit = ReplicaUnit | EndpointUnit;

/** One replica in rotation. */
export interface ReplicaUnit {
  readonly kind: 'Edge';
  readonly resource: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;
  readonly labels: Labels;
}

/** One external endpoint. */
export interface EndpointUnit {
  readonly kind: 'External';
  readonly resource: ModelEndpoint;
  readonly labels: Labels;
}

/** The labels that a selector sees of every replica of a deployment, wherever it is. */
export function replicaLabels({ metadata, spec }: ModelDeployment): Labels {
  return { ...spec.template.metadata.labels, [DEPLOYMENT]: metadata.name };
}

/**
 * All that services of a fleet can select, sorted. Replicas that still run earlier engines serve until they are
 * settled, under the labels that their deployment has now; those on clusters without a gateway are in no rotation.
 */
export function unitsOf(
  { deployments, endpoints }: Pick<Fleet, 'deployments' | 'endpoints'>,
  replicas: readonly RoutedReplica[],
): Unit[] {
  const declared = deploymentsById(deployments);
  const inRotation = replicas.filter(({ cluster }) => cluster.spec.gateway.enabled);
  const served = inRotation.map(({ deployment: run, cluster, index }): ReplicaUnit => {
    const resource = declared.get(qualifiedName(run)) ?? run;
    const where = { [CLUSTER]: cluster.metadata.name, [REPLICA_INDEX]: String(index) };
    return { kind: 'Edge', resource, cluster, index, labels: { ...replicaLabels(resource), ...where } };
  });
  const external = endpoints.map((resource): EndpointUnit => {
    return { kind: 'External', resource, labels: resource.metadata.labels };
  });
  return [...sortedBy(served, replicaKey), ...external];
}

function replicaKey({ resource, cluster, index }: ReplicaUnit): string {
  return `${qualifiedName(resource)}\0${cluster.metadata.name}\0${String(index).padStart(6, '0')}`;
}
