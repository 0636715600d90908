import { groupBy, sortedNaturally } from '../../../base/order';
import {
  type AmountData,
  type ClusterData,
  type DeploymentData,
  type GroupData,
  type MapData,
  type Mark,
  REPLICA_MARKS,
  type Phase,
  PHASES,
  type PodData,
  type PoolData,
  type PoolFactsData,
  type ReplicaData,
  type ShapeData,
} from '../map-data';
import { colorsOf, type DeploymentColors } from './deployment-colors';
import { labelDeployments } from './deployment-labels';
import { countGpus, fullnessOf, type GpuUse, isPriced, sumGpus } from './fleet-figures';

export interface FleetView {
  readonly data: MapData;
  readonly deployments: readonly DeploymentView[];
  readonly clusters: readonly ClusterView[];
  readonly namespaces: readonly string[];
  readonly text: (ref: number) => string;
}

/** @throws Error if the map has no such pool */
export function factsOf({ data }: FleetView, { facts }: PoolData): PoolFactsData {
  const found = data.pools[facts];
  if (!found) throw new Error(`bug: the map has no pool ${facts}`);
  return found;
}

export function poolShapeOf(fleet: FleetView, pool: PoolData): ShapeData {
  return fleet.data.shapes[factsOf(fleet, pool).shape] ?? { kinds: [] };
}

export interface ReplicaStatusView {
  readonly mark: Mark;
  readonly why: readonly string[];
  readonly cost: string;

  /** From where to where it goes, at both ends of a move. */
  readonly move?: string;
}

export function statusOf({ data, text }: FleetView, replica: ReplicaData | undefined): ReplicaStatusView {
  const [mark, why, cost, move] = data.standings[replica?.[1] ?? -1] ?? [0, [], -1];
  const status = { mark: REPLICA_MARKS[mark] ?? 'keep', why: why.map(text), cost: text(cost) };
  return move === undefined ? status : { ...status, move: text(move) };
}

/** Whether a replica is draining in its state, and does not count as one of its deployment. */
export function isDraining([, , , draining]: ReplicaData): boolean {
  return draining === 1;
}

export interface DeploymentView {
  /** The index in `MapData.deployments`. */
  readonly place: number;

  /** `namespace/name`. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;

  /** A few characters, unique among all deployments. */
  readonly label: string;
  readonly look: DeploymentColors;
  readonly data: DeploymentData;
}

/** A cluster in every state of the fleet. */
export interface ClusterView {
  /** The index in `FleetView.clusters`. */
  readonly place: number;
  readonly name: string;

  /** The cluster in each state. Undefined for states without the cluster. */
  readonly states: readonly (ClusterData | undefined)[];

  /** The cluster in the last state that contains it. */
  readonly last: ClusterData;

  /** Whether the last state lacks the cluster: it is in no total and no rank of clusters that exist. */
  readonly removed: boolean;

  /** Whether the states differ, or a replica on the cluster changes. */
  readonly changed: boolean;

  /** Indices of all deployments that have replicas on the cluster in any state. */
  readonly deployments: ReadonlySet<number>;

  /** The part of the GPUs that is taken, from 0 to 1, in the last state that contains the cluster. */
  readonly fullness: number;

  /** The GPUs in each state. Absent for states without the cluster. */
  readonly gpus: readonly (GpuUse | undefined)[];

  /** The region. Empty: unknown. */
  readonly region: string;

  /** The cost a month in each state. Absent for states without the cluster. */
  readonly costs: readonly (AmountData | undefined)[];

  /** How the cost a month changes. Empty: it stays. */
  readonly costChange: string;

  /** The pools and caches of the last state that have no price, not even an estimate. */
  readonly unpriced: readonly string[];

  /** The text for searches: name, facts, pools and classes in lower case. */
  readonly haystack: string;
}

export function buildFleetView(data: MapData): FleetView {
  const text = (ref: number): string => data.texts[ref] ?? '';
  const labels = labelDeployments(data.deployments.map(({ id }) => text(id)));
  const deployments = data.deployments.map((deployment, place): DeploymentView => {
    const id = text(deployment.id);
    const [namespace = '', name = id] = id.split('/');
    return { place, id, namespace, name, label: labels[place] ?? '', look: colorsOf(id), data: deployment };
  });
  const namespaces = [...new Set(deployments.map(({ namespace }) => namespace))];
  const fleet = { data, text, deployments, namespaces, clusters: [] };
  return { ...fleet, clusters: buildClusters(fleet) };
}

