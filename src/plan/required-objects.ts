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
import {
  findExternalReferences,
  listRequiredObjects,
  type OwnedReference,
} from '../render/external-references';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import { native, type RendererSelector } from '../render/renderer';
import { renderClusterRouting } from '../render/routing/cluster-routing';
import type { ClusterContext } from '../render/routing/metadata';
import { locateCaches } from '../replicas/cache-clusters';
import { groupReplicasByDeployment } from '../replicas/compare-replicas';
import type { ComputedReplica } from '../replicas/replica';
import { toStageableCache } from '../replicas/staged-caches';
import type { Routing } from '../routing/routing';
import type { SecretKey } from '../routing/traffic-policy';
import type { Decision } from './decision';
import type { ClusterNeeds } from './plan';

/**
 * What manifests refer to and nobody here makes, on each cluster that lacks something. Secrets are named, and never
 * read. Manifests are made of one replica of each deployment: its others refer to the same, wherever they are.
 */
export function findRequiredObjects(
  fleet: Fleet,
  { replicas, routing }: Pick<Decision, 'replicas' | 'routing'>,
  rendererFor: RendererSelector,
): ClusterNeeds[] {
  const wants = new RequirementCache(new ReferenceCache(fleet.settings, rendererFor));
  const wanted = findReplicaRequirements(replicas, wants);
  const held = locateCaches(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map((cluster) => ({ cache, cluster: cluster.metadata.name })),
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const objects = listRequiredObjects([
      ...findMissingReleases(cluster, fleet),
      ...(caches.get(name) ?? []).flatMap(({ cache }) => wants.ofCache(cache, cluster)),
      ...(wanted.get(name) ?? []),
      ...findRoutingRequirements(routing, { cluster, settings: fleet.settings }),
    ]);
    return objects.length > 0 ? [{ cluster: name, objects }] : [];
  });
}

/** What deployments want on the clusters that their replicas are on, by the names of these. */
function findReplicaRequirements(
  replicas: readonly ComputedReplica[],
  wants: RequirementCache,
): ReadonlyMap<string, OwnedReference[]> {
  const byCluster = new Map<string, OwnedReference[]>();
  for (const own of groupReplicasByDeployment(replicas).values()) {
    let last: ComputedReplica | undefined;
    for (const replica of own) {
      const { cluster } = replica;
      // Those on one cluster follow each other, and want the same.
      const wanted = cluster === last?.cluster ? [] : wants.ofReplica(replica);
      last = replica;
      if (wanted.length === 0) continue;
      const all = byCluster.get(cluster.metadata.name);
      if (all) all.push(...wanted);
      else byCluster.set(cluster.metadata.name, [...wanted]);
    }
  }
  return byCluster;
}

/** The software that a cluster needs and that nobody here is to install. */
function findMissingReleases(cluster: InferenceCluster, fleet: Fleet): OwnedReference[] {
  const owner = resourceIdOf(cluster);
  return listReleasesLeftOut(cluster, fleet).map(({ name }) => ({
    owner,
    reference: { kind: 'Helm release', name },
  }));
}

/** What a resource wants where its namespace is there, and where nobody makes it. */
interface RequiredReferences {
  readonly others: readonly OwnedReference[];
  readonly all: readonly OwnedReference[];
}

/** What resources want, made once for all clusters where they want the same. */
class RequirementCache {
  readonly #namespaces = new Map<string, ObjectReference>();
  readonly #ofDeployment = new Map<ModelDeployment, RequiredReferences>();
  readonly #ofCache = new Map<ModelCache, Map<readonly ObjectReference[], RequiredReferences>>();

  constructor(private readonly references: ReferenceCache) {}

  /** What the deployment of a replica refers to on its cluster, and its namespace. */
  ofReplica(replica: ComputedReplica): readonly OwnedReference[] {
    const { deployment, cluster } = replica;
    let wish = this.#ofDeployment.get(deployment);
    if (!wish) {
      wish = this.#wish(deployment, this.references.ofReplica(replica));
      this.#ofDeployment.set(deployment, wish);
    }
    return requirementsOn(cluster, wish);
  }

  /** The same of a cache. */
  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly OwnedReference[] {
    const references = this.references.ofCache(cache, cluster);
    const wish = getOrCompute(this.#ofCache, cache, references, () => this.#wish(cache, references));
    return requirementsOn(cluster, wish);
  }

  #wish(resource: ModelCache | ModelDeployment, references: readonly ObjectReference[]): RequiredReferences {
    const owner = resourceIdOf(resource);
    const others = references.map((reference) => ({ owner, reference }));
    const { namespace: name = '' } = resource.metadata;
    if (BUILT_IN_NAMESPACES.has(name)) return { others, all: others };
    const namespace = this.#namespaces.get(name) ?? { kind: 'Namespace', name };
    this.#namespaces.set(name, namespace);
    return { others, all: [{ owner, reference: namespace }, ...others] };
  }
}

