import { countRows, createCard, drawCard, type ShownStates } from './cluster-card';
import { holdSigns } from './display-text';
import { createElement } from './dom';
import type { ClusterView, FleetView } from './fleet-view';
import { formatRegion, formatRegionFacts, groupByRegion, type RegionView } from './regions';
import { drawCaptions } from './segment-captions';

const AHEAD = '800px';

/** The cards of all clusters. Only cards near the visible area are drawn, because a thousand would be too slow. */
export class ClusterCards {
  readonly #cards = new Map<number, HTMLElement>();
  #observer: IntersectionObserver;
  #grouped = false;

  /** The first row of each shown cluster, from 1, for the positions that screen readers announce. */
  readonly #firstRows = new Map<number, number>();
  #clusters: readonly ClusterView[] = [];
  #wanted: ReadonlySet<number> | undefined;
  #shown: ShownStates;

  constructor(
    private readonly fleet: FleetView,
    readonly grid: HTMLElement,
    scrolled: HTMLElement,
  ) {
    this.#shown = fleet.data.states.map((_, state) => state);
    this.#observer = this.#observe(scrolled);
    // The width of the map decides which names its segments have room for.
    new ResizeObserver(() => {
      this.#observeAnew(scrolled);
      drawCaptions([...this.#cards.values()]);
    }).observe(grid);
  }

  #observe(scrolled: HTMLElement): IntersectionObserver {
    return new IntersectionObserver(
      (entries) => {
        const cards = entries.flatMap(({ target, isIntersecting }) => {
          if (!(target instanceof HTMLElement)) return [];
          if (!isIntersecting) this.#clear(target);
          return isIntersecting ? [target] : [];
        });
        this.#draw(cards);
      },
      { root: rootOf(scrolled), rootMargin: AHEAD },
    );
  }

  /** Where another element scrolls since the window is narrower or wider, which an observer cannot change. */
  #observeAnew(scrolled: HTMLElement): void {
    if (this.#observer.root === rootOf(scrolled)) return;
    this.#observer.disconnect();
    this.#observer = this.#observe(scrolled);
    for (const card of this.#cards.values()) if (card.isConnected) this.#observer.observe(card);
  }

  /** Shows clusters in a given order, below headings of regions if they are grouped, and dims other deployments. */
  show(clusters: readonly ClusterView[], wanted: ReadonlySet<number> | undefined, grouped = this.#grouped): void {
    this.#clusters = clusters;
    this.#wanted = wanted;
    this.#grouped = grouped;
    this.#observer.disconnect();
    const regions = groupByRegion(clusters);
    const headed = grouped && regions.some(({ name }) => name !== '');
    const cards = clusters.map((cluster) => this.#cardOf(cluster));
    this.grid.replaceChildren(...(headed ? regions.flatMap((region) => this.#regionOf(region)) : cards));
    this.#count();
    for (const card of cards) {
      this.#dim(card);
      this.#observer.observe(card);
    }
  }

  showStates(shown: ShownStates): void {
    this.#shown = shown;
    this.redraw();
  }

  /** Draws all cards again, as after a change of the size of nodes. */
  redraw(): void {
    for (const card of this.#cards.values()) card.replaceChildren();
    this.show(this.#clusters, this.#wanted);
  }

  /** Returns the drawn card of a cluster, or undefined if the filter hides it. */
  drawn(cluster: ClusterView): HTMLElement | undefined {
    const card = this.#cards.get(cluster.place);
    if (!card?.isConnected) return undefined;
    this.#draw([card]);
    return card;
  }

  neighbourOf(card: HTMLElement, step: -1 | 1): HTMLElement | undefined {
    const at = this.#clusters.findIndex(({ place }) => this.#cards.get(place) === card);
    const cluster = this.#clusters[at + step];
    return at < 0 || !cluster ? undefined : this.drawn(cluster);
  }

  /** Highlights all drawn segments of a deployment, or none if no deployment is given. */
  highlight(deployment: string | undefined): void {
    for (const segment of this.grid.querySelectorAll('.same')) segment.classList.remove('same');
    this.grid.classList.toggle('hot', deployment !== undefined);
    if (deployment === undefined) return;
    const segments = this.grid.querySelectorAll(`[data-deployment="${CSS.escape(deployment)}"]`);
    for (const segment of segments) segment.classList.add('same');
  }

  /** A heading is for the eye: the name of each card has its region. */
  #regionOf(region: RegionView): HTMLElement[] {
    const heading = createElement(
      'div',
      { class: 'region', 'aria-hidden': true },
      createElement('strong', {}, formatRegion(region.name)),
      createElement('span', { class: 'muted' }, holdSigns(formatRegionFacts(region, this.fleet))),
    );
    return [heading, ...region.clusters.map((cluster) => this.#cardOf(cluster))];
  }

  #count(): void {
    let rows = 0;
    for (const cluster of this.#clusters) {
      this.#firstRows.set(cluster.place, rows + 1);
      rows += countRows(this.fleet, cluster, this.#shown);
      const card = this.#cards.get(cluster.place);
      if (card) this.#number(card);
    }
    this.grid.setAttribute('aria-rowcount', String(rows));
  }

  #number(card: HTMLElement): void {
    const first = this.#firstRows.get(Number(card.dataset.cluster)) ?? 1;
    const rows = [...card.querySelectorAll('[role="row"]')];
    for (const [at, row] of rows.entries()) row.setAttribute('aria-rowindex', String(first + at));
  }

  #cardOf(cluster: ClusterView): HTMLElement {
    const card = this.#cards.get(cluster.place) ?? createCard(cluster);
    this.#cards.set(cluster.place, card);
    return card;
  }

  #draw(cards: readonly HTMLElement[]): void {
    const drawn = cards.filter((card) => {
      const cluster = this.fleet.clusters[Number(card.dataset.cluster)];
      if (!cluster || card.childElementCount > 0) return false;
      drawCard(card, this.fleet, cluster, this.#shown);
      this.#number(card);
      this.#dim(card);
      return true;
    });
    drawCaptions(drawn);
  }

  /** Clears a card but keeps its height, so that the page does not jump. */
  #clear(card: HTMLElement): void {
    if (card.childElementCount === 0 || card.contains(document.activeElement)) return;
    card.style.setProperty('--height', `${card.offsetHeight}px`);
    card.replaceChildren();
  }

  #dim(card: HTMLElement): void {
    for (const segment of card.querySelectorAll<HTMLElement>('.seg')) {
      const deployment = Number(segment.dataset.deployment);
      segment.classList.toggle('dim', this.#wanted !== undefined && !this.#wanted.has(deployment));
    }
  }
}

/** On narrow screens the page scrolls, not the map. */
function rootOf(scrolled: HTMLElement): HTMLElement | null {
  return getComputedStyle(scrolled).overflowY === 'visible' ? null : scrolled;
}
