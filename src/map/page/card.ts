import type { ClusterData, PoolData } from '../map-data';
import { el } from './dom';
import { type Cluster, factsOf, type Fleet, fullnessOf, standingOf } from './fleet';
import { nodeCell } from './node-cell';
import { MARK_WORDS, percent, plural } from './words';

/** The states of the fleet that cards show, side by side. */
export type Shown = readonly number[];

/** A cluster as a card whose pools are not drawn yet: it has about the height that it will have. */
export function cardOf(cluster: Cluster): HTMLElement {
  const card = el('section', {
    class: 'card',
    role: 'rowgroup',
    'data-cluster': cluster.place,
    'aria-label': `cluster ${cluster.name}`,
  });
  const pools = Math.max(1, cluster.last.pools.length);
  card.style.setProperty('--pools', String(pools));
  return card;
}

/** How many rows of the grid a cluster takes. */
export function rowsOf(fleet: Fleet, cluster: Cluster, shown: Shown): number {
  return poolNames(fleet, cluster).length * shown.length;
}

/** Draws what is on a cluster into its card. */
export function drawCard(card: HTMLElement, fleet: Fleet, cluster: Cluster, shown: Shown): void {
  const columns = el('div', { class: 'columns', role: 'presentation' });
  const pools = poolNames(fleet, cluster);
  for (const name of pools) {
    for (const state of shown) {
      const data = cluster.states[state];
      const pool = data?.pools.find((one) => factsOf(fleet, one).name === name);
      columns.append(poolRow(fleet, { name, pool, cluster: data, state }, shown.length > 1));
    }
  }
  columns.style.setProperty('--states', String(shown.length));
  const empty = pools.length === 0 ? el('p', { class: 'none' }, 'No pools.') : undefined;
  card.replaceChildren(
    ...[header(fleet, cluster, shown), headings(fleet, shown), columns, empty].filter(isThere),
  );
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function poolNames(fleet: Fleet, { states }: Cluster): number[] {
  const names = states.flatMap((state) => state?.pools.map((pool) => factsOf(fleet, pool).name) ?? []);
  return [...new Set(names)].sort((a, b) => (fleet.text(a) < fleet.text(b) ? -1 : 1));
}

function header(fleet: Fleet, cluster: Cluster, shown: Shown): HTMLElement {
  const there = shown.map((state) => cluster.states[state] !== undefined);
  const only = there.includes(false) ? (there[0] ? 'goes' : 'new') : undefined;
  return el(
    'header',
    { role: 'presentation' },
    el('h3', {}, cluster.name),
    ...[only, ...changesOn(fleet, cluster)]
      .filter(isThere)
      .map((text) => el('span', { class: 'chip' }, text)),
    el('span', { class: 'facts' }, factsText(fleet, cluster.last)),
    el('div', { class: 'sums' }, meter(cluster.fullness), el('span', {}, costText(fleet, cluster.last))),
  );
}

/** What a cluster costs an hour, as it is last. */
function costText({ data: { states }, text }: Fleet, { name }: ClusterData): string {
  const cost = states.at(-1)?.cost;
  const row = cost?.tables.find(({ title }) => title === 'Clusters')?.rows.find(([one]) => one[0] === name);
  if (!cost || !row) return '';
  return `${cost.unit} an hour: ${text(row[1])}`;
}

/** Region and provider, where labels say so; and taints. */
function factsText(fleet: Fleet, { facts }: ClusterData): string {
  const words = facts.map(fleet.text);
  const short = words.flatMap((fact) => {
    const [, value] =
      /^(?:topology\.kubernetes\.io\/region|fleetwright\.dev\/provider)=(.*)$/.exec(fact) ?? [];
    return value !== undefined ? [value] : /^(taint |paused)/.test(fact) ? [fact.replace(/:.*/, '')] : [];
  });
  return [...new Set(short)].join(' · ');
}

/** `+3`, `→1`: how many replicas on a cluster change, and how. One that is there before and after is one. */
function changesOn(fleet: Fleet, { states }: Cluster): string[] {
  const replicas = states.flatMap((state) => state?.replicas ?? []);
  const marks = new Map(replicas.map((one) => [`${one[0]} ${one[2]}`, standingOf(fleet, one).mark] as const));
  return Object.entries(MARK_WORDS).flatMap(([mark, { sign }]) => {
    const count = [...marks.values()].filter((one) => one === mark).length;
    return sign === '' || count === 0 ? [] : [`${sign}${count}`];
  });
}

/** How much is taken, as a bar and as a figure. */
export function meter(part: number): HTMLElement {
  const bar = el('span', { class: 'bar', 'aria-hidden': true });
  bar.style.setProperty('--part', String(part));
  return el('span', { class: 'meter' }, bar, percent(part));
}

function headings(fleet: Fleet, shown: Shown): HTMLElement | undefined {
  if (shown.length < 2) return undefined;
  const names = shown.map((state) => el('span', {}, stateName(fleet, state)));
  return el('div', { class: 'headings', 'aria-hidden': true }, ...names);
}

/** What a state of the fleet is called where there are two. */
export function stateName({ data: { states } }: Fleet, state: number): string {
  if (states.length < 2) return '';
  return state === 0 ? `Before (${states[0]?.name ?? ''})` : 'After';
}

interface Row {
  readonly name: number;
  readonly pool: PoolData | undefined;
  readonly cluster: ClusterData | undefined;
  readonly state: number;
}

function poolRow(fleet: Fleet, { name, pool, cluster, state }: Row, beside: boolean): HTMLElement {
  const row = el('div', { role: 'row', class: 'pool', 'data-state': state, 'data-pool': fleet.text(name) });
  const when = beside ? `, ${stateName(fleet, state)}` : '';
  const title = `${fleet.text(name)}${when}${pool ? `: ${fillText(fleet, pool)}` : ''}`;
  const head = el('div', { role: 'rowheader', class: 'name', 'aria-label': title });
  head.append(
    el('strong', {}, fleet.text(name)),
    el('small', {}, pool ? `${pool.taken} / ${factsOf(fleet, pool).devices}` : ''),
  );
  if (pool) head.append(meter(fullnessOf(fleet, [pool])));
  const cells = el('div', { class: 'nodes', role: 'presentation' });
  const groups = pool?.groups ?? [];
  if (pool && cluster) {
    cells.append(...groups.map((group, at) => nodeCell({ fleet, cluster, pool }, group, at)));
  }
  const none = pool ? 'no nodes' : 'not there';
  if (groups.length === 0)
    cells.append(el('div', { role: 'gridcell', tabindex: -1, class: 'node none' }, none));
  if (pool?.undrawn)
    cells.append(el('small', { class: 'undrawn' }, `and ${pool.undrawn} pods that are not drawn`));
  row.append(head, cells);
  return row;
}

function fillText(fleet: Fleet, pool: PoolData): string {
  const { devices, nodes } = factsOf(fleet, pool);
  return `${pool.taken} of ${plural(devices, 'device')} taken on ${plural(nodes, 'node')}`;
}
