import { isProvider } from '../../api/cloud-providers';
import { isSelected } from '../../api/cluster-labels';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import {
  CLAIM_FEATURES,
  type ClaimFeature,
  CLAIMS_SINCE,
  kubernetesMinorOf,
  kubernetesVersionOf,
  kubernetesVersionPathOf,
  lacksClaimFeature,
  missingClaimFeaturesOf,
  podGroupApiOf,
  schedulerTypeOf,
  usedClaimFeaturesOf,
} from '../../api/kubernetes-features';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { joinNames } from '../../base/text';
import { POD_GROUP_APIS } from '../../catalog/pod-groups';
import type { Fleet } from '../fleet';
import { claimingMembersOf } from './devices';
import type { FleetCheck } from './fleet-check';

/** Checks that each cluster with pools can give devices to pods: through claims, or as extended resources. */
export const checkDeviceSupport: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    const { dra, nodePools } = resource.spec;
    const minor = kubernetesMinorOf(resource);
    if (dra && nodePools.length > 0 && minor !== undefined && minor < CLAIMS_SINCE) {
      const what = `Kubernetes ${kubernetesVersionOf(resource)} does not serve resource.k8s.io/v1`;
      const hint = `Use 1.${CLAIMS_SINCE} or later, or set 'dra: false'`;
      yield errorAt('no-claims', { resource, path: kubernetesVersionPathOf(resource) }, what, hint);
    }
    for (const [p, { className }] of nodePools.entries()) {
      const declared = byName.get(className);
      const path = ['spec', 'nodePools', p, 'className'];
      if (declared && hasPartitions(declared)) yield* checkPartitions({ resource, path }, resource, className);
      if (dra || !declared || hasExtendedResources(declared)) continue;
      const what = `the cluster has 'dra: false', and InferenceClass '${className}' has no extended resource`;
      const hint = 'Set extendedResource of its devices to the resource of their device plugin: nvidia.com/gpu';
      yield errorAt('no-claims', { resource, path }, what, hint);
    }
  }
};

function hasPartitions({ spec }: InferenceClass): boolean {
  return spec.devices.some(({ counterSet }) => counterSet !== undefined);
}

/** Requires a cluster that allocates devices with counters: earlier API servers drop the counters of slices. */
function* checkPartitions(
  at: ResourcePath,
  cluster: InferenceCluster,
  className: string,
): Iterable<Diagnostic<ResourcePath>> {
  if (servesFeature(cluster, 'partitions')) return;
  const named = `InferenceClass '${className}'`;
  const what = `${named} has devices with a counterSet, which the cluster does not allocate: it has ${describeClaimSupport(cluster, 'partitions')}`;
  const hint = `Use DRA on Kubernetes 1.${CLAIM_FEATURES.partitions.since} or later, or declare static partitions, without counterSet`;
  yield errorAt('unserved-feature', at, what, hint);
}

function hasExtendedResources({ spec }: InferenceClass): boolean {
  const claimed = spec.devices.filter(({ claim }) => claim === 'DRA');
  return claimed.length === 0 || claimed.some(({ extendedResource }) => extendedResource !== undefined);
}

/**
 * The first minor version of Kubernetes 1 that supports all features of rendered pods by default: hooks that sleep
 * (KEP-3960) since 1.30, sidecar containers (KEP-753) since 1.29.
 */
const PODS_SINCE = 30;

/** Checks that each cluster with pools supports rendered pods: an older API server silently drops unknown fields. */
export const checkPodFeatures: FleetCheck = function* ({ clusters }) {
  for (const resource of clusters) {
    const { dra, nodePools } = resource.spec;
    const minor = kubernetesMinorOf(resource);
    // `checkDeviceSupport` requires a later version for DRA.
    if (dra || nodePools.length === 0 || minor === undefined || minor >= PODS_SINCE) continue;
    const what = `Kubernetes ${kubernetesVersionOf(resource)} does not support sleep hooks and sidecars, which the pods use`;
    const hint = `Use 1.${PODS_SINCE} or later`;
    yield errorAt('old-version', { resource, path: kubernetesVersionPathOf(resource) }, what, hint);
  }
};

