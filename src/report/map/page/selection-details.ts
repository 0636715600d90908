import { pluralize } from '../../../base/text';
import type { ClusterData, DemandData, GroupData, PoolData, RequestData } from '../map-data';
import { stateNameOf } from './cluster-card';
import { createSwatch } from './color-swatch';
import { formatAmounts, formatTaken, MARK_WORDS, NODE_WORDS, nodeKindOf } from './display-text';
import { createElement, fillList } from './dom';
import {
  type ClusterView,
  type DeploymentView,
  factsOf,
  type FleetView,
  type GroupPod,
  groupPodsOf,
  poolShapeOf,
  statusOf,
} from './fleet-view';
import { countPoolNodes, formatNodeBounds } from './fleet-figures';
import { countUnusedNodes, FREE_WORDS, freeKindOf } from './free-devices';

/** A group of equal nodes that the reader points at or selected. */
interface NodeSelection {
  readonly cluster: ClusterView;
  readonly state: number;
  readonly data: ClusterData;
  readonly pool: PoolData;
  readonly group: GroupData;

  /** The position in the group of the pod under the pointer. Absent: none. */
  readonly pod?: number;
}

/** Returns the nodes that an element of the map shows, or undefined if it shows none. */
export function findSelection(fleet: FleetView, target: Element): NodeSelection | undefined {
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  const row = target.closest<HTMLElement>('[role="row"]');
  const cluster = fleet.clusters[Number(target.closest<HTMLElement>('.card')?.dataset.cluster)];
  const state = Number(row?.dataset.state);
  const data = cluster?.states[state];
  const pool = data?.pools.find((candidate) => fleet.text(factsOf(fleet, candidate).name) === row?.dataset.pool);
  const group = pool?.groups[Number(cell?.dataset.group)];
  if (!cluster || !data || !pool || !group) return undefined;
  const pod = target.closest<HTMLElement>('.seg')?.dataset.pod;
  return { cluster, state, data, pool, group, ...(pod !== undefined && { pod: Number(pod) }) };
}

/** Builds the details of a group of equal nodes: their facts, the pods on them, and why the pods are there. */
export function buildDetails(fleet: FleetView, selection: NodeSelection): HTMLElement[] {
  const { cluster, data, pool, group, state, pod } = selection;
  const [count] = group;
  const pods = groupPodsOf(fleet, data, group);
  const shown = pod === undefined ? pods : pods.filter(({ at }) => at === pod);
  const others = pods.length - shown.length;
  const when = stateNameOf(fleet, state);
  const nodes = count === 1 ? '1 node' : `${count} nodes with the same pods`;
  return [
    createElement('h3', {}, `${cluster.name} / ${fleet.text(factsOf(fleet, pool).name)}`),
    createElement('p', { class: 'muted' }, [...(when ? [when] : []), nodes].join(', ')),
    ...shown.map((one) => podDetails(fleet, one, selection)),
    ...(others > 0
      ? [createElement('p', { class: 'muted' }, `${pluralize(others, 'other pod')} on the same node.`)]
      : []),
    nodeFacts(fleet, selection),
  ];
}

function nodeFacts(fleet: FleetView, { pool, group, data }: NodeSelection): HTMLElement {
  const [, kind, pods] = group;
  const { kinds } = poolShapeOf(fleet, pool);
  const { className, reserved } = factsOf(fleet, pool);
  const taken = kinds.map((_, at) => pods.reduce((sum, pod) => sum + (fleet.data.pods[pod]?.[2][at] ?? 0), 0));
  const amounts = kinds.flatMap((one, at): Fact[] =>
    one.synthetic ? [] : [['taken', formatTaken(one, taken[at] ?? 0)]],
  );
  const left = kinds.map(({ accelerator, count }, at) => (accelerator ? count - (taken[at] ?? 0) : 0));
  const free = formatAmounts({ kinds }, left);
  const synthetic = kinds
    .filter((one) => one.synthetic)
    .map(({ name }): Fact => ['for selectors', `device ${name}, which selectors read and no pod takes`]);
  const others: Fact[] = reserved === undefined ? [] : [['used by other workloads', fleet.text(reserved)]];
  return facts([
    ['node', NODE_WORDS[nodeKindOf(kind)].text],
    ['class', fleet.text(className)],
    ...amounts,
    ...(free === '' ? [] : [['free', `${free} ${FREE_WORDS[freeKindOf(group)]}`] as const]),
    ...synthetic,
    ...others,
    ['pool', poolText(fleet, pool)],
    ['price an hour', priceText(fleet, pool)],
    ...data.facts.map((fact): Fact => ['cluster', fleet.text(fact)]),
    ['arrangement', 'One that fits. The cluster chooses nodes and devices.'],
  ]);
}

