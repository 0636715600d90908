import {
  type ClusterData,
  type DeploymentData,
  type GroupData,
  type MapData,
  type Mark,
  MARKS,
  type PodData,
  type PoolData,
  type PoolFactsData,
  type ReplicaData,
  type ShapeData,
} from '../map-data';
import { colorsOf, type DeploymentColors } from './deployment-colors';

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

export function shapeOf(fleet: FleetView, pool: PoolData): ShapeData {
  return fleet.data.shapes[factsOf(fleet, pool).shape] ?? { kinds: [] };
}

export interface ReplicaStatusView {
  readonly mark: Mark;
  readonly why: readonly string[];
  readonly cost: string;
}

export function statusOf({ data, text }: FleetView, replica: ReplicaData | undefined): ReplicaStatusView {
  const [mark, why, cost] = data.standings[replica?.[1] ?? -1] ?? [0, [], -1];
  return { mark: MARKS[mark] ?? 'keep', why: why.map(text), cost: text(cost) };
}

export interface DeploymentView {
  /** The index in `MapData.deployments`. */
  readonly place: number;

  /** `namespace/name`. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
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

  /** Whether the states differ, or a replica on the cluster changes. */
  readonly changed: boolean;

  /** Indices of all deployments that have replicas on the cluster in any state. */
  readonly deployments: ReadonlySet<number>;

  /** The part of the devices that is taken, from 0 to 1, in the last state that contains the cluster. */
  readonly fullness: number;

  /** The text for searches: name, facts, pools and classes in lower case. */
  readonly haystack: string;
}

export function buildFleetView(data: MapData): FleetView {
  const text = (ref: number): string => data.texts[ref] ?? '';
  const deployments = data.deployments.map((deployment, place): DeploymentView => {
    const id = text(deployment.id);
    const [namespace = '', name = id] = id.split('/');
    return { place, id, namespace, name, look: colorsOf(id), data: deployment };
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
  const names = [...new Set(states.flatMap((state) => [...state.keys()]))].sort();
  return names.flatMap((name, place): ClusterView[] => {
    const inStates = states.map((state) => state.get(name));
    const last = inStates.findLast((one) => one !== undefined);
    return last ? [buildCluster(fleet, { name, place, states: inStates, last })] : [];
  });
}

function buildCluster(
  fleet: FleetView,
  identity: Pick<ClusterView, 'name' | 'place' | 'states' | 'last'>,
): ClusterView {
  const { name, states, last } = identity;
  const replicas = states.flatMap((state) => state?.replicas ?? []);
  const pools = last.pools.map((pool) => factsOf(fleet, pool));
  const words = [...last.facts, ...pools.flatMap((pool) => [pool.name, pool.className])].map(fleet.text);
  return {
    ...identity,
    changed: new Set(states).size > 1 || replicas.some((one) => statusOf(fleet, one).mark !== 'keep'),
    deployments: new Set(replicas.map(([deployment]) => deployment)),
    fullness: fullnessOf(fleet, last.pools),
    haystack: [name, ...words].join(' ').toLowerCase(),
  };
}

/** Returns the part of the devices of pools that is taken, from 0 to 1. */
export function fullnessOf(fleet: FleetView, pools: readonly PoolData[]): number {
  const devices = pools.reduce((sum, pool) => sum + factsOf(fleet, pool).devices, 0);
  return devices === 0 ? 0 : pools.reduce((sum, pool) => sum + pool.taken, 0) / devices;
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
    return [{ at, data, deployment, mark, replicas: [...new Set(podReplicas)] }];
  });
}

export interface GroupPod {
  /** The position in the group. */
  readonly at: number;
  readonly data: PodData;
  readonly deployment: DeploymentView;

  /** What happens to the replicas; the same for all. */
  readonly mark: Mark;

  /** Indices of the replicas in `ClusterData.replicas`. */
  readonly replicas: readonly number[];
}
