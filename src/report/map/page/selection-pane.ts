import type { ClusterCards } from './cluster-cards';
import { closeSheet, openSheet } from './details-sheet';
import { getElement } from './dom';
import type { FleetView } from './fleet-view';
import { buildDetails, findSelection } from './selection-details';
import type { OpenTab } from './tabs';

interface PaneActions {
  readonly open: OpenTab;
  readonly fillOverview: () => void;
}

/** The pane of details: of the node that the reader selected, or else of the node under the pointer or the focus. */
export class SelectionPane {
  #selected: Element | undefined;

  constructor(
    private readonly fleet: FleetView,
    private readonly map: ClusterCards,
    private readonly actions: PaneActions,
  ) {
    const { grid } = map;
    grid.addEventListener('pointerover', ({ target }) => this.#preview(target));
    grid.addEventListener('pointerleave', () => this.#selected ?? map.highlight(undefined));
    grid.addEventListener('focusin', ({ target }) => this.#preview(target));
    grid.addEventListener('click', ({ target }) => this.#pin(target));
    grid.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.#pin(event.target);
    });
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.letGo();
    });
    getElement('close-details').addEventListener('click', () => this.letGo());
  }

  /** Clears the selection, shows the overview, and closes the sheet of details. */
  letGo(): void {
    this.#select(undefined);
    this.map.highlight(undefined);
    getElement('tab-details').textContent = 'Overview';
    this.actions.fillOverview();
    closeSheet();
  }

  #select(cell: Element | undefined): void {
    this.#selected?.removeAttribute('aria-selected');
    this.#selected = cell;
    this.#selected?.setAttribute('aria-selected', 'true');
  }

  #preview(target: EventTarget | null): void {
    if (this.#selected || !(target instanceof Element)) return;
    const selection = findSelection(this.fleet, target);
    if (selection) {
      getElement('panel-details').replaceChildren(...buildDetails(this.fleet, selection));
      getElement('tab-details').textContent = 'Details';
    }
    this.map.highlight(target.closest<HTMLElement>('.seg')?.dataset.deployment);
  }

  #pin(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
    if (!cell) return;
    this.#select(undefined);
    this.#preview(target);
    this.#select(cell);
    this.actions.open('details');
    openSheet();
    // Above the sheet, which is over the part of the map that the reader clicked.
    cell.scrollIntoView({ block: 'nearest' });
  }
}
