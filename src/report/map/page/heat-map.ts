import { type ClusterOrder, costOf } from './cluster-filter';
import { formatMonth, formatMeterPercent, shortenNames } from './display-text';
import { createElement, getElement } from './dom';
import type { ClusterView, FleetView } from './fleet-view';
import { formatRegion, groupByRegion } from './regions';

/** Fewer clusters need no heat map: their cards are seen at once. */
const MIN_CLUSTERS = 9;

/** Up to so many tiles have room for a name and a figure. */
const MAX_NAMED = 80;

/** A heat map of the clusters: each a tile, the stronger its color the fuller or more expensive. A click leads to its card. */
export class HeatMap {
  readonly #box = getElement('heat');
  readonly #list = getElement('overview');
  readonly #scale = getElement('scale');

  constructor(
    private readonly fleet: FleetView,
    private readonly go: (cluster: ClusterView) => void,
  ) {
    this.#list.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Shows a tile for each cluster, in groups by region if that is the order. Hidden if there are few clusters. */
  show(clusters: readonly ClusterView[], order: ClusterOrder): void {
    this.#box.hidden = this.fleet.clusters.length < MIN_CLUSTERS;
    if (this.#box.hidden) return;
    const byCost = order === 'expensive';
    const dearest = this.fleet.clusters.toSorted((a, b) => costOf(b) - costOf(a))[0];
    const most = Math.max(1, dearest ? costOf(dearest) : 0);
    const named = clusters.length <= MAX_NAMED;
    const tiles = (members: readonly ClusterView[]): HTMLElement[] => {
      const names = shortenNames(members.map(({ name }) => name));
      return members.map((cluster, at) => {
        const value = byCost ? Math.max(0, costOf(cluster)) / most : cluster.fullness;
        const part = cluster.removed ? 0 : value;
        const amount = byCost ? this.#costText(cluster) : formatMeterPercent(part);
        const figure = cluster.removed ? 'removed' : amount;
        return this.#tile(cluster, part, named ? [names[at] ?? '', figure] : []);
      });
    };
    const regions = order === 'region' ? groupByRegion(clusters) : [];
    const headed = regions.some(({ name }) => name !== '');
    this.#list.classList.toggle('named', named);
    this.#list.replaceChildren(
      ...(headed
        ? regions.map(({ name, clusters: members }) => createRegion(name, tiles(members)))
        : [createElement('div', { class: 'tiles' }, ...tiles(clusters))]),
    );
    this.#list.querySelector('.cluster')?.setAttribute('tabindex', '0');
    this.#showScale(byCost ? [this.#format(0), this.#costText(dearest)] : ['0 %', '100 % of GPUs in use']);
  }

  #showScale([low, high]: [low: string, high: string]): void {
    const changed = this.fleet.clusters.some((cluster) => cluster.changed);
    const mark = createElement('span', { class: 'cluster changed sample' });
    this.#scale.replaceChildren(
      low,
      createElement('span', { class: 'ramp' }),
      high,
      ...(changed ? [mark, 'changes'] : []),
    );
  }

  #costText(cluster: ClusterView | undefined): string {
    return formatMonth(cluster?.costs.at(-1), this.fleet.data.states.at(-1)?.cost.currency ?? '');
  }

  #format(amount: number): string {
    return formatMonth(amount, this.fleet.data.states.at(-1)?.cost.currency ?? '');
  }

  #tile(cluster: ClusterView, part: number, lines: readonly string[]): HTMLElement {
    const { name, fullness, changed, removed } = cluster;
    const facts = `${formatMeterPercent(fullness)} of GPUs in use, ${this.#costText(cluster)} a month${changed ? ', changes' : ''}`;
    const text = `${name}: ${removed ? 'removed' : facts}`;
    const item = createElement('button', {
      type: 'button',
      class: `cluster${changed ? ' changed' : ''}${removed ? ' removed' : ''}`,
      title: text,
      'aria-label': text,
      tabindex: -1,
    });
    item.append(...lines.map((line) => createElement('span', {}, line)));
    item.style.setProperty('--part', String(part));
    item.addEventListener('click', () => this.go(cluster));
    return item;
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const items = [...this.#list.querySelectorAll<HTMLElement>('.cluster')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = step === undefined || at < 0 ? undefined : items[at + step];
    if (!next) return;
    event.preventDefault();
    for (const item of items) item.tabIndex = item === next ? 0 : -1;
    next.focus();
  }
}

function createRegion(name: string, tiles: readonly HTMLElement[]): HTMLElement {
  const title = formatRegion(name);
  return createElement(
    'div',
    { class: 'heat-region', role: 'group', 'aria-label': title },
    createElement('p', { 'aria-hidden': true }, title),
    createElement('div', { class: 'tiles' }, ...tiles),
  );
}
