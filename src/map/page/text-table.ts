import { el, fill } from './dom';
import { type Cluster, factsOf, type Fleet, podsOf } from './fleet';
import { stateName } from './card';
import { percent } from './words';

const TITLES = [
  'cluster',
  'pool',
  'class',
  'nodes',
  'devices taken',
  'deployments',
  'price of a node an hour',
];

/** The map as a table of its pools, for those who rather read than look. */
export function textTable(fleet: Fleet, clusters: readonly Cluster[]): Node[] {
  const rows = clusters.flatMap((cluster) => rowsOf(fleet, cluster));
  const titles = fleet.data.states.length > 1 ? ['when', ...TITLES] : TITLES;
  const head = el('tr', {}, ...titles.map((title) => el('th', { scope: 'col' }, title)));
  const body = el('tbody');
  const more = fill(body, rows, (cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell))));
  return [
    el('table', {}, el('caption', {}, 'Pools of the clusters shown'), el('thead', {}, head), body),
    more,
  ];
}

function rowsOf(fleet: Fleet, { name, states }: Cluster): string[][] {
  return states.flatMap((data, state) =>
    (data?.pools ?? []).map((pool) => {
      const { name: poolName, className, nodes, devices, price } = factsOf(fleet, pool);
      const pods = data ? pool.groups.flatMap((group) => podsOf(fleet, data, group)) : [];
      const names = [...new Set(pods.map(({ deployment }) => deployment.id))].sort();
      const part = devices > 0 ? ` (${percent(pool.taken / devices)})` : '';
      return [
        ...(states.length > 1 ? [stateName(fleet, state)] : []),
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
