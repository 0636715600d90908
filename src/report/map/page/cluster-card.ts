import { formatCount } from '../../../base/figures';
import { sortedNaturally } from '../../../base/order';
import { pluralize } from '../../../base/text';
import type { ClusterData, PoolData } from '../map-data';
import { formatClusterCost, formatMonth, formatMeterPercent, holdSigns, MARK_WORDS } from './display-text';
import { createElement } from './dom';
import { countGpus, countPoolDevices, fullnessOf } from './fleet-figures';
import { type ClusterView, factsOf, type FleetView, statusOf } from './fleet-view';
import { createNodeCell } from './node-cell';

/** The indices of the states that cards show side by side. */
export type ShownStates = readonly number[];

/** Creates an empty card for a cluster, with about the height of the drawn card. */
export function createCard(cluster: ClusterView): HTMLElement {
  const card = createElement('section', {
    class: 'card',
    role: 'rowgroup',
    'data-cluster': cluster.place,
    'aria-label': `cluster ${cluster.name}${cluster.region === '' ? '' : `, region ${cluster.region}`}`,
  });
  card.style.setProperty('--pools', String(Math.max(1, cluster.last.pools.length)));
  return card;
}

export function countRows(fleet: FleetView, cluster: ClusterView, shown: ShownStates): number {
  return poolNames(fleet, cluster).length * shown.length;
}

export function drawCard(card: HTMLElement, fleet: FleetView, cluster: ClusterView, shown: ShownStates): void {
  const columns = createElement('div', { class: 'columns', role: 'presentation' });
  const pools = poolNames(fleet, cluster);
  for (const name of pools) {
    for (const state of shown) {
      const data = cluster.states[state];
      const pool = data?.pools.find((candidate) => factsOf(fleet, candidate).name === name);
      columns.append(createPoolRow(fleet, { name, pool, cluster: data, state }, shown.length > 1));
    }
  }
  columns.style.setProperty('--states', String(shown.length));
  card.replaceChildren(createHeader(fleet, cluster, shown), ...createHeadings(fleet, shown), columns);
  if (pools.length === 0) card.append(createElement('p', { class: 'none' }, 'No pools.'));
}

function poolNames(fleet: FleetView, { states }: ClusterView): number[] {
  const names = states.flatMap((state) => state?.pools.map((pool) => factsOf(fleet, pool).name) ?? []);
  return sortedNaturally(new Set(names), fleet.text);
}

function createHeader(fleet: FleetView, cluster: ClusterView, shown: ShownStates): HTMLElement {
  const exists = shown.map((state) => cluster.states[state] !== undefined);
  const change = exists.includes(false) ? [exists[0] ? 'removed' : 'new'] : [];
  const chips = [...change, ...changesOn(fleet, cluster)];
  const cost = createElement('span', {}, holdSigns(costText(fleet, cluster)));
  return createElement(
    'header',
    { role: 'presentation' },
    createElement('h3', {}, cluster.name),
    ...chips.map((text) => createElement('span', { class: 'chip' }, text)),
    createElement('span', { class: 'facts' }, factsText(fleet, cluster.last)),
    createElement('div', { class: 'sums' }, createMeter(cluster.fullness), cost),
  );
}

/** Formats the cost of a cluster, and by how much it changes. */
function costText({ data: { states } }: FleetView, { costs, costChange, unpriced, removed }: ClusterView): string {
  if (removed) return `was ${formatMonth(costs[0], states[0]?.cost.currency ?? '')} a month`;
  const cost = { amount: costs.at(-1), change: costChange, unpriced };
  return formatClusterCost(cost, states.at(-1)?.cost.currency ?? '');
}

/** Formats the region and provider from labels, taints, and whether the cluster is paused. */
function factsText(fleet: FleetView, { facts }: ClusterData): string {
  const words = facts.map(fleet.text);
  const shortened = words.flatMap((fact) => {
    const [, value] = /^(?:topology\.kubernetes\.io\/region|fleetwright\.dev\/provider)=(.*)$/.exec(fact) ?? [];
    return value !== undefined ? [value] : /^(taint |paused)/.test(fact) ? [fact.replace(/:.*/, '')] : [];
  });
  return [...new Set(shortened)].join(' · ');
}

/** Formats the number of replicas on a cluster by change: `+3`, `→1`. A replica in both states counts once. */
function changesOn(fleet: FleetView, { states }: ClusterView): string[] {
  const replicas = states.flatMap((state) => state?.replicas ?? []);
  const marks = new Map(replicas.map((one) => [`${one[0]} ${one[2]}`, statusOf(fleet, one).mark] as const));
  return Object.entries(MARK_WORDS).flatMap(([mark, { sign }]) => {
    const count = [...marks.values()].filter((one) => one === mark).length;
    return sign === '' || count === 0 ? [] : [`${sign}${count}`];
  });
}

function createMeter(part: number): HTMLElement {
  const bar = createElement('span', { class: 'bar', 'aria-hidden': true });
  bar.style.setProperty('--part', String(part));
  return createElement('span', { class: 'meter' }, bar, formatMeterPercent(part));
}

function createHeadings(fleet: FleetView, shown: ShownStates): HTMLElement[] {
  if (shown.length < 2) return [];
  const names = shown.map((state) => createElement('span', {}, stateNameOf(fleet, state)));
  return [createElement('div', { class: 'headings', 'aria-hidden': true }, ...names)];
}

/** Returns the display name of a state. Empty if there is only one state. */
export function stateNameOf({ data: { states } }: FleetView, state: number): string {
  if (states.length < 2) return '';
  return state === 0 ? 'Before' : 'After';
}

interface PoolRow {
  readonly name: number;
  readonly pool: PoolData | undefined;
  readonly cluster: ClusterData | undefined;
  readonly state: number;
}

function createPoolRow(fleet: FleetView, { name, pool, cluster, state }: PoolRow, isComparison: boolean): HTMLElement {
  const row = createElement('div', { role: 'row', class: 'pool', 'data-state': state, 'data-pool': fleet.text(name) });
  const when = isComparison ? `, ${stateNameOf(fleet, state)}` : '';
  const gpus = pool && countGpus(fleet.data, [pool]);
  const title = `${fleet.text(name)}${when}${pool ? `: ${fillText(fleet, pool)}` : ''}`;
  const head = createElement(
    'div',
    { role: 'rowheader', class: 'name', 'aria-label': title },
    createElement('strong', {}, fleet.text(name)),
    createElement('small', {}, gpus ? `${gpus.used + gpus.rollouts} / ${gpus.total}` : ''),
    gpus && createMeter(fullnessOf(gpus)),
  );
  const cells = createElement('div', { class: 'nodes', role: 'presentation' });
  const groups = pool?.groups ?? [];
  if (pool && cluster) {
    cells.append(...groups.map((group, at) => createNodeCell({ fleet, cluster, pool }, group, at)));
  }
  const none = pool ? 'no nodes' : 'no such pool';
  if (groups.length === 0)
    cells.append(createElement('div', { role: 'gridcell', tabindex: -1, class: 'node none' }, none));
  if (pool?.undrawn)
    cells.append(createElement('small', { class: 'undrawn' }, `and ${pool.undrawn} pods that are not drawn`));
  row.append(head, cells);
  return row;
}

function fillText(fleet: FleetView, pool: PoolData): string {
  const { running, addable, runningNodes } = countPoolDevices(factsOf(fleet, pool), pool);
  const added = addable > 0 ? `, ${formatCount(addable)} can be added` : '';
  return `${pool.taken} of ${pluralize(running, 'device')} taken on ${pluralize(runningNodes, 'node')}${added}`;
}
