import {
  type ClusterData,
  type DeploymentData,
  type GroupData,
  type MapData,
  MARKS,
  type PodData,
  type PoolData,
  type PoolFactsData,
  type ReplicaData,
  type ShapeData,
} from '../map-data';
import { colorsOf, type DeploymentColors } from './deployment-colors';

/** What the page knows: the data, and what follows from it. */
export interface FleetView {
  readonly data: MapData;
  readonly deployments: readonly DeploymentView[];

  /** By name. */
  readonly clusters: readonly ClusterView[];
  readonly namespaces: readonly string[];
  readonly text: (ref: number) => string;
}

/** What is declared of a pool. */
export function factsOf({ data }: FleetView, { facts }: PoolData): PoolFactsData {
  const found = data.pools[facts];
  if (!found) throw new Error(`bug: the map has no pool ${facts}`);
  return found;
}

/** What the nodes of a pool have. */
export function shapeOf(fleet: FleetView, pool: PoolData): ShapeData {
  return fleet.data.shapes[factsOf(fleet, pool).shape] ?? { kinds: [] };
}

/** What happens to a replica, why, and what it costs. */
export interface ReplicaStatusView {
  readonly mark: (typeof MARKS)[number];
  readonly why: readonly string[];
  readonly cost: string;
}

export function statusOf({ data, text }: FleetView, replica: ReplicaData | undefined): ReplicaStatusView {
  const [mark, why, cost] = data.standings[replica?.[1] ?? -1] ?? [0, [], -1];
  return { mark: MARKS[mark] ?? 'keep', why: why.map(text), cost: text(cost) };
}

export interface DeploymentView {
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
  readonly place: number;
  readonly name: string;

  /** By state. Absent where the state does not have it. */
  readonly states: readonly (ClusterData | undefined)[];

  /** As it is last. */
  readonly last: ClusterData;

  /** Whether a replica on it changes, or the states differ. */
  readonly changed: boolean;

  /** Places of all deployments that are on it in some state. */
  readonly deployments: ReadonlySet<number>;

  /** What of its devices is taken, from 0 to 1, as it is last. */
  readonly fullness: number;

  /** Name, facts, pools and classes in lower case: what a search looks through. */
  readonly haystack: string;
}

/** What the page shows, worked out once. */
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
  known: Pick<ClusterView, 'name' | 'place' | 'states' | 'last'>,
): ClusterView {
  const { name, states, last } = known;
  const replicas = states.flatMap((state) => state?.replicas ?? []);
  const pools = last.pools.map((pool) => factsOf(fleet, pool));
  const words = [...last.facts, ...pools.flatMap((pool) => [pool.name, pool.className])].map(fleet.text);
  return {
    ...known,
    changed: new Set(states).size > 1 || replicas.some((one) => statusOf(fleet, one).mark !== 'keep'),
    deployments: new Set(replicas.map(([deployment]) => deployment)),
    fullness: fullnessOf(fleet, last.pools),
    haystack: [name, ...words].join(' ').toLowerCase(),
  };
}

/** What of the devices of some pools is taken, from 0 to 1. */
export function fullnessOf(fleet: FleetView, pools: readonly PoolData[]): number {
  const devices = pools.reduce((sum, pool) => sum + factsOf(fleet, pool).devices, 0);
  return devices === 0 ? 0 : pools.reduce((sum, pool) => sum + pool.taken, 0) / devices;
}

/** The pods of a group of nodes, each with the replicas that it is of. */
export function groupPodsOf(fleet: FleetView, { replicas: here }: ClusterData, group: GroupData): GroupPod[] {
  const [, , pods, replicas] = group;
  return pods.flatMap((place, at): GroupPod[] => {
    const data = fleet.data.pods[place];
    const own = replicas.filter((_, i) => i % pods.length === at);
    const first = here[own[0] ?? -1];
    const deployment = first && fleet.deployments[first[0]];
    if (!data || !deployment) return [];
    const { mark } = statusOf(fleet, first);
    return [{ at, data, deployment, mark, replicas: [...new Set(own)] }];
  });
}

export interface GroupPod {
  /** Its place in the group. */
  readonly at: number;
  readonly data: PodData;
  readonly deployment: DeploymentView;

  /** What happens to its replicas: to all the same. */
  readonly mark: ReplicaStatusView['mark'];

  /** Places of its replicas on the cluster. */
  readonly replicas: readonly number[];
}
