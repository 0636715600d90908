import type { ClusterData, DemandData, PoolData, RequestData } from '../map-data';
import { stateName } from './card';
import { el, fill } from './dom';
import { type Deployment, factsOf, type Fleet, type GroupPod, podsOf, shapeOf, standingOf } from './fleet';
import type { Selection } from './selection';
import { swatch } from './swatch';
import { amountsText, MARK_WORDS, takenText, NODE_WORDS, nodeKind, plural } from './words';

/** All that is known of some equal nodes: what they are, whose pods are on them, and why. */
export function details(fleet: Fleet, selection: Selection): HTMLElement[] {
  const { cluster, data, pool, group, state, pod } = selection;
  const [count] = group;
  const seated = podsOf(fleet, data, group);
  const shown = pod === undefined ? seated : seated.filter(({ at }) => at === pod);
  const others = seated.length - shown.length;
  const when = stateName(fleet, state);
  return [
    el('h3', {}, `${cluster.name} / ${fleet.text(factsOf(fleet, pool).name)}`),
    el('p', { class: 'muted' }, [...(when ? [when] : []), countText(count)].join(', ')),
    ...shown.map((one) => podDetails(fleet, one, selection)),
    ...(others > 0 ? [el('p', { class: 'muted' }, `${plural(others, 'other pod')} on the same node.`)] : []),
    nodeFacts(fleet, selection),
  ];
}

function countText(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes that hold the same`;
}

const NARROWS = 'it narrows where pods land, and nothing is taken of it';

/** What the nodes are, and how much of each thing is taken. */
function nodeFacts(fleet: Fleet, { pool, group, data }: Selection): HTMLElement {
  const [, kind, pods] = group;
  const { kinds } = shapeOf(fleet, pool);
  const { className, price, reserved } = factsOf(fleet, pool);
  const amounts = kinds.flatMap((one, at): Fact[] => {
    const taken = pods.reduce((sum, pod) => sum + (fleet.data.pods[pod]?.[2][at] ?? 0), 0);
    return one.synthetic ? [] : [['taken', takenText(one, taken)]];
  });
  const synthetic = kinds
    .filter((one) => one.synthetic)
    .map(({ name }): Fact => ['synthetic', `${name}: ${NARROWS}`]);
  const others: Fact[] = reserved === undefined ? [] : [['used by others', fleet.text(reserved)]];
  return facts([
    ['node', NODE_WORDS[nodeKind(kind)].text],
    ['class', fleet.text(className)],
    ...amounts,
    ...synthetic,
    ...others,
    ['pool', poolText(fleet, pool)],
    ['price an hour', fleet.text(price)],
    ...data.facts.map((fact): Fact => ['cluster', fleet.text(fact)]),
    ['arrangement', 'One that fits. The cluster chooses nodes and devices itself.'],
  ]);
}

function poolText(fleet: Fleet, pool: PoolData): string {
  const { nodes, always, packing } = factsOf(fleet, pool);
  const scaled = always < nodes ? `, ${always} of them always` : '';
  const sure = `promises need ${pool.promised} of ${plural(nodes, 'node')}${scaled}`;
  return `${sure}; packing ${fleet.text(packing)}`;
}

type Fact = readonly [name: string, value: string];

function facts(rows: readonly Fact[]): HTMLElement {
  const list = el('dl', {});
  let last = '';
  for (const [name, value] of rows) {
    if (name !== last) list.append(el('dt', {}, name));
    list.append(el('dd', {}, value));
    last = name;
  }
  return list;
}

/** A pod: whose it is, what it takes, which replicas it is of and what happens to them. */
function podDetails(
  fleet: Fleet,
  { deployment, data, replicas }: GroupPod,
  selection: Selection,
): HTMLElement {
  const [engine, role, takes, surge] = data;
  const shape = shapeOf(fleet, selection.pool);
  const what = `engine ${fleet.text(engine)}, ${fleet.text(role)}: ${amountsText(shape, takes)}`;
  const list = el('ul', { class: 'replicas' });
  const more = fill(list, replicas, (place) => replicaItem(fleet, selection.data, place));
  return el(
    'article',
    { class: 'pod' },
    el('h4', {}, swatch(deployment), deployment.id),
    el('p', {}, what),
    surge ? el('p', {}, 'Kept for rollouts: it is there only while replicas are replaced.') : undefined,
    list,
    more,
    asks(fleet, deployment),
  );
}

function replicaItem(fleet: Fleet, { name, replicas }: ClusterData, place: number): HTMLElement {
  const replica = replicas[place];
  if (!replica) return el('li', {});
  const { mark, why, cost } = standingOf(fleet, replica);
  return el(
    'li',
    { class: mark },
    el('strong', {}, `${fleet.text(name)}/${replica[2]} ${MARK_WORDS[mark].sign}`),
    ` ${cost}`,
    ...why.map((sentence) => el('p', {}, sentence)),
  );
}

/** What a deployment asks for, and so why its replicas may be where they are. */
export function asks(fleet: Fleet, { data }: Deployment): HTMLElement {
  const box = el('details', {}, el('summary', {}, 'What it asks for'));
  const demand = data.demand === undefined ? undefined : fleet.data.demands[data.demand];
  if (!demand) {
    box.append(el('p', {}, 'It is not declared any more.'));
    return box;
  }
  box.append(
    facts([
      ['replicas', String(data.replicas)],
      ['priority', String(data.priority)],
      ['clusters', demand.policy],
      ...demand.where.map((ref): Fact => ['clusters', fleet.text(ref)]),
      ...(data.change === undefined ? [] : [['change', fleet.text(data.change)] as const]),
    ]),
    ...engines(fleet, demand),
  );
  return box;
}

function engines(fleet: Fleet, demand: DemandData): HTMLElement[] {
  return demand.engines.flatMap(({ name, members }) =>
    members.flatMap(({ role, pods, surge, requests }) => {
      const spare = surge > 0 ? `, ${surge} of them for rollouts` : '';
      const title = `Engine ${name}, ${role}: ${plural(pods, 'pod')}${spare}`;
      return [el('h5', {}, title), ...requests.flatMap((request) => requestText(fleet, request))];
    }),
  );
}

function requestText(fleet: Fleet, { name, count, selectors }: RequestData): HTMLElement[] {
  return [
    el('p', {}, `${count} ${name}${selectors.length > 0 ? ' with' : ''}`),
    ...selectors.map((ref) => el('code', {}, fleet.text(ref))),
  ];
}
