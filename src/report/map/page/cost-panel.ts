import type { CostRow } from '../map-data';
import { createElement, fillList } from './dom';
import type { FleetView } from './fleet-view';

/** What the fleet costs: all of it, then by cluster, pool, cache, namespace and deployment; before too, if there is one. */
export function buildCostPanel(fleet: FleetView): Node[] {
  const { states } = fleet.data;
  const [last, before] = [states.at(-1), states.length > 1 ? states[0] : undefined];
  if (!last) return [];
  return [
    ...(before
      ? [
          createElement('h3', {}, 'Before'),
          ...paragraphs(before.cost.lines),
          createElement('h3', {}, 'After'),
        ]
      : []),
    ...paragraphs(last.cost.lines),
    ...sources(last.cost.sources),
    ...last.cost.tables.map(({ title, rows }, at) => {
      const old = before?.cost.tables.find((table) => table.title === title)?.rows;
      const box = createElement(
        'details',
        { open: at === 0 },
        createElement('summary', {}, `${title} (${rows.length})`),
      );
      box.append(...table(fleet, rows, old, last.cost.unit));
      return box;
    }),
  ];
}

function paragraphs(lines: readonly string[]): HTMLElement[] {
  const words = lines.length > 0 ? lines : ['There is nothing to pay for.'];
  return words.map((line) => createElement('p', {}, line));
}

/** By number, as the last column of the tables names them. */
function sources(texts: readonly string[]): HTMLElement[] {
  if (texts.length === 0) return [];
  return [
    createElement('p', {}, 'Prices:'),
    createElement('ol', {}, ...texts.map((text) => createElement('li', {}, text))),
  ];
}

function table(
  fleet: FleetView,
  rows: readonly CostRow[],
  old: readonly CostRow[] | undefined,
  unit: string,
): Node[] {
  const before = new Map(old?.map((row) => [row[0].join(), row]));
  const there = new Set(rows.map(([name]) => name.join()));
  const gone = (old ?? []).filter(([name]) => !there.has(name.join()));
  const titles = ['', ...(old ? ['before'] : []), `${unit} an hour`, 'a month', 'prices'];
  const body = createElement('tbody');
  const line = ([name, hour, month, prices]: CostRow, isGone: boolean): HTMLElement => {
    const was = before.get(name.join());
    const now = isGone ? ['gone', ''] : [hour, month].map(fleet.text);
    const others = was && was[3] !== prices ? fleet.text(was[3]) : '';
    const numbers = [fleet.text(prices), others && `before ${others}`].filter((text) => text !== '');
    return createElement(
      'tr',
      { class: old && was?.[1] !== hour ? 'changed' : undefined },
      createElement('th', { scope: 'row' }, name.map(fleet.text).join(' / ')),
      ...(old ? [createElement('td', {}, was ? fleet.text(was[1]) : 'not there')] : []),
      ...[...now, numbers.join(', ')].map((text) => createElement('td', {}, text)),
    );
  };
  const all = [...rows.map((row) => ({ row, isGone: false })), ...gone.map((row) => ({ row, isGone: true }))];
  const more = fillList(body, all, ({ row, isGone }) => line(row, isGone));
  const head = createElement(
    'thead',
    {},
    createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title))),
  );
  return [createElement('table', {}, head, body), more];
}
