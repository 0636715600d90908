import { formatSignedAmount } from '../../../base/money';
import type { AmountData, CostData, CostRow } from '../map-data';
import { formatMonth } from './display-text';
import { createElement, fillList } from './dom';
import { mostOf } from './fleet-figures';
import type { FleetView } from './fleet-view';

/** Builds the panel of costs a month: the parts of the total, then a table for each way to divide it. */
export function buildCostPanel(fleet: FleetView): Node[] {
  const { states } = fleet.data;
  const [last, before] = [states.at(-1)?.cost, states.length > 1 ? states[0]?.cost : undefined];
  if (!last) return [];
  if (last.tables.length === 0) return [createElement('p', {}, 'Nothing has a cost.')];
  const summed: Priced[] = [['Total', last.total, before?.total], ...partsOf(last, before)];
  return [
    createElement('p', { class: 'muted' }, `${last.currency} a month of ${last.hoursPerMonth} hours`),
    table(summed, last.currency, before !== undefined),
    ...(last.unpriced.length > 0 ? [unpriced(last.unpriced)] : []),
    ...last.tables.map(({ title, rows }, at) => {
      const oldRows = before && (before.tables.find((one) => one.title === title)?.rows ?? []);
      const summary = createElement('summary', {}, `${title} (${rows.length})`);
      const box = createElement('details', { open: at === 0 }, summary);
      box.append(...pricedTable(pricedRows(fleet, rows, oldRows), last.currency, before !== undefined));
      return box;
    }),
    ...sources(last.sources),
  ];
}

/** A name, its cost a month, and its cost before: undefined where it does not exist. */
type Priced = readonly [name: string, now: AmountData | undefined, was: AmountData | undefined, prices?: string];

function partsOf(last: CostData, before: CostData | undefined): Priced[] {
  const old = new Map(before?.parts);
  return last.parts.map(([name, amount]) => [name, amount, old.get(name)]);
}

function pricedRows(fleet: FleetView, rows: readonly CostRow[], oldRows: readonly CostRow[] | undefined): Priced[] {
  const before = new Map(oldRows?.map((row) => [row[0].join(), row]));
  const names = new Set(rows.map(([name]) => name.join()));
  const removed = (oldRows ?? []).filter(([name]) => !names.has(name.join()));
  const nameOf = ([name]: CostRow): string => name.map(fleet.text).join(' / ');
  return [
    ...rows.map((row): Priced => [nameOf(row), row[1], before.get(row[0].join())?.[1], fleet.text(row[2])]),
    ...removed.map((row): Priced => [nameOf(row), undefined, row[1], fleet.text(row[2])]),
  ];
}

function table(rows: readonly Priced[], currency: string, compared: boolean): HTMLElement {
  const [element = createElement('table')] = pricedTable(rows, currency, compared);
  return element;
}

function pricedTable(rows: readonly Priced[], currency: string, compared: boolean): HTMLElement[] {
  const changes = compared && rows.some(([, now, was]) => changeText(now, was, currency) !== '');
  const titles = ['', 'a month', ...(changes ? ['change'] : [])];
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  const body = createElement('tbody');
  const [, more] = fillList(body, rows, (row) => rowOf(row, currency, changes));
  return [createElement('table', { class: 'amounts' }, createElement('thead', {}, head), body), more];
}

function rowOf([name, now, was, prices = '']: Priced, currency: string, compared: boolean): HTMLElement {
  const change = compared ? changeText(now, was, currency) : '';
  const note = prices === '' ? undefined : createElement('sup', { class: 'muted' }, ` ${prices}`);
  return createElement(
    'tr',
    { class: change === '' ? undefined : 'changed' },
    createElement('th', { scope: 'row' }, name, note),
    createElement('td', {}, now === undefined ? '\u2013' : formatMonth(now, currency)),
    compared ? createElement('td', {}, change) : undefined,
  );
}

/** `+$7,300`, `new`, `removed`; empty if the cost stays. */
function changeText(now: AmountData | undefined, was: AmountData | undefined, currency: string): string {
  if (now === undefined) return `removed, was ${formatMonth(was, currency)}`;
  if (was === undefined) return 'new';
  const [before, after] = [mostOf(was), mostOf(now)];
  if (before === after) return JSON.stringify(now) === JSON.stringify(was) ? '' : `was ${formatMonth(was, currency)}`;
  if (before === undefined || after === undefined) return `was ${formatMonth(was, currency)}`;
  return formatSignedAmount(Math.round(after - before), currency);
}

function unpriced(names: readonly string[]): HTMLElement {
  const list = createElement('ul');
  return createElement(
    'details',
    {},
    createElement('summary', {}, `Without a price (${names.length})`),
    ...fillList(list, names, (name) => createElement('li', {}, name)),
  );
}

/** Creates the list of price sources, numbered as in the tables. */
function sources(texts: readonly string[]): HTMLElement[] {
  if (texts.length === 0) return [];
  return [
    createElement('h3', {}, 'Sources of prices'),
    createElement('ol', {}, ...texts.map((text) => createElement('li', {}, text))),
  ];
}
