import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { releasesLeftOut } from '../provision/releases/left-out';
import { cacheObjects } from '../render/cache/objects';
import { stagedCache } from '../render/cache/staged';
import { sharedStorageClass } from '../render/cache/storage-class';
import { mustExist, type Needed, outside, type Wanted } from '../render/must-exist';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import { native } from '../render/native';
import { replicasByDeployment } from '../render/grouped-replicas';
import { mayRefer, type Reference } from '../render/references';
import type { RendererFor } from '../render/renderers';
import type { ComputedReplica } from '../render/replica';
import { memo } from '../memo';
import { holdings } from './cache-notes';
import type { Decision } from './decide';
import { routingNeeds } from './routing-needs';

/** What has to be on a cluster before its manifests are applied. */
export interface ClusterNeeds {
  readonly cluster: string;

  /** By namespace, kind and name. */
  readonly objects: readonly Needed[];
}

/**
 * What manifests refer to and nobody here makes, on each cluster that lacks something. Secrets are named, and never
 * read. Manifests are made of one replica of each deployment: its others refer to the same, wherever they are.
 */
export function clusterNeeds(
  fleet: Fleet,
  { replicas, routing }: Pick<Decision, 'replicas' | 'routing'>,
  rendererFor: RendererFor,
): ClusterNeeds[] {
  const wants = new Wants(new References(fleet.settings, rendererFor));
  const wanted = wantedByReplicas(replicas, wants);
  const held = holdings(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map((cluster) => ({ cache, cluster: cluster.metadata.name })),
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    const objects = mustExist([
      ...releaseNeeds(cluster, fleet),
      ...(caches.get(name) ?? []).flatMap(({ cache }) => wants.ofCache(cache, cluster)),
      ...(wanted.get(name) ?? []),
      ...routingNeeds(routing, { cluster, settings: fleet.settings }),
    ]);
    return objects.length > 0 ? [{ cluster: name, objects }] : [];
  });
}

/** What deployments want on the clusters that their replicas are on, by the names of these. */
function wantedByReplicas(replicas: readonly ComputedReplica[], wants: Wants): ReadonlyMap<string, Wanted[]> {
  const byCluster = new Map<string, Wanted[]>();
  for (const own of replicasByDeployment(replicas).values()) {
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
function releaseNeeds(cluster: InferenceCluster, fleet: Fleet): Wanted[] {
  const owner = resourceId(cluster);
  return releasesLeftOut(cluster, fleet).map(({ name }) => ({
    owner,
    reference: { kind: 'Helm release', name },
  }));
}

/** What a resource wants where its namespace is there, and where nobody makes it. */
interface Wish {
  readonly others: readonly Wanted[];
  readonly all: readonly Wanted[];
}

/** What resources want, made once for all clusters where they want the same. */
class Wants {
  readonly #namespaces = new Map<string, Reference>();
  readonly #ofDeployment = new Map<ModelDeployment, Wish>();
  readonly #ofCache = new Map<ModelCache, Map<readonly Reference[], Wish>>();

  constructor(private readonly references: References) {}

  /** What the deployment of a replica refers to on its cluster, and its namespace. */
  ofReplica(replica: ComputedReplica): readonly Wanted[] {
    const { deployment, cluster } = replica;
    let wish = this.#ofDeployment.get(deployment);
    if (!wish) {
      wish = this.#wish(deployment, this.references.ofReplica(replica));
      this.#ofDeployment.set(deployment, wish);
    }
    return wantedOn(cluster, wish);
  }

  /** The same of a cache. */
  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly Wanted[] {
    const references = this.references.ofCache(cache, cluster);
    const wish = memo(this.#ofCache, cache, references, () => this.#wish(cache, references));
    return wantedOn(cluster, wish);
  }

  #wish(resource: ModelCache | ModelDeployment, references: readonly Reference[]): Wish {
    const owner = resourceId(resource);
    const others = references.map((reference) => ({ owner, reference }));
    const { namespace: name = '' } = resource.metadata;
    if (BUILT_IN_NAMESPACES.has(name)) return { others, all: others };
    const namespace = this.#namespaces.get(name) ?? { kind: 'Namespace', name };
    this.#namespaces.set(name, namespace);
    return { others, all: [{ owner, reference: namespace }, ...others] };
  }
}

function wantedOn({ spec }: InferenceCluster, { others, all }: Wish): readonly Wanted[] {
  return spec.namespaces === 'Managed' ? others : all;
}

/**
 * What manifests refer to, made once for all replicas of a deployment, for all deployments of a namespace that say the
 * same, and for all clusters of one storage class.
 */
class References {
  readonly #ofSpec = new Map<string, Map<string, readonly Reference[]>>();
  readonly #texts = new Map<ModelDeployment['spec'], string>();
  readonly #ofCache = new Map<string, readonly Reference[]>();

  constructor(
    private readonly settings: Fleet['settings'],
    private readonly rendererFor: RendererFor,
  ) {}

  /** Ours names what is outside by the spec alone: what it makes of other names, it makes itself. */
  ofReplica(replica: ComputedReplica): readonly Reference[] {
    const renderer = this.rendererFor(replica);
    if (renderer !== native) return this.#render(replica);
    const { metadata, spec } = replica.deployment;
    const text = this.#texts.get(spec) ?? JSON.stringify(spec);
    this.#texts.set(spec, text);
    const place = `${metadata.namespace} ${replica.cluster.spec.dra}`;
    return memo(this.#ofSpec, text, place, () =>
      replica.caches.length > 0 || mayRefer(text) ? this.#render(replica) : [],
    );
  }

  #render(replica: ComputedReplica): readonly Reference[] {
    const staged = new Set(
      replica.caches.flatMap(({ stagedBy, claimName }) => (stagedBy === undefined ? [] : [claimName])),
    );
    return outside(this.rendererFor(replica)?.render(replica) ?? []).filter(
      ({ kind, name }) => kind !== 'PersistentVolumeClaim' || !staged.has(name),
    );
  }

  ofCache(cache: ModelCache, cluster: InferenceCluster): readonly Reference[] {
    const key = `${resourceId(cache)} ${sharedStorageClass(cluster) ?? ''}`;
    const known = this.#ofCache.get(key);
    if (known) return known;
    const staged = stagedCache(cache);
    const found = staged ? outside(cacheObjects(staged, { cluster, settings: this.settings })) : [];
    this.#ofCache.set(key, found);
    return found;
  }
}
