import { bucketSourceOf } from '../api/cache/delivery';
import { blockStorageClassOf, BUCKET_DRIVERS, hasDiskClass, installsBucketDriver } from '../api/cluster-storage';
import { scalesToZero } from '../api/engine-copies';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { getOrCompute } from '../base/memoize';
import { groupBy, sortUnique } from '../base/order';
import { HTTP_ADD_ON } from '../catalog/http-add-on';
import type { Fleet } from '../fleet/fleet';
import { sharedStorageClassOf } from '../fleet/hardware/shared-storage';
import { SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import { findReferences, mayHaveReferences, type ReferencedObject } from '../manifest/kubernetes/references';
import { listReleasesLeftOut } from '../provision/releases/cluster-releases';
import { createsStorageClass } from '../provision/storage-classes';
import { renderCacheObjects } from '../render/cache/cache-objects';
import {
  findExternalReferences,
  listRequiredObjects,
  type OwnedReference,
  type RequiredObject,
} from '../render/external-references';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import { native } from '../render/native';
import type { Renderer, RendererSelector } from '../render/renderer';
import { locateCaches } from '../replicas/cache-clusters';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';
import type { Decision } from './decision';
import type { ClusterNeeds } from './plan';
import { findQueues } from './required-queues';
import { findRoutingRequirements } from './routing-requirements';

/**
 * Finds the objects that manifests refer to and that neither Fleetwright nor the cloud creates, by cluster. Secrets are named, and
 * never read. One replica of each deployment is rendered, because all of its replicas refer to the same objects.
 */
export function findRequiredObjects(
  fleet: Fleet,
  { replicas, routing }: Pick<Decision, 'replicas' | 'routing'>,
  rendererFor: RendererSelector,
): ClusterNeeds[] {
  const requirements = new RequirementCache(fleet.settings, rendererFor);
  const required = findReplicaRequirements(replicas, requirements);
  const held = locateCaches(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map((cluster) => ({ cache, cluster: cluster.metadata.name })),
  );
  const scaled = groupBy(replicas.filter(isScaled), ({ cluster }) => cluster.metadata.name);
  const local = groupBy(
    replicas.filter(({ cluster }) => cluster.spec.scheduler?.queue !== undefined),
    ({ cluster }) => cluster.metadata.name,
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const referenced = [
      ...(caches.get(name) ?? []).flatMap(({ cache }) => requirements.ofCache(cache, cluster)),
      ...(required.get(name) ?? []),
    ];
    const objects = listRequiredObjects([
      ...findMissingReleases(cluster, fleet),
      ...referenced.filter(({ reference: { kind, name } }) => kind !== 'StorageClass' || !hasDiskClass(cluster, name)),
      ...findWarmNamespace(cluster),
      ...findScalerKind(cluster, scaled.get(name) ?? []),
      ...findQueues(cluster, local.get(name) ?? []),
      ...findRoutingRequirements(routing, { cluster, settings: fleet.settings }),
    ]);
    return objects.length > 0 ? [{ cluster: name, objects: objects.map((one) => markCreated(one, cluster)) }] : [];
  });
}

function markCreated(object: RequiredObject, cluster: InferenceCluster): RequiredObject {
  const isCreated = object.kind === 'StorageClass' && createsStorageClass(cluster, object.name);
  return isCreated ? { ...object, createdByStack: true } : object;
}

/** Finds the objects that deployments require on the clusters of their replicas, by cluster name. */
function findReplicaRequirements(
  replicas: readonly ComputedReplica[],
  requirements: RequirementCache,
): ReadonlyMap<string, OwnedReference[]> {
  const byCluster = new Map<string, OwnedReference[]>();
  for (const group of groupReplicasByDeployment(replicas).values()) {
    let last: InferenceCluster | undefined;
    for (const replica of group) {
      const { cluster } = replica;
      // Replicas are sorted by cluster, and those on one cluster require the same objects.
      if (cluster === last) continue;
      last = cluster;
      const all = byCluster.get(cluster.metadata.name) ?? [];
      all.push(...requirements.ofReplica(replica));
      byCluster.set(cluster.metadata.name, all);
    }
  }
  return byCluster;
}

/** Finds the Helm releases that a cluster needs and that Fleetwright does not install. */
function findMissingReleases(cluster: InferenceCluster, fleet: Fleet): OwnedReference[] {
  const owner = resourceIdOf(cluster);
  return listReleasesLeftOut(cluster, fleet).map(({ name }) => ({ owner, reference: { kind: 'Helm release', name } }));
}

/** Finds the namespace of the pods that keep nodes in reserve. */
function findWarmNamespace({ metadata, spec }: InferenceCluster): OwnedReference[] {
  if (spec.namespaces === 'Managed' || spec.nodePools.every(({ overprovision }) => overprovision === undefined))
    return [];
  return [{ owner: `InferenceCluster ${metadata.name}`, reference: { kind: 'Namespace', name: SYSTEM_NAMESPACE } }];
}

/** Finds the kinds of KEDA, where engines scale and Fleetwright does not install what scales them. */
function findScalerKind(cluster: InferenceCluster, scaled: readonly ComputedReplica[]): OwnedReference[] {
  const { keda, kedaHttpAddOn } = cluster.spec.servingStack;
  const held = scaled.filter(({ deployment }) => scalesToZero(deployment));
  return [
    ...(keda?.install === true ? [] : requireKind('scaledobjects.keda.sh', scaled)),
    ...(kedaHttpAddOn?.install === true ? [] : requireKind(HTTP_ADD_ON.routeDefinition, held)),
  ];
}

