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

/** Labels of something that services select. */
export type SelectableLabels = Readonly<Record<string, string>>;

/** A replica, as far as routes ask. */
export type RoutedReplica = Pick<ComputedReplica, 'deployment' | 'cluster' | 'index'>;

/** What a service can send requests to: one replica, or one external endpoint. */
export type SelectableItem = SelectableReplica | SelectableEndpoint;

/** One replica in rotation. */
export interface SelectableReplica {
  readonly kind: 'Edge';
  readonly resource: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;
  readonly labels: SelectableLabels;
}

/** One external endpoint. */
export interface SelectableEndpoint {
  readonly kind: 'External';
  readonly resource: ModelEndpoint;
  readonly labels: SelectableLabels;
}

/** The labels that a selector sees of every replica of a deployment, wherever it is. */
export function selectableLabelsOf({ metadata, spec }: ModelDeployment): SelectableLabels {
  return { ...spec.template.metadata.labels, [DEPLOYMENT_LABEL]: metadata.name };
}

/**
 * All that services of a fleet can select, sorted. Replicas that still run earlier engines serve until they are
 * settled, under the labels that their deployment has now; those on clusters without a gateway are in no rotation.
 */
export function listSelectables(
  { deployments, endpoints }: Pick<Fleet, 'deployments' | 'endpoints'>,
  replicas: readonly RoutedReplica[],
): SelectableItem[] {
  const declared = indexDeploymentsById(deployments);
  const inRotation = replicas.filter(({ cluster }) => cluster.spec.gateway.enabled);
  const served = inRotation.map(({ deployment: run, cluster, index }): SelectableReplica => {
    const resource = declared.get(qualifiedNameOf(run)) ?? run;
    const where = { [CLUSTER_LABEL]: cluster.metadata.name, [REPLICA_INDEX_LABEL]: String(index) };
    return { kind: 'Edge', resource, cluster, index, labels: { ...selectableLabelsOf(resource), ...where } };
  });
  const external = endpoints.map((resource): SelectableEndpoint => {
    return { kind: 'External', resource, labels: resource.metadata.labels };
  });
  return [...sortedBy(served, replicaKeyOf), ...external];
}

function replicaKeyOf({ resource, cluster, index }: SelectableReplica): string {
  return `${qualifiedNameOf(resource)}\0${cluster.metadata.name}\0${String(index).padStart(6, '0')}`;
}

/** Something that services select, under the labels that they see. */
export interface LabelledResource {
  readonly resource: ModelDeployment | ModelEndpoint;
  readonly labels: SelectableLabels;
}

/** Whether a service may send requests to something: in its own namespace, else where a Grant lets it. */
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
