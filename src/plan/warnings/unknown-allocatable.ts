import type { InferenceClass } from '../../api/inference-class';
import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, joinNames } from '../../base/text';
import { usualResourcesOf } from '../../engine/expand/pod-resources';
import type { Fleet } from '../../fleet/fleet';
import { parseResources, RESOURCE_NAMES, type ResourceName } from '../../scheduler/compile/resource-requests';
import type { NodeResource, NodeShape } from '../../scheduler/compile/shapes';
import type { CompiledFleet, Pool } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { countClaimedDevices, type PodFit } from '../../scheduler/devices/pod-fit';
import { Ledger } from '../../scheduler/ledger';
import { chargePlacements } from '../../scheduler/overcommitted';
import { demandsOf, type Placement } from '../../scheduler/placement';
import { listPlacedPods } from '../replica-usage';

/** A placed pod on its pool. */
type PlacedPod = ReturnType<typeof listPlacedPods>[number];

interface Decided {
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];
}

/** Where to read what a node has for pods. */
export const REPORTED = "what 'kubectl get nodes -o yaml' reports as allocatable";

/** The CPU and memory that a class does not state. */
function listUnstated({ spec }: InferenceClass): ResourceName[] {
  return RESOURCE_NAMES.filter((name) => spec.node.allocatable[name] === undefined);
}

/** How messages name CPU and memory. */
export function nameResources(names: readonly ResourceName[]): string {
  return joinAnd(names.map((name) => (name === 'cpu' ? 'CPU' : name)));
}

/**
 * Finds classes of whose nodes CPU or memory is not known, and whose placed pods request so much that a node may have
 * too little. Each class has one warning. Pods that request a usual amount have none: no such node is that small.
 */
export function findUnknownAllocatable(
  { classes }: Fleet,
  model: CompiledFleet,
  decided: Decided,
): Diagnostic<ResourcePath>[] {
  const unstated = new Set(classes.filter((one) => listUnstated(one).length > 0).map(({ metadata }) => metadata.name));
  if (unstated.size === 0) return [];
  if (!mayBeShort(model, unstated, decided.matcher)) return [];
  const placed = listPlacedPods(model, decided.placements, decided.matcher);
  const pods = placed.filter(({ pool }) => unstated.has(pool.className));
  const podsByClass = groupBy(pods, ({ pool }) => pool.className);
  const crowded = new Map(RESOURCE_NAMES.map((name) => [name, findCrowdedPools(name, pods, model, decided)]));
  return classes.flatMap((resource) => {
    const own = podsByClass.get(resource.metadata.name) ?? [];
    const risks = listUnstated(resource).map((name) => ({
      name,
      unchecked: own.filter(({ pool, fit }) => isUnchecked(name, pool.node, fit)),
      tight: own.filter(({ pool }) => crowded.get(name)?.has(`${pool.cluster}/${pool.name}`)),
    }));
    const at = { resource, path: ['spec', ...(resource.spec.from === undefined ? [] : ['from'])] };
    const what = [
      ...describeRisk(risks, 'unchecked', (names, deployments) => {
        const are = names.length > 1 ? 'are' : 'is';
        return `${nameResources(names)} of its nodes ${are} not known, so that what pods of ${deployments} request is not checked`;
      }),
      ...describeRisk(risks, 'tight', (names, deployments) => {
        return `pods of ${deployments} request nearly all ${nameResources(names)} of its machines, of which nodes keep an unknown part`;
      }),
    ];
    return what.length > 0
      ? [warningAt('unknown-allocatable', at, what.join('; '), `Set spec.node.allocatable to ${REPORTED}`)]
      : [];
  });
}

/** Whether any pod can have a warning wherever it is placed. There are few kinds of pods and nodes, and many replicas. */
function mayBeShort(model: CompiledFleet, unstated: ReadonlySet<string>, matcher: PodMatcher): boolean {
  const pools = model.clusters.flatMap((cluster) => cluster.pools.filter(({ className }) => unstated.has(className)));
  const nodes = [...new Set(pools.map(({ node }) => node))];
  if (nodes.some(({ resources }) => resources.some(({ isUpperBound }) => isUpperBound))) return true;
  const demands = new Set(model.deployments.flatMap(demandsOf));
  const members = [...demands].flatMap(({ engines }) => engines.flatMap((engine) => engine.members));
  const pods = new Set(members.map(({ pod }) => pod));
  return [...pods].some((pod) =>
    nodes.some((node) => {
      const fit = matcher.fit(pod, node);
      return !('misfit' in fit) && RESOURCE_NAMES.some((name) => isUnchecked(name, node, fit));
    }),
  );
}

