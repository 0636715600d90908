import { qualifiedName } from '../api/resource';
import type { Engine, Member } from '../api/engine';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import type { NodePool } from '../api/node-pool';
import type { Fleet } from '../fleet';
import { quantityOf } from '../scheduler/amounts';
import type { Compiled } from '../scheduler/common-ground';
import { demandOf } from '../scheduler/demand-of';
import type { Claim, Fit } from '../scheduler/fit-on-node';
import type { Matcher } from '../scheduler/matcher';
import { memo } from '../scheduler/memo';
import type { Model, Pool, Site, Workload } from '../scheduler/model';
import type { ResourceName } from '../scheduler/shapes';
import { takesNode } from '../scheduler/takes-node';
import type { Placement } from '../scheduler/types';
import { type Wave, wavesOf } from '../scheduler/waves';
import { type Caches, cachesOf, type MountedCache, mountedCaches } from './cache/mounted';
import { type KnownReplicas, knownReplicas } from './known-replicas';

/** The version of `ComputedReplica`. It grows when a field goes or changes its meaning; new fields leave it. */
export const COMPUTED_VERSION = 1;

/** A replica with everything that its manifests depend on, as plain data. What every renderer reads. */
export interface ComputedReplica {
  readonly version: typeof COMPUTED_VERSION;
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly index: number;

  /** Set where it still runs earlier engines, which `deployment` then has. */
  readonly former?: true;

  /** When it is replaced, where what it runs changes. */
  readonly wave: Wave;

  /** How many replicas of the deployment are on this cluster, this one among them. */
  readonly here: number;

  /** In the order in which the deployment declares them. */
  readonly engines: readonly ComputedEngine[];

  /** What its pods mount: the model first, then adapters. */
  readonly caches: readonly MountedCache[];
}

/** An engine and the pool that all its pods are on. */
export interface ComputedEngine {
  readonly engine: Engine;
  readonly pool: NodePool;
  readonly members: readonly ComputedMember[];
}

/** Pods of an engine that are alike, and the devices that each claims. */
export interface ComputedMember {
  readonly member: Member;

  /** The narrowest request first. Empty: the pods claim nothing. */
  readonly claims: readonly Claim[];

  /** Devices by extended resource, where the cluster is without DRA. */
  readonly extended?: Readonly<Record<string, number>>;

  /** Whether no other pod with such devices fits on a node beside one of these. */
  readonly takesNode: boolean;

  /** CPU and memory that the container requests: as declared, or its share of the node. */
  readonly requests: Readonly<Record<string, string>>;
}

/** The role of a member in its engine. */
export type Role = Member['role'];

/** Whether pods of a role answer requests. Workers of a gang only compute for their leader. */
export function serves(role: Role): boolean {
  return role !== 'Worker';
}

/**
 * The replicas behind placements, with their devices bound to requests. Leaving ones too: they serve on.
 *
 * @param placements as `schedule` returns them for this fleet
 * @param matcher the one that scheduled, which remembers every answer
 */
export function computeReplicas(
  fleet: Fleet,
  model: Model,
  matcher: Matcher,
  placements: readonly Placement[],
): ComputedReplica[] {
  return computeBeside({ fleet, model, matcher }, placements);
}

/** As `computeReplicas`. What another state of the fleet has in common with it is taken from there, where one is known. */
export function computeBeside(
  { fleet, model, matcher }: Compiled & { readonly matcher: Matcher },
  placements: readonly Placement[],
  known?: KnownReplicas,
): ComputedReplica[] {
  const same = known && knownReplicas(fleet, placements, known);
  const others = same ? placements.filter((placement) => !same.has(placement)) : placements;
  const index = indexOf(fleet, model);
  const waves = wavesOf(others, model.workloads);
  const here = counting(others);
  return placements.map((placement) => {
    const wave = waves.get(placement);
    if (wave) return compute(placement, { wave, here: here(placement) }, index, matcher);
    const replica = same?.get(placement);
    if (!replica) throw lost(placement);
    return replica;
  });
}

/** Tells how many replicas of the deployment of one are on its cluster. */
function counting(placements: readonly Placement[]): (placement: Placement) => number {
  const counts = new Map<string, Map<string, number>>();
  for (const { deployment, cluster } of placements) {
    const own = counts.get(deployment) ?? new Map<string, number>();
    counts.set(deployment, own.set(cluster, (own.get(cluster) ?? 0) + 1));
  }
  return ({ deployment, cluster }) => counts.get(deployment)?.get(cluster) ?? 0;
}

