import { formatPercent } from './display-text';
import { createElement, getElement } from './dom';
import type { ClusterView } from './fleet-view';

const MIN_CLUSTERS = 9;

/** The overview: a bar per cluster whose height shows how full the cluster is. A click on a bar leads to its card. */
export class ClusterOverview {
  readonly #list = getElement('overview');

  constructor(private readonly go: (cluster: ClusterView) => void) {
    this.#list.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Shows a bar for each cluster. Hides the overview if there are few clusters. */
  show(clusters: readonly ClusterView[]): void {
    this.#list.hidden = clusters.length < MIN_CLUSTERS;
    if (this.#list.hidden) return;
    const changed = clusters.some((cluster) => cluster.changed) ? '; a cap where something changes' : '';
    const caption = `${clusters.length} clusters, each a bar as high as it is full${changed}`;
    const items = clusters.map((cluster, at) => this.#item(cluster, at === 0));
    this.#list.replaceChildren(createElement('p', { class: 'muted', 'aria-hidden': true }, caption), ...items);
  }

  #item(cluster: ClusterView, first: boolean): HTMLElement {
    const { name, fullness, changed } = cluster;
    const text = `${name}: ${formatPercent(fullness)} taken${changed ? ', changes' : ''}`;
    const item = createElement('button', {
      type: 'button',
      class: changed ? 'cluster changed' : 'cluster',
      title: text,
      'aria-label': text,
      tabindex: first ? 0 : -1,
    });
    item.style.setProperty('--part', String(fullness));
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
