import { formatCount } from '../../../base/figures';
import type { AmountData, CostRow } from '../map-data';
import { formatMonth, holdSigns } from './display-text';
import { createElement, fillList } from './dom';
import type { FleetView } from './fleet-view';

/** Builds the panel of costs a month: the parts of the total, then a table for each way to divide it. */
export function buildCostPanel(fleet: FleetView): Node[] {
  const cost = fleet.data.states.at(-1)?.cost;
  if (!cost) return [];
  if (cost.tables.length === 0) return [createElement('p', {}, 'Nothing has a cost.')];
  const { currency } = cost;
  const summed: Priced[] = [['Total', cost.total, cost.change ?? ''], ...cost.parts];
  return [
    createElement('p', { class: 'muted' }, `${currency} a month of ${cost.hoursPerMonth} hours`),
    ...pricedTable([summed], currency),
    ...cost.notes.map((note) => createElement('p', { class: 'muted' }, note)),
    ...(cost.unpriced.length > 0 ? [unpriced(cost.unpriced)] : []),
    ...cost.tables.map((one, at) => {
      const { title, rows, removed = [] } = one;
      const count =
        removed.length > 0
          ? `${formatCount(rows.length)}, and ${formatCount(removed.length)} removed`
          : formatCount(rows.length);
      const box = createElement('details', { open: at === 0 }, createElement('summary', {}, `${title} (${count})`));
      const groups = [rows.map((row) => pricedRow(fleet, row)), removed.map((row) => removedRow(fleet, row, currency))];
      box.append(...pricedTable(groups, currency));
      return box;
    }),
    ...createSources(cost.sources),
  ];
}

/** A name, its cost a month as an amount or as text, how it changes, and the numbers of its prices. */
type Priced = readonly [name: string, month: AmountData | string, change: string, prices?: string];

function pricedRow({ text }: FleetView, [name, month, prices, change = -1]: CostRow): Priced {
  return [name.map(text).join(' / '), month, text(change), text(prices)];
}

function removedRow(fleet: FleetView, row: CostRow, currency: string): Priced {
  const [name, month, change, prices] = pricedRow(fleet, row);
  const was = typeof month === 'string' ? month : formatMonth(month, currency);
  return [name, `removed, was ${was}`, change, prices ?? ''];
}

/** Creates a table of groups of rows, which are separated by a line. */
function pricedTable(groups: readonly (readonly Priced[])[], currency: string): HTMLElement[] {
  const changes = groups.some((rows) => rows.some(([, , change]) => change !== ''));
  const titles = ['', 'a month', ...(changes ? ['change'] : [])];
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  const bodies = groups
    .filter((rows) => rows.length > 0)
    .map((rows) => fillList(createElement('tbody'), rows, (row) => rowOf(row, currency, changes)));
  const table = createElement('table', { class: 'amounts' }, createElement('thead', {}, head));
  table.append(...bodies.map(([body]) => body));
  return [table, ...bodies.map(([, more]) => more)];
}

function rowOf([name, month, change, prices = '']: Priced, currency: string, compared: boolean): HTMLElement {
  return createElement(
    'tr',
    { class: change === '' ? undefined : 'changed' },
    createElement('th', { scope: 'row' }, name, createFootnote(prices)),
    createElement('td', {}, holdSigns(typeof month === 'string' ? month : formatMonth(month, currency))),
    compared ? createElement('td', {}, holdSigns(change)) : undefined,
  );
}

function unpriced(names: readonly string[]): HTMLElement {
  const list = createElement('ul');
  return createElement(
    'details',
    {},
    createElement('summary', {}, `Without a price (${formatCount(names.length)})`),
    ...fillList(list, names, (name) => createElement('li', {}, name)),
  );
}

/** Creates the list of price sources, numbered as in the tables. */
export function createSources(texts: readonly string[]): HTMLElement[] {
  if (texts.length === 0) return [];
  const items = texts.map((text) => createElement('li', {}, text));
  return [createElement('h3', {}, 'Sources of prices'), createElement('ol', {}, ...items)];
}

/** Creates the numbers of price sources, to show after a name or an amount. Undefined if there are none. */
export function createFootnote(numbers: string): HTMLElement | undefined {
  return numbers === '' ? undefined : createElement('sup', { class: 'muted' }, ` ${numbers}`);
}