function requireKind(name: string, replicas: readonly ComputedReplica[]): OwnedReference[] {
  const reference = { kind: 'CustomResourceDefinition', name } as const;
  return sortUnique(replicas.map(({ deployment }) => resourceIdOf(deployment))).map((owner) => ({ owner, reference }));
}

function isScaled({ engines }: ComputedReplica): boolean {
  return engines.some(({ engine }) => engine.scaling);
}

/** The references of a resource: `others` without its namespace, and `all` with it. */
interface RequiredReferences {
  readonly others: readonly OwnedReference[];
  readonly all: readonly OwnedReference[];
}

/**
 * Caches the required objects of resources: for all replicas of a deployment, for all deployments of a namespace with
 * equal specs, and for all clusters with the same storage classes.
 */
class RequirementCache {
  readonly #namespaces = new Map<string, ReferencedObject>();
  readonly #ofDeployment = new Map<ModelDeployment, RequiredReferences>();
  readonly #ofCache = new Map<ModelCache, Map<string, RequiredReferences>>();
  readonly #ofSpec = new Map<string, Map<string, readonly ReferencedObject[]>>();
  readonly #texts = new Map<ModelDeployment['spec'], string>();

  constructor(
    private readonly settings: Fleet['settings'],
    private readonly rendererFor: RendererSelector,
  ) {}

  /** Returns the objects that the deployment of a replica requires on its cluster, including its namespace. */
  ofReplica(replica: ComputedReplica): readonly OwnedReference[] {
    const { deployment, cluster } = replica;
    let found = this.#ofDeployment.get(deployment);
    if (!found) {
      found = this.#requirementsOf(deployment, this.#referencesOf(replica));
      this.#ofDeployment.set(deployment, found);
    }
    return requirementsOn(cluster, found);
  }

  /** Returns the objects that a cache requires on a cluster, including its namespace. */
  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly OwnedReference[] {
    const storage = [sharedStorageClassOf(cluster) ?? '', blockStorageClassOf(cluster) ?? ''].join(' ');
    const found = getOrCompute(this.#ofCache, cache, storage, () => {
      const manifests = renderCacheObjects(cache, { cluster, settings: this.settings });
      return this.#requirementsOf(cache, findExternalReferences(manifests));
    });
    const drivers = findBucketDrivers(cache, cluster).map((reference) => ({ owner: resourceIdOf(cache), reference }));
    return [...requirementsOn(cluster, found), ...drivers];
  }

  /** Caches the references of the built-in renderer by spec, because they depend on nothing else of the deployment. */
  #referencesOf(replica: ComputedReplica): readonly ReferencedObject[] {
    const renderer = this.rendererFor(replica);
    if (renderer !== native) return findReplicaReferences(replica, renderer);
    const { metadata, spec } = replica.deployment;
    const text = this.#texts.get(spec) ?? JSON.stringify(spec);
    this.#texts.set(spec, text);
    const place = `${metadata.namespace} ${replica.cluster.spec.dra}`;
    return getOrCompute(this.#ofSpec, text, place, () =>
      replica.caches.length > 0 || mayHaveReferences(text) ? findReplicaReferences(replica, renderer) : [],
    );
  }

  #requirementsOf(resource: ModelCache | ModelDeployment, references: readonly ReferencedObject[]): RequiredReferences {
    const owner = resourceIdOf(resource);
    const others = references.map((reference) => ({ owner, reference }));
    const { namespace: name = '' } = resource.metadata;
    if (BUILT_IN_NAMESPACES.has(name)) return { others, all: others };
    const namespace = this.#namespaces.get(name) ?? { kind: 'Namespace', name };
    this.#namespaces.set(name, namespace);
    return { others, all: [{ owner, reference: namespace }, ...others] };
  }
}

function requirementsOn({ spec }: InferenceCluster, { others, all }: RequiredReferences): readonly OwnedReference[] {
  return spec.namespaces === 'Managed' ? others : all;
}

/** Finds the driver that mounts the bucket of a cache. Fleetwright installs it on clusters that it creates. */
function findBucketDrivers({ spec }: ModelCache, cluster: InferenceCluster): ReferencedObject[] {
  const source = bucketSourceOf(spec);
  if (source === undefined || installsBucketDriver(cluster, source)) return [];
  return [{ kind: 'CSIDriver', name: BUCKET_DRIVERS[source] }];
}

function findReplicaReferences(replica: ComputedReplica, renderer: Renderer): ReferencedObject[] {
  const volumes = replica.caches.flatMap(({ rendered, volumeSource }) => (rendered ? [volumeSource] : []));
  const rendered = new Set(
    findReferences({ ...NO_OBJECT, spec: { volumes } }).map(({ kind, name }) => `${kind} ${name}`),
  );
  return findExternalReferences(renderer.render(replica)).filter(({ kind, name }) => !rendered.has(`${kind} ${name}`));
}

const NO_OBJECT = { apiVersion: 'v1', kind: 'Pod', metadata: { name: '', labels: {} } } as const;
