import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { getOrCompute } from '../base/memoize';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { sharedStorageClassOf } from '../fleet/hardware/shared-storage';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import { mayHaveReferences, type ObjectReference } from '../manifest/kubernetes/references';
import { listReleasesLeftOut } from '../provision/releases/cluster-releases';
import { renderCacheObjects } from '../render/cache/cache-objects';
import { findExternalReferences, listRequiredObjects, type OwnedReference } from '../render/external-references';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import { native, type RendererSelector } from '../render/renderer';
import { renderClusterRouting } from '../render/routing/cluster-routing';
import type { ClusterContext } from '../render/routing/metadata';
import { locateCaches } from '../replicas/cache-clusters';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';
import { toStageableCache } from '../replicas/staged-caches';
import type { Routing } from '../routing/routing';
import type { SecretKey } from '../routing/traffic-policy';
import type { Decision } from './decision';
import type { ClusterNeeds } from './plan';

/**
 * Finds the objects that manifests refer to and that Fleetwright does not create, by cluster. Secrets are named, and
 * never read. One replica of each deployment is rendered, because all of its replicas refer to the same objects.
 */
export function findRequiredObjects(
  fleet: Fleet,
  { replicas, routing }: Pick<Decision, 'replicas' | 'routing'>,
  rendererFor: RendererSelector,
): ClusterNeeds[] {
  const requirements = new RequirementCache(new ReferenceCache(fleet.settings, rendererFor));
  const required = findReplicaRequirements(replicas, requirements);
  const held = locateCaches(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map((cluster) => ({ cache, cluster: cluster.metadata.name })),
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const objects = listRequiredObjects([
      ...findMissingReleases(cluster, fleet),
      ...(caches.get(name) ?? []).flatMap(({ cache }) => requirements.ofCache(cache, cluster)),
      ...(required.get(name) ?? []),
      ...findRoutingRequirements(routing, { cluster, settings: fleet.settings }),
    ]);
    return objects.length > 0 ? [{ cluster: name, objects }] : [];
  });
}

/** Finds the objects that deployments require on the clusters of their replicas, by cluster name. */
function findReplicaRequirements(
  replicas: readonly ComputedReplica[],
  requirements: RequirementCache,
): ReadonlyMap<string, OwnedReference[]> {
  const byCluster = new Map<string, OwnedReference[]>();
  for (const group of groupReplicasByDeployment(replicas).values()) {
    let last: ComputedReplica | undefined;
    for (const replica of group) {
      const { cluster } = replica;
      // Replicas are sorted by cluster, and those on one cluster require the same objects.
      const required = cluster === last?.cluster ? [] : requirements.ofReplica(replica);
      last = replica;
      if (required.length === 0) continue;
      const all = byCluster.get(cluster.metadata.name);
      if (all) all.push(...required);
      else byCluster.set(cluster.metadata.name, [...required]);
    }
  }
  return byCluster;
}

/** Finds the Helm releases that a cluster needs and that Fleetwright does not install. */
function findMissingReleases(cluster: InferenceCluster, fleet: Fleet): OwnedReference[] {
  const owner = resourceIdOf(cluster);
  return listReleasesLeftOut(cluster, fleet).map(({ name }) => ({ owner, reference: { kind: 'Helm release', name } }));
}

/** The references of a resource: `others` without its namespace, and `all` with it. */
interface RequiredReferences {
  readonly others: readonly OwnedReference[];
  readonly all: readonly OwnedReference[];
}

/** Caches the required objects of resources, for all clusters where they are the same. */
class RequirementCache {
  readonly #namespaces = new Map<string, ObjectReference>();
  readonly #ofDeployment = new Map<ModelDeployment, RequiredReferences>();
  readonly #ofCache = new Map<ModelCache, Map<readonly ObjectReference[], RequiredReferences>>();

  constructor(private readonly references: ReferenceCache) {}

  /** Returns the objects that the deployment of a replica requires on its cluster, including its namespace. */
  ofReplica(replica: ComputedReplica): readonly OwnedReference[] {
    const { deployment, cluster } = replica;
    let found = this.#ofDeployment.get(deployment);
    if (!found) {
      found = this.#requirementsOf(deployment, this.references.ofReplica(replica));
      this.#ofDeployment.set(deployment, found);
    }
    return requirementsOn(cluster, found);
  }