/** Checks that kube-scheduler of each cluster that declares gangs has an API for them. */
export const checkGangs: FleetCheck = function* ({ clusters }) {
  const versions = [...POD_GROUP_APIS.keys()].map((minor) => `1.${minor}`).join(' or ');
  for (const resource of clusters) {
    const { scheduler, cluster } = resource.spec;
    if (!scheduler?.gangs || scheduler.type !== 'Default') continue;
    const at = { resource, path: ['spec', 'scheduler', 'gangs'] };
    const version = kubernetesVersionOf(resource);
    if (isProvider(cluster.source)) {
      const what = `the API of gangs is off by default, and clusters that are created on ${cluster.source} do not serve it`;
      yield errorAt('unserved-feature', at, what, 'Remove it, or use KAI: it starts gangs whole');
    } else if (version === undefined) {
      const what = 'the API of gangs differs by version, and the version of Kubernetes is not declared';
      const field = kubernetesVersionPathOf(resource).join('.');
      yield errorAt('unserved-feature', at, what, `Set ${field} to ${versions}, or remove it`);
    } else if (!podGroupApiOf(resource)) {
      const what = `Kubernetes ${version} has no gangs that LeaderWorkerSets can name`;
      yield errorAt(
        'unserved-feature',
        at,
        what,
        `Use ${versions}, or remove it. KAI starts gangs whole on others too`,
      );
    }
  }
};

/**
 * Checks that each claim feature that a deployment uses is available on at least one cluster that the deployment may
 * run on. The scheduler rejects the clusters that lack it.
 */
export const checkClaimFeatures: FleetCheck = function* (fleet) {
  for (const resource of fleet.deployments) {
    const used = claimingMembersOf(resource).flatMap(({ nodeSelector, path }) =>
      usedClaimFeaturesOf(nodeSelector).map((use) => ({ ...use, path: [...path, ...use.path] })),
    );
    // Most deployments use no such feature, and matching every cluster for each deployment is slow.
    const clusters = used.length > 0 ? eligibleClustersOf(resource, fleet) : [];
    if (clusters.length === 0) continue;
    for (const { feature, path } of used) {
      if (clusters.some((cluster) => servesFeature(cluster, feature))) continue;
      yield describeUnservedFeature({ resource, path }, feature, clusters);
    }
  }
};

function servesFeature(cluster: InferenceCluster, feature: ClaimFeature): boolean {
  return !missingClaimFeaturesOf(cluster).includes(feature) && !lacksClaimFeature(schedulerTypeOf(cluster), feature);
}

/** The clusters with pools that match the cluster selector of a deployment. */
function eligibleClustersOf({ spec }: ModelDeployment, { clusters }: Fleet): InferenceCluster[] {
  return clusters.filter(
    (cluster) => cluster.spec.nodePools.length > 0 && isSelected(cluster, spec.template.spec.clusterSelector),
  );
}

/** Longer lists of clusters do not help the reader of a message. */
const MAX_CLUSTERS_SHOWN = 4;

function describeUnservedFeature(
  at: ResourcePath,
  feature: ClaimFeature,
  clusters: readonly InferenceCluster[],
): Diagnostic<ResourcePath> {
  const found = clusters.map((cluster) => `${cluster.metadata.name} has ${describeClaimSupport(cluster, feature)}`);
  const { name, since } = CLAIM_FEATURES[feature];
  const queued = clusters.some((cluster) => lacksClaimFeature(schedulerTypeOf(cluster), feature));
  const dra = clusters.every(({ spec }) => spec.dra);
  const version = `${dra ? '' : 'DRA on '}Kubernetes 1.${since} or later`;
  const what = `${name} needs ${version}${queued ? ', with the scheduler Default' : ''}: ${joinNames(found, MAX_CLUSTERS_SHOWN)}`;
  const hint = queued
    ? `Remove it, or add a cluster whose scheduler is Default, with Kubernetes 1.${since} or later`
    : `Use ${version} there, or remove it`;
  return errorAt('unserved-feature', at, what, hint);
}

function describeClaimSupport(cluster: InferenceCluster, feature: ClaimFeature): string {
  if (!cluster.spec.dra) return "'dra: false'";
  const scheduler = schedulerTypeOf(cluster);
  return lacksClaimFeature(scheduler, feature) ? scheduler : `Kubernetes ${kubernetesVersionOf(cluster)}`;
}