interface Index {
  readonly caches: Caches;
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly clusters: ReadonlyMap<string, InferenceCluster>;
  readonly sites: ReadonlyMap<string, Site>;
  readonly workloads: ReadonlyMap<string, Workload>;
  /** Deployments as they were, by id and digest of their engines. */
  readonly former: ReadonlyMap<string, ModelDeployment>;
  /** What is known already: replicas of one engine on equal nodes have equal members. */
  readonly members: Map<Engine, Map<Pool['node'], readonly ComputedMember[]>>;
}

function indexOf(fleet: Fleet, { sites, workloads }: Model): Index {
  const { deployments, clusters, former = [] } = fleet;
  return {
    caches: cachesOf(fleet),
    deployments: new Map(deployments.map((one) => [qualifiedName(one), one])),
    clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
    sites: new Map(sites.map((site) => [site.name, site])),
    workloads: new Map(workloads.map((workload) => [workload.id, workload])),
    former: new Map(former.map(({ deployment, shape, declared }) => [`${deployment} ${shape}`, declared])),
    members: new Map(),
  };
}

function compute(
  placement: Placement,
  { wave, here }: Pick<ComputedReplica, 'wave' | 'here'>,
  index: Index,
  matcher: Matcher,
): ComputedReplica {
  const deployment = declaredFor(placement, index);
  const cluster = index.clusters.get(placement.cluster);
  if (!deployment || !cluster) throw lost(placement);
  const engines = deployment.spec.template.spec.engines.map((engine): ComputedEngine => {
    const pool = cluster.spec.nodePools.find(({ name }) => name === placement.pools[engine.name]);
    if (!pool) throw lost(placement);
    return { engine, pool, members: bindDevices(engine, placement, index, matcher) };
  });
  const former = deployment !== index.deployments.get(placement.deployment);
  const caches = index.caches.byName.size > 0 ? mountedCaches(deployment, cluster, index.caches) : NO_CACHES;
  const replica = { deployment, cluster, index: placement.index, wave, here, engines, caches };
  return former
    ? { version: COMPUTED_VERSION, former, ...replica }
    : { version: COMPUTED_VERSION, ...replica };
}

const NO_CACHES: readonly MountedCache[] = [];

/** The deployment as its replica runs it: as declared, or as it was when it had the shape of the replica. */
function declaredFor(
  { deployment, shape }: Placement,
  { deployments, workloads, former }: Index,
): ModelDeployment | undefined {
  const isCurrent = workloads.get(deployment)?.shape === shape;
  return isCurrent ? deployments.get(deployment) : former.get(`${deployment} ${shape}`);
}

function bindDevices(
  engine: Engine,
  placement: Placement,
  index: Index,
  matcher: Matcher,
): readonly ComputedMember[] {
  const site = index.sites.get(placement.cluster);
  const pool = site?.pools.find(({ name }) => name === placement.pools[engine.name]);
  const workload = index.workloads.get(placement.deployment);
  const demand = workload && demandOf(workload, placement)?.engines.find(({ name }) => name === engine.name);
  if (!pool || !demand) throw lost(placement);
  return memo(index.members, engine, pool.node, () =>
    engine.members.map((member) => {
      const pod = demand.members.find(({ role }) => role === member.role)?.pod;
      const fit = pod && matcher.fit(pod, pool.node);
      if (!fit || 'misfit' in fit) throw lost(placement);
      return computedMember(member, fit, pool.node);
    }),
  );
}

function computedMember(member: Member, fit: Fit, node: Pool['node']): ComputedMember {
  const computed = {
    member,
    requests: requestsOf(member, fit),
    takesNode: takesNode(fit.need, node.counts),
  };
  if (node.dra) return { ...computed, claims: fit.claims };
  return { ...computed, claims: [], extended: extendedOf(fit) };
}

/** What a device plugin hands out to a pod: its requests, added up by resource. */
function extendedOf({ claims }: Fit): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const { claimedAs, count } of claims.flatMap(({ forms }) => forms.slice(0, 1))) {
    devices[claimedAs] = (devices[claimedAs] ?? 0) + count;
  }
  return devices;
}

/** What the user wrote, as written; where that is silent, what the plan counted with. */
function requestsOf({ template }: Member, { own }: Fit): Record<string, string> {
  const [container] = template.spec.containers;
  const counted = Object.entries(own) as [ResourceName, number][];
  const shares = counted.map(([name, amount]) => [name, quantityOf(name, amount)]);
  return { ...Object.fromEntries(shares), ...container.resources.limits, ...container.resources.requests };
}

function lost({ deployment, cluster, index }: Placement): Error {
  return new Error(`bug: ${deployment} ${cluster}/${index} is placed where its fleet has no place for it`);
}