function requirementsOn(
  { spec }: InferenceCluster,
  { others, all }: RequiredReferences,
): readonly OwnedReference[] {
  return spec.namespaces === 'Managed' ? others : all;
}

/**
 * What manifests refer to, made once for all replicas of a deployment, for all deployments of a namespace that say the
 * same, and for all clusters of one storage class.
 */
class ReferenceCache {
  readonly #ofSpec = new Map<string, Map<string, readonly ObjectReference[]>>();
  readonly #texts = new Map<ModelDeployment['spec'], string>();
  readonly #ofCache = new Map<string, readonly ObjectReference[]>();

  constructor(
    private readonly settings: Fleet['settings'],
    private readonly rendererFor: RendererSelector,
  ) {}

  /** Ours names what is outside by the spec alone: what it makes of other names, it makes itself. */
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

/** What the gateways and routes of a cluster refer to and nobody here makes: certificates, keys, credentials. */
export function findRoutingRequirements(routing: Routing, place: ClusterContext): OwnedReference[] {
  const { gateways, services } = renderClusterRouting(routing, place);
  const parts = [
    { owner: `InferenceCluster ${place.cluster.metadata.name}`, manifests: gateways },
    ...services.map(({ service, manifests }) => ({
      owner: `ModelService ${service.namespace}/${service.name}`,
      manifests,
    })),
  ];
  const lacking = new Set(
    findExternalReferences(parts.flatMap(({ manifests }) => manifests)).map(referenceId),
  );
  const referred = parts.flatMap(({ owner, manifests }) =>
    [...namespacesOf(manifests, place.cluster), ...findExternalReferences(manifests)]
      .filter((one) => one.kind === 'Namespace' || lacking.has(referenceId(one)))
      .map((reference) => ({ owner, reference })),
  );
  return [...referred, ...findSecretKeys(routing, place), ...findHostNames(routing, place)];
}

function referenceId({ kind, namespace = '', name }: ObjectReference): string {
  return `${kind} ${namespace}/${name}`;
}

function namespacesOf(manifests: readonly Manifest[], { spec }: InferenceCluster): ObjectReference[] {
  if (spec.namespaces === 'Managed') return [];
  const names = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
  return [...names]
    .filter((name) => !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({ kind: 'Namespace', name }));
}

/** The entries of Secrets that are read, of which manifests name the Secrets only. */
function findSecretKeys(
  { services, egresses }: Routing,
  { cluster: { metadata } }: ClusterContext,
): OwnedReference[] {
  const keys = services.flatMap(({ namespace, name, doors }) =>
    doors
      .filter(({ cluster }) => cluster === metadata.name)
      .flatMap(({ auth }) => (auth.kind === 'ApiKeys' ? auth.keys : []))
      .map(({ secret }) => toWantedSecret({ namespace, name }, secret)),
  );
  const credentials = egresses
    .filter(({ cluster }) => cluster === metadata.name)
    .flatMap(({ backends }) =>
      backends.flatMap(({ service, credential }) =>
        credential ? [toWantedSecret(service, credential.secret)] : [],
      ),
    );
  return [...keys, ...credentials];
}

/** The names that people find gateways by, and that certificates which the user brings have to have. */
function findHostNames(
  { fronts, edges, egresses }: Routing,
  { cluster: { metadata } }: ClusterContext,
): OwnedReference[] {
  const owner = `InferenceCluster ${metadata.name}`;
  const here = ({ cluster }: { readonly cluster: string }): boolean => cluster === metadata.name;
  const gateways = fronts.filter(here);
  const behind = [...edges.filter(here), ...egresses.filter(here)];
  const certificates = [
    ...gateways.flatMap(({ tls, client }) => [...(tls ? [tls] : []), client]),
    ...behind.map(({ tls }) => tls),
  ].filter(({ issuer }) => !issuer);
  const hosts = [
    ...gateways.map((one) => ({ ...one, owner: `InferenceGateway ${one.gateway}` })),
    ...edges.filter(here).map((one) => ({ ...one, owner })),
  ];
  return [
    ...certificates.flatMap(({ secret, dnsNames }) =>
      dnsNames.map((dnsName): OwnedReference => {
        return { owner, reference: { kind: 'Secret', namespace: SYSTEM_NAMESPACE, name: secret, dnsName } };
      }),
    ),
    // Those of a zone that says who holds it are written by a stack.
    ...hosts.flatMap(({ owner: of, hostname, dns }) =>
      hostname === undefined || dns?.provider !== undefined
        ? []
        : [{ owner: of, reference: { kind: 'DNS record', name: hostname } as const }],
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