type RiskKind = 'unchecked' | 'tight';

interface Risk extends Readonly<Record<RiskKind, readonly PlacedPod[]>> {
  readonly name: ResourceName;
}

const MOST_DEPLOYMENTS = 3;

function describeRisk(
  risks: readonly Risk[],
  kind: RiskKind,
  describe: (names: readonly ResourceName[], deployments: string) => string,
): string[] {
  const found = risks.filter((risk) => risk[kind].length > 0);
  if (found.length === 0) return [];
  const deployments = sortUnique(found.flatMap((risk) => risk[kind].map(({ placement }) => placement.deployment)));
  return [
    describe(
      found.map(({ name }) => name),
      joinNames(deployments, MOST_DEPLOYMENTS),
    ),
  ];
}

/** Whether an engine requests more than a usual amount of a resource that its node is not known to have. */
function isUnchecked(name: ResourceName, node: NodeShape, fit: PodFit): boolean {
  // A floor is less than a usual amount.
  if (fit.floored.includes(name) || findResource(node, name)) return false;
  const devices = Object.values(countClaimedDevices(fit)).reduce((sum, count) => sum + count, 0);
  const { cpu, memoryGiB } = usualResourcesOf(devices);
  const usual = parseResources({ cpu: `${cpu}`, memory: `${memoryGiB}Gi` })[name] ?? 0;
  return (fit.engineResources[name] ?? 0) > usual;
}

function findResource({ resources }: NodeShape, name: ResourceName): NodeResource | undefined {
  return resources.find((one) => one.name === name);
}

/** The part of a machine that its nodes give to pods at least, as the catalog assumes it for default requests. */
const CERTAIN_PART = 0.9;

/**
 * The pools, as `cluster/pool`, of whose nodes only the machine is known, and whose pods have no guaranteed place if
 * nodes give them only the certain part of a resource.
 */
function findCrowdedPools(
  name: ResourceName,
  pods: readonly PlacedPod[],
  model: CompiledFleet,
  { matcher, placements }: Decided,
): ReadonlySet<string> {
  const bounded = new Set(pods.flatMap(({ pool }) => (findResource(pool.node, name)?.isUpperBound ? [pool] : [])));
  if (bounded.size === 0) return new Set();
  const clusters = model.clusters
    .filter(({ pools }) => pools.some((pool) => bounded.has(pool)))
    .map((cluster) => ({
      ...cluster,
      pools: cluster.pools.map((pool) => (bounded.has(pool) ? withLess(name, pool) : pool)),
    }));
  const ledger = new Ledger('declared');
  for (const { charges } of chargePlacements({ ...model, clusters }, placements, matcher)) ledger.add(charges);
  const tooLarge = pods.flatMap(({ pool, fit }) => {
    const { amount, isUpperBound } = findResource(pool.node, name) ?? { amount: 0 };
    return isUpperBound && (fit.resources[name] ?? 0) > amount * CERTAIN_PART ? [pool] : [];
  });
  const names = new Set([...bounded].map(pathOf));
  return new Set([...ledger.overcommittedPools(), ...tooLarge].map(pathOf).filter((path) => names.has(path)));
}

function pathOf({ cluster, name }: Pool): string {
  return `${cluster}/${name}`;
}

/** A pool whose nodes have only the certain part of a resource. */
function withLess(name: ResourceName, pool: Pool): Pool {
  const { node } = pool;
  const resources = node.resources.map((one) =>
    one.name === name ? { ...one, amount: Math.floor(one.amount * CERTAIN_PART) } : one,
  );
  const counts = [...node.counts];
  for (const { kind, amount } of resources) counts[kind] = amount;
  return { ...pool, node: { ...node, resources, counts } };
}
