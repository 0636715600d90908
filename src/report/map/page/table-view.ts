import { formatCount } from '../../../base/figures';
import { stateNameOf } from './cluster-card';
import { createFootnote, createSources } from './cost-panel';
import { formatMeterPercent } from './display-text';
import { createElement, fillList } from './dom';
import { countPoolDevices, countPoolNodes, formatNodeBounds } from './fleet-figures';
import { type ClusterView, factsOf, type FleetView, groupPodsOf } from './fleet-view';
import type { ClusterData, PoolData } from '../map-data';

const TITLES = ['cluster', 'pool', 'class', 'nodes', 'devices taken', 'deployments', 'price of a node an hour'];

/** Builds the map as a table of pools, as a text alternative. On narrow screens, it scrolls sideways. */
export function buildTextTable(fleet: FleetView, clusters: readonly ClusterView[]): Node[] {
  const rows = clusters.flatMap((cluster) => listPools(cluster));
  const titles = fleet.data.states.length > 1 ? ['when', ...TITLES] : TITLES;
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  const [body, more] = fillList(createElement('tbody'), rows, (row) => createRow(fleet, row));
  const caption = createElement('caption', {}, 'Pools of the clusters shown');
  const table = createElement('table', { class: 'pools' }, caption, createElement('thead', {}, head), body);
  const isPriced = rows.some(({ pool }) => factsOf(fleet, pool).sources?.length);
  return [
    createElement('div', { class: 'sideways', role: 'region', 'aria-label': 'Table of pools', tabindex: 0 }, table),
    more,
    ...(isPriced ? createSources(fleet.data.states.at(-1)?.cost.sources ?? []) : []),
  ];
}

interface PoolRow {
  readonly cluster: ClusterView;
  readonly state: number;
  readonly data: ClusterData;
  readonly pool: PoolData;
}

function listPools(cluster: ClusterView): PoolRow[] {
  return cluster.states.flatMap((data, state) =>
    data ? data.pools.map((pool) => ({ cluster, state, data, pool })) : [],
  );
}

function createRow(fleet: FleetView, { cluster, state, data, pool }: PoolRow): HTMLElement {
  const { name, className, price, sources = [] } = factsOf(fleet, pool);
  return createElement(
    'tr',
    {},
    fleet.data.states.length > 1 ? createCell(stateNameOf(fleet, state)) : undefined,
    createCell(cluster.name),
    createElement('th', { scope: 'row' }, fleet.text(name)),
    createCell(fleet.text(className)),
    createCell(formatNodeBounds(countPoolNodes(fleet.data, [pool]))),
    createCell(takenText(fleet, pool)),
    createElement('td', { class: 'names' }, ...listDeployments(fleet, data, pool)),
    createCell(fleet.text(price), createFootnote(sources.map((place) => place + 1).join(', '))),
  );
}

/** `2 of 4 (50 %), 8 can be added`. */
function takenText(fleet: FleetView, pool: PoolData): string {
  const { running, addable } = countPoolDevices(factsOf(fleet, pool), pool);
  const part = running > 0 ? ` (${formatMeterPercent(pool.taken / running)})` : '';
  const added = addable > 0 ? `, ${formatCount(addable)} can be added` : '';
  return `${pool.taken} of ${formatCount(running)}${part}${added}`;
}

function createCell(...content: readonly (Node | string | undefined)[]): HTMLElement {
  return createElement('td', {}, ...content);
}

/** The names of the deployments of a pool. Lines break only between names. */
function listDeployments(fleet: FleetView, data: ClusterData, pool: PoolData): (Node | string)[] {
  const pods = pool.groups.flatMap((group) => groupPodsOf(fleet, data, group));
  const names = [...new Set(pods.map(({ deployment }) => deployment.id))].sort();
  return names.flatMap((name, at) => [...(at > 0 ? [', '] : []), createElement('span', {}, name)]);
}
