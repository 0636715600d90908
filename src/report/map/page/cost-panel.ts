import type { CostRow } from '../map-data';
import { createElement, fillList } from './dom';
import type { FleetView } from './fleet-view';

/** Builds the panel of costs: the total, then tables. A comparison also shows the costs before. */
export function buildCostPanel(fleet: FleetView): Node[] {
  const { states } = fleet.data;
  const [last, before] = [states.at(-1), states.length > 1 ? states[0] : undefined];
  if (!last) return [];
  return [
    ...(before
      ? [createElement('h3', {}, 'Before'), ...paragraphs(before.cost.lines), createElement('h3', {}, 'After')]
      : []),
    ...paragraphs(last.cost.lines),
    ...sources(last.cost.sources),
    ...last.cost.tables.map(({ title, rows }, at) => {
      const oldRows = before?.cost.tables.find((table) => table.title === title)?.rows;
      const summary = createElement('summary', {}, `${title} (${rows.length})`);
      return createElement('details', { open: at === 0 }, summary, ...table(fleet, rows, oldRows));
    }),
  ];
}

function paragraphs(lines: readonly string[]): HTMLElement[] {
  const words = lines.length > 0 ? lines : ['There is nothing to pay for.'];
  return words.map((line) => createElement('p', {}, line));
}

/** Creates the list of price sources, numbered as in the last column of the tables. */
function sources(texts: readonly string[]): HTMLElement[] {
  if (texts.length === 0) return [];
  return [
    createElement('p', {}, 'Prices:'),
    createElement('ol', {}, ...texts.map((text) => createElement('li', {}, text))),
  ];
}

function table(fleet: FleetView, rows: readonly CostRow[], oldRows: readonly CostRow[] | undefined): Node[] {
  const before = new Map(oldRows?.map((row) => [row[0].join(), row]));
  const names = new Set(rows.map(([name]) => name.join()));
  const removed = (oldRows ?? []).filter(([name]) => !names.has(name.join()));
  const titles = ['', ...(oldRows ? ['before'] : []), 'an hour', 'a month', 'prices'];
  const body = createElement('tbody');
  const line = ([name, hour, month, prices]: CostRow, isRemoved: boolean): HTMLElement => {
    const was = before.get(name.join());
    const now = isRemoved ? ['gone', ''] : [hour, month].map(fleet.text);
    const others = was && was[3] !== prices ? fleet.text(was[3]) : '';
    const numbers = [fleet.text(prices), others && `before ${others}`].filter((text) => text !== '');
    return createElement(
      'tr',
      { class: oldRows && was?.[1] !== hour ? 'changed' : undefined },
      createElement('th', { scope: 'row' }, name.map(fleet.text).join(' / ')),
      ...(oldRows ? [createElement('td', {}, was ? fleet.text(was[1]) : 'not there')] : []),
      ...[...now, numbers.join(', ')].map((text) => createElement('td', {}, text)),
    );
  };
  const all = [...rows.map((row) => ({ row, isRemoved: false })), ...removed.map((row) => ({ row, isRemoved: true }))];
  const [, more] = fillList(body, all, ({ row, isRemoved }) => line(row, isRemoved));
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  return [createElement('table', {}, createElement('thead', {}, head), body), more];
}