  /** Returns the objects that a cache requires on a cluster, including its namespace. */
  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly OwnedReference[] {
    const references = this.references.ofCache(cache, cluster);
    const found = getOrCompute(this.#ofCache, cache, references, () => this.#requirementsOf(cache, references));
    return requirementsOn(cluster, found);
  }

  #requirementsOf(resource: ModelCache | ModelDeployment, references: readonly ObjectReference[]): RequiredReferences {
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

/**
 * Caches the external references of manifests: for all replicas of a deployment, for all deployments of a namespace
 * with equal specs, and for all clusters with the same storage class.
 */
class ReferenceCache {
  readonly #ofSpec = new Map<string, Map<string, readonly ObjectReference[]>>();
  readonly #texts = new Map<ModelDeployment['spec'], string>();
  readonly #ofCache = new Map<string, readonly ObjectReference[]>();

  constructor(
    private readonly settings: Fleet['settings'],
    private readonly rendererFor: RendererSelector,
  ) {}

  /**
   * Returns the external references of a replica. Results of the built-in renderer are cached by spec, because its
   * external references depend on nothing else of the deployment.
   */
  ofReplica(replica: ComputedReplica): readonly ObjectReference[] {
    const renderer = this.rendererFor(replica);
    if (renderer !== native) return this.#render(replica);
    const { metadata, spec } = replica.deployment;
    const text = this.#texts.get(spec) ?? JSON.stringify(spec);
    this.#texts.set(spec, text);
    const place = `${metadata.namespace} ${replica.cluster.spec.dra}`;
    return getOrCompute(this.#ofSpec, text, place, () =>
      replica.caches.length > 0 || mayHaveReferences(text) ? this.#render(replica) : [],
    );
  }

  #render(replica: ComputedReplica): readonly ObjectReference[] {
    const staged = new Set(
      replica.caches.flatMap(({ stagedBy, claimName }) => (stagedBy === undefined ? [] : [claimName])),
    );
    return findExternalReferences(this.rendererFor(replica)?.render(replica) ?? []).filter(
      ({ kind, name }) => kind !== 'PersistentVolumeClaim' || !staged.has(name),
    );
  }

  /** Returns the external references of the manifests of a cache on a cluster. */
  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly ObjectReference[] {
    const key = `${resourceIdOf(cache)} ${sharedStorageClassOf(cluster) ?? ''}`;
    const known = this.#ofCache.get(key);
    if (known) return known;
    const staged = toStageableCache(cache);
    const found = staged
      ? findExternalReferences(renderCacheObjects(staged, { cluster, settings: this.settings }))
      : [];
    this.#ofCache.set(key, found);
    return found;
  }
}

/** Finds the objects that gateways and routes of a cluster require: certificates, keys, credentials and DNS records. */
export function findRoutingRequirements(routing: Routing, place: ClusterContext): OwnedReference[] {
  const { gateways, services } = renderClusterRouting(routing, place);
  const parts = [
    { owner: `InferenceCluster ${place.cluster.metadata.name}`, manifests: gateways },
    ...services.map(({ service, manifests }) => ({
      owner: `ModelService ${service.namespace}/${service.name}`,
      manifests,
    })),
  ];
  const external = new Set(findExternalReferences(parts.flatMap(({ manifests }) => manifests)).map(referenceId));
  const references = parts.flatMap(({ owner, manifests }) =>
    [...namespacesOf(manifests, place.cluster), ...findExternalReferences(manifests)]
      .filter((one) => one.kind === 'Namespace' || external.has(referenceId(one)))
      .map((reference) => ({ owner, reference })),
  );
  return [...references, ...findSecretKeys(routing, place), ...findHostNames(routing, place)];
}

function referenceId({ kind, namespace = '', name }: ObjectReference): string {
  return `${kind} ${namespace}/${name}`;
}

function namespacesOf(manifests: readonly Manifest[], { spec }: InferenceCluster): ObjectReference[] {
  if (spec.namespaces === 'Managed') return [];
  const names = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
  return [...names].filter((name) => !BUILT_IN_NAMESPACES.has(name)).map((name) => ({ kind: 'Namespace', name }));
}

/** Finds the required keys of Secrets. Manifests name only the Secrets. */
function findSecretKeys({ services, egresses }: Routing, { cluster: { metadata } }: ClusterContext): OwnedReference[] {
  const keys = services.flatMap(({ namespace, name, doors }) =>
    doors
      .filter(({ cluster }) => cluster === metadata.name)
      .flatMap(({ auth }) => (auth.kind === 'ApiKeys' ? auth.keys : []))
      .map(({ secret }) => toWantedSecret({ namespace, name }, secret)),
  );
  const credentials = egresses
    .filter(({ cluster }) => cluster === metadata.name)
    .flatMap(({ backends }) =>
      backends.flatMap(({ service, credential }) => (credential ? [toWantedSecret(service, credential.secret)] : [])),
    );
  return [...keys, ...credentials];
}

/** Finds the DNS records of gateways, and the DNS names that user-provided certificates must contain. */
function findHostNames(
  { fronts, edges, egresses }: Routing,
  { cluster: { metadata } }: ClusterContext,
): OwnedReference[] {
  const owner = `InferenceCluster ${metadata.name}`;
  const isOnCluster = ({ cluster }: { readonly cluster: string }): boolean => cluster === metadata.name;
  const gateways = fronts.filter(isOnCluster);
  const behind = [...edges.filter(isOnCluster), ...egresses.filter(isOnCluster)];
  const certificates = [
    ...gateways.flatMap(({ tls, client }) => [...(tls ? [tls] : []), client]),
    ...behind.map(({ tls }) => tls),
  ].filter(({ issuer }) => !issuer);
  const hosts = [
    ...gateways.map((one) => ({ ...one, owner: `InferenceGateway ${one.gateway}` })),
    ...edges.filter(isOnCluster).map((one) => ({ ...one, owner })),
  ];
  return [
    ...certificates.flatMap(({ secret, dnsNames }) =>
      dnsNames.map((dnsName): OwnedReference => {
        return { owner, reference: { kind: 'Secret', namespace: SYSTEM_NAMESPACE, name: secret, dnsName } };
      }),
    ),
    // A stack writes the DNS records of zones with a known provider.
    ...hosts.flatMap(({ owner: host, hostname, dns }) =>
      hostname === undefined || dns?.provider !== undefined
        ? []
        : [{ owner: host, reference: { kind: 'DNS record', name: hostname } as const }],
    ),
  ];
}

function toWantedSecret(
  service: { readonly namespace: string; readonly name: string },
  secret: SecretKey,
): OwnedReference {
  const owner = `ModelService ${service.namespace}/${service.name}`;
  return { owner, reference: { kind: 'Secret', ...secret } };
}
