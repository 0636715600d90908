import type { Grant } from '../api/grant';
import type { InferenceCluster } from '../api/inference-cluster';
import { findUnmetRequirement } from '../api/label-matching';
import { CLUSTER_LABEL, DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { sortedBy } from '../base/order';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { ComputedReplica } from '../replicas/replica';

/** The labels of a replica or endpoint that services select. */
type SelectableLabels = Readonly<Record<string, string>>;

/** The parts of a replica that routing depends on. */
export type RoutedReplica = Pick<ComputedReplica, 'deployment' | 'cluster' | 'index'>;

/** A replica or an external endpoint that a service can send requests to. */
export type SelectableItem = SelectableReplica | SelectableEndpoint;

export interface SelectableReplica {
  readonly kind: 'Edge';
  readonly resource: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;
  readonly labels: SelectableLabels;
}

interface SelectableEndpoint {
  readonly kind: 'External';
  readonly resource: ModelEndpoint;
  readonly labels: SelectableLabels;
}

/** Returns the labels that selectors see on every replica of a deployment. */
export function selectableLabelsOf({ metadata, spec }: ModelDeployment): SelectableLabels {
  return { ...spec.template.metadata.labels, [DEPLOYMENT_LABEL]: metadata.name };
}

/**
 * Returns all items that services of a fleet can select, sorted. Replicas of earlier engines serve until they are
 * finalized, with the current labels of their deployment. Replicas on clusters without a gateway get no requests.
 */
export function listSelectables(
  { deployments, endpoints }: Pick<Fleet, 'deployments' | 'endpoints'>,
  replicas: readonly RoutedReplica[],
): SelectableItem[] {
  const declared = indexDeploymentsById(deployments);
  const served = replicas.flatMap((replica) => {
    const resource = declared.get(qualifiedNameOf(replica.deployment)) ?? replica.deployment;
    return toSelectable({ ...replica, deployment: resource }) ?? [];
  });
  return joinSelectables(served, endpoints);
}

/** A replica as services see it. Undefined if they do not, because its cluster has no gateway. */
export function toSelectable({ deployment, cluster, index }: RoutedReplica): SelectableReplica | undefined {
  if (!cluster.spec.gateway.enabled) return undefined;
  const location = { [CLUSTER_LABEL]: cluster.metadata.name, [REPLICA_INDEX_LABEL]: String(index) };
  const labels = { ...selectableLabelsOf(deployment), ...location };
  return { kind: 'Edge', resource: deployment, cluster, index, labels };
}

/** Joins replicas and endpoints into the sorted list that services select from. */
export function joinSelectables(
  served: readonly SelectableReplica[],
  endpoints: readonly ModelEndpoint[],
): SelectableItem[] {
  const external = endpoints.map((resource): SelectableEndpoint => {
    return { kind: 'External', resource, labels: resource.metadata.labels };
  });
  return [...sortedBy(served, replicaKeyOf), ...external];
}

function replicaKeyOf({ resource, cluster, index }: SelectableReplica): string {
  return `${qualifiedNameOf(resource)}\0${cluster.metadata.name}\0${String(index).padStart(6, '0')}`;
}

export interface LabelledResource {
  readonly resource: ModelDeployment | ModelEndpoint;
  readonly labels: SelectableLabels;
}

/** Whether a service may send requests to a resource: it is in the namespace of the service, or a Grant allows it. */
export function isGranted(
  service: ModelService,
  { resource, labels }: LabelledResource,
  grants: readonly Grant[],
): boolean {
  const { kind, metadata } = resource;
  if (metadata.namespace === service.metadata.namespace) return true;
  const all = { ...metadata.labels, ...labels };
  return grants.some(
    (grant) =>
      grant.metadata.namespace === metadata.namespace &&
      grant.spec.from.some(({ namespace }) => namespace === service.metadata.namespace) &&
      grant.spec.to.some((to) => to.kind === kind && !findUnmetRequirement(to, all)),
  );
}