function priceText(fleet: FleetView, pool: PoolData): string {
  const { price, sources = [] } = factsOf(fleet, pool);
  const all = fleet.data.states.at(-1)?.cost.sources ?? [];
  return [fleet.text(price), ...sources.flatMap((place) => all[place] ?? [])].join(', ');
}

function poolText(fleet: FleetView, pool: PoolData): string {
  const { nodes, packing } = factsOf(fleet, pool);
  const size = formatNodeBounds(countPoolNodes(fleet.data, [pool]));
  return `${size} ${nodes === 1 ? 'node' : 'nodes'}, ${countUnusedNodes(pool)} always free of pods; packing ${fleet.text(packing)}`;
}

/** A row of a list of facts. Rows with the same name in sequence share one title. */
type Fact = readonly [name: string, value: string];

function facts(rows: readonly Fact[]): HTMLElement {
  const list = createElement('dl', {});
  let last = '';
  for (const [name, value] of rows) {
    if (name !== last) list.append(createElement('dt', {}, name));
    list.append(createElement('dd', {}, value));
    last = name;
  }
  return list;
}

function podDetails(
  fleet: FleetView,
  { deployment, data, phase, replicas }: GroupPod,
  selection: NodeSelection,
): HTMLElement {
  const [engine, role, takes, surge] = data;
  const shape = poolShapeOf(fleet, selection.pool);
  const does = phase === '' ? '' : `, ${phase.toLowerCase()}`;
  const what = `engine ${fleet.text(engine)}${does}, ${fleet.text(role)}: ${formatAmounts(shape, takes)}`;
  const list = createElement('ul', { class: 'replicas' });
  return createElement(
    'article',
    { class: 'pod' },
    createElement('h4', {}, createSwatch(deployment), deployment.id),
    createElement('p', {}, what),
    surge ? createElement('p', {}, 'For rollouts: it exists only while replicas are replaced.') : undefined,
    ...fillList(list, replicas, (place) => replicaItem(fleet, selection.data, place)),
    buildDemandDetails(fleet, deployment),
  );
}

function replicaItem(fleet: FleetView, { name, replicas }: ClusterData, place: number): HTMLElement {
  const replica = replicas[place];
  if (!replica) return createElement('li', {});
  const { mark, why, cost } = statusOf(fleet, replica);
  return createElement(
    'li',
    { class: mark },
    createElement('strong', {}, `${fleet.text(name)}/${replica[2]} ${MARK_WORDS[mark].sign}`),
    ` ${cost}`,
    ...why.map((sentence) => createElement('p', {}, sentence)),
  );
}

export function buildDemandDetails(fleet: FleetView, { data }: DeploymentView): HTMLElement {
  const title = createElement('summary', {}, 'What it requests');
  const demand = data.demand === undefined ? undefined : fleet.data.demands[data.demand];
  if (!demand) return createElement('details', {}, title, createElement('p', {}, 'It is no longer declared.'));
  return createElement(
    'details',
    {},
    title,
    facts([
      ['replicas', String(data.replicas)],
      ['priority', String(data.priority)],
      ['clusters', demand.policy],
      ...demand.where.map((ref): Fact => ['clusters', fleet.text(ref)]),
      ...(data.change === undefined ? [] : [['change', fleet.text(data.change)] as const]),
    ]),
    ...engines(fleet, demand),
  );
}

function engines(fleet: FleetView, demand: DemandData): HTMLElement[] {
  return demand.engines.flatMap(({ name, members }) =>
    members.flatMap(({ role, pods, surge, scaled = 0, requests }) => {
      const spare = surge > 0 ? `, ${surge} of them for rollouts` : '';
      const least = pods - surge - scaled;
      const count = scaled > 0 ? `${least} to ${pods} pods` : pluralize(pods, 'pod');
      const title = `Engine ${name}, ${role}: ${count}${spare}`;
      return [createElement('h5', {}, title), ...requests.flatMap((request) => requestText(fleet, request))];
    }),
  );
}

function requestText(fleet: FleetView, { name, count, selectors }: RequestData): HTMLElement[] {
  return [
    createElement('p', {}, `${count} ${name}${selectors.length > 0 ? ' with' : ''}`),
    ...selectors.map((ref) => createElement('code', {}, fleet.text(ref))),
  ];
}
