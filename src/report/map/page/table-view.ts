import { stateNameOf } from './cluster-card';
import { formatMeterPercent } from './display-text';
import { createElement, fillList } from './dom';
import { type ClusterView, factsOf, type FleetView, groupPodsOf } from './fleet-view';

const TITLES = ['cluster', 'pool', 'class', 'nodes', 'devices taken', 'deployments', 'price of a node an hour'];

/** Builds the map as a table of pools, as a text alternative. */
export function buildTextTable(fleet: FleetView, clusters: readonly ClusterView[]): Node[] {
  const rows = clusters.flatMap((cluster) => rowsOf(fleet, cluster));
  const titles = fleet.data.states.length > 1 ? ['when', ...TITLES] : TITLES;
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  const body = createElement('tbody');
  const [, more] = fillList(body, rows, (cells) =>
    createElement('tr', {}, ...cells.map((cell) => createElement('td', {}, cell))),
  );
  const caption = createElement('caption', {}, 'Pools of the clusters shown');
  return [createElement('table', {}, caption, createElement('thead', {}, head), body), more];
}

function rowsOf(fleet: FleetView, { name, states }: ClusterView): string[][] {
  return states.flatMap((data, state) =>
    (data?.pools ?? []).map((pool) => {
      const { name: poolName, className, nodes, devices, price } = factsOf(fleet, pool);
      const pods = data ? pool.groups.flatMap((group) => groupPodsOf(fleet, data, group)) : [];
      const names = [...new Set(pods.map(({ deployment }) => deployment.id))].sort();
      const part = devices > 0 ? ` (${formatMeterPercent(pool.taken / devices)})` : '';
      return [
        ...(states.length > 1 ? [stateNameOf(fleet, state)] : []),
        name,
        fleet.text(poolName),
        fleet.text(className),
        String(nodes),
        `${pool.taken} of ${devices}${part}`,
        names.join(', '),
        fleet.text(price),
      ];
    }),
  );
}