function buildClusters(fleet: FleetView): ClusterView[] {
  const { data, text } = fleet;
  const states = data.states.map(
    ({ clusters }) =>
      new Map(
        clusters.flatMap((place): [string, ClusterData][] => {
          const cluster = data.clusters[place];
          return cluster ? [[text(cluster.name), cluster]] : [];
        }),
      ),
  );
  const tables = data.states.map(({ cost }) => cost.tables.find(({ title }) => title === 'Clusters'));
  const costs = tables.map((table) => new Map(table?.rows.map(([[name = -1], amount]) => [text(name), amount])));
  const { rows = [], removed = [] } = tables.at(-1) ?? {};
  const changes = new Map([...rows, ...removed].map(([[name = -1], , , change = -1]) => [text(name), text(change)]));
  const unpriced = findUnpriced(fleet);
  const names = sortedNaturally(new Set(states.flatMap((state) => [...state.keys()])), String);
  return names.flatMap((name, place): ClusterView[] => {
    const inStates = states.map((state) => state.get(name));
    const last = inStates.findLast((one) => one !== undefined);
    const inCosts = costs.map((cost) => cost.get(name));
    const cost = { costs: inCosts, costChange: changes.get(name) ?? '', unpriced: unpriced.get(name) ?? [] };
    return last ? [buildCluster(fleet, { name, place, states: inStates, last, ...cost })] : [];
  });
}

/** Finds what has no price in the last state, by cluster. */
function findUnpriced({ data, text }: FleetView): Map<string, readonly string[]> {
  const tables = data.states.at(-1)?.cost.tables ?? [];
  const rows = tables.filter(({ title }) => title === 'Pools' || title === 'Caches').flatMap((table) => table.rows);
  const unpriced = rows.filter(([, amount]) => !isPriced(amount)).map(([name]) => name.map(text));
  const byCluster = groupBy(unpriced, ([cluster = '']) => cluster);
  return new Map([...byCluster].map(([cluster, names]) => [cluster, names.map(([, part = '']) => nameUnpriced(part))]));
}

/** Names a cache as such, because deployments have such names too. Only names of caches have a namespace. */
function nameUnpriced(part: string): string {
  return part.includes('/') ? `the volume of cache ${part}` : part;
}

function buildCluster(
  fleet: FleetView,
  identity: Pick<ClusterView, 'name' | 'place' | 'states' | 'last' | 'costs' | 'costChange' | 'unpriced'>,
): ClusterView {
  const { name, states, last } = identity;
  const replicas = states.flatMap((state) => state?.replicas ?? []);
  const pools = last.pools.map((pool) => factsOf(fleet, pool));
  const gpus = states.map((state) => state && countGpus(fleet.data, state.pools));
  const words = [...last.facts, ...pools.flatMap((pool) => [pool.name, pool.className])].map(fleet.text);
  return {
    ...identity,
    removed: states.at(-1) === undefined,
    changed: new Set(states).size > 1 || replicas.some((one) => statusOf(fleet, one).mark !== 'keep'),
    deployments: new Set(replicas.map(([deployment]) => deployment)),
    fullness: fullnessOf(gpus.findLast((one) => one !== undefined) ?? sumGpus([])),
    gpus,
    region: regionOf(fleet, last),
    haystack: [name, ...words].join(' ').toLowerCase(),
  };
}

const REGION = 'topology.kubernetes.io/region=';

function regionOf({ text }: FleetView, { facts }: ClusterData): string {
  const label = facts.map(text).find((fact) => fact.startsWith(REGION));
  return label?.slice(REGION.length) ?? '';
}

/** Returns the pods of a group of nodes, each with its replicas on all nodes of the group. */
export function groupPodsOf(fleet: FleetView, cluster: ClusterData, group: GroupData): GroupPod[] {
  const [, , pods, replicas] = group;
  return pods.flatMap((place, at): GroupPod[] => {
    const data = fleet.data.pods[place];
    const podReplicas = replicas.filter((_, i) => i % pods.length === at);
    const first = cluster.replicas[podReplicas[0] ?? -1];
    const deployment = first && fleet.deployments[first[0]];
    if (!data || !deployment) return [];
    const { mark } = statusOf(fleet, first);
    const phase = PHASES[data[4] ?? 0] ?? '';
    return [{ at, data, phase, deployment, mark, replicas: [...new Set(podReplicas)] }];
  });
}

export interface GroupPod {
  /** The position in the group. */
  readonly at: number;
  readonly data: PodData;

  /** Empty: the engine does all. */
  readonly phase: Phase;
  readonly deployment: DeploymentView;

  /** What happens to the replicas; the same for all. */
  readonly mark: Mark;

  /** Indices of the replicas in `ClusterData.replicas`. */
  readonly replicas: readonly number[];
}
