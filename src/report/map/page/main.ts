import type { MapData } from '../map-data';
import { ClusterCards } from './cluster-cards';
import { applyFilter, formatResult, NO_FILTER } from './cluster-filter';
import { ClusterOverview } from './cluster-overview';
import { buildCostPanel } from './cost-panel';
import { createElement, getElement } from './dom';
import { setUpControls } from './filter-controls';
import { buildFleetView, type ClusterView, type FleetView } from './fleet-view';
import { CELL_STEPS, findFirstCell } from './keyboard-navigation';
import { buildChangesPanel, buildMessagesPanel, buildUnplacedPanel } from './list-panels';
import { buildDetails, findSelection } from './selection-details';
import { buildTextTable } from './table-view';
import { createTabs, type OpenTab } from './tabs';

/** Nodes are drawn large for up to `FEW` clusters, and small for more than `MANY`. */
const [FEW, MANY] = [12, 60];

function start(): void {
  const fleet = buildFleetView(JSON.parse(getElement('data').textContent ?? '') as MapData);
  const map = new ClusterCards(fleet, getElement('map'), getElement('middle'));
  const open = createPanels(fleet);
  const overview = new ClusterOverview((cluster) => goTo(map, cluster));
  const table = getElement('table');
  let shown: readonly ClusterView[] = fleet.clusters;
  const fillTable = (): void => {
    if (table instanceof HTMLDetailsElement && table.open)
      getElement('table-body').replaceChildren(...buildTextTable(fleet, shown));
  };
  const show = (filter = NO_FILTER): void => {
    const found = applyFilter(fleet, filter);
    shown = found.clusters;
    map.grid.classList.toggle('changes', filter.changedOnly);
    map.show(shown, found.wanted);
    overview.show(shown);
    fillTable();
    getElement('none').hidden = shown.length > 0;
    getElement('result').textContent = formatResult(found, fleet);
  };
  table.addEventListener('toggle', fillTable);
  setUpControls(fleet, show, (states) => map.showStates(states));
  if (fleet.clusters.length > MANY) chooseOption('size', 'small');
  if (fleet.clusters.length <= FEW) chooseOption('size', 'large');
  if (matchMedia('(max-width: 1080px)').matches) getElement('legend').removeAttribute('open');
  show();
  if (fleet.clusters.length > MANY && fleet.data.states.length > 1) getElement('changed').click();
  followPointer(fleet, map, open);
  handleKeys(map);
  // Cards are drawn in the first frame, so scripts that wait for the page can continue after it.
  requestAnimationFrame(() => setTimeout(announceDrawn));
}

function announceDrawn(): void {
  performance.mark('drawn');
  document.documentElement.dataset.ready = 'true';
}

/** Chooses an option of a control, and dispatches the event that a choice of the reader dispatches. */
function chooseOption(id: string, value: string): void {
  const field = getElement(id);
  if (!(field instanceof HTMLSelectElement)) return;
  for (const option of field.options) option.defaultSelected = option.value === value;
  field.value = value;
  field.dispatchEvent(new Event('input'));
}

function goTo(map: ClusterCards, cluster: ClusterView): void {
  const card = map.drawn(cluster);
  card?.scrollIntoView({ block: 'center' });
  if (card) findFirstCell(card)?.focus({ preventScroll: true });
}

function createPanels(fleet: FleetView): OpenTab {
  const { shortfalls, remarks } = fleet.data;
  const hint =
    'Point at a node, or go there with Tab and the arrow keys. A click or Enter holds on to it, Escape lets go.';
  return createTabs([
    { id: 'details', title: 'Details', make: () => [createElement('p', { class: 'muted' }, hint)] },
    { id: 'cost', title: 'Cost', make: () => buildCostPanel(fleet) },
    { id: 'changes', title: 'Changes', make: () => buildChangesPanel(fleet) },
    { id: 'unplaced', title: `Unplaced (${shortfalls.length})`, make: () => buildUnplacedPanel(fleet) },
    { id: 'remarks', title: `Remarks (${remarks.length})`, make: () => buildMessagesPanel(fleet) },
  ]);
}

/** Shows the details of the node under the pointer or the focus, unless the reader selected a node. */
function followPointer(fleet: FleetView, map: ClusterCards, open: OpenTab): void {
  let selected: Element | undefined;
  const select = (cell: Element | undefined): void => {
    selected?.removeAttribute('aria-selected');
    selected = cell;
    selected?.setAttribute('aria-selected', 'true');
  };
  const preview = (target: EventTarget | null): void => {
    if (selected || !(target instanceof Element)) return;
    const selection = findSelection(fleet, target);
    if (selection) getElement('panel-details').replaceChildren(...buildDetails(fleet, selection));
    map.highlight(target.closest<HTMLElement>('.seg')?.dataset.deployment);
  };
  const pin = (target: EventTarget | null): void => {
    const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
    if (!cell) return;
    select(undefined);
    preview(target);
    select(cell);
    open('details');
  };
  map.grid.addEventListener('pointerover', ({ target }) => preview(target));
  map.grid.addEventListener('pointerleave', () => selected ?? map.highlight(undefined));
  map.grid.addEventListener('focusin', ({ target }) => preview(target));
  map.grid.addEventListener('click', ({ target }) => pin(target));
  map.grid.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    pin(event.target);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    select(undefined);
    map.highlight(undefined);
  });
}

/** Sets up the keyboard: Tab reaches one node, arrow keys move to the others, and `/` moves to the search. */
function handleKeys(map: ClusterCards): void {
  let current: HTMLElement | undefined;
  const setCurrent = (cell: HTMLElement | undefined): void => {
    if (current) current.tabIndex = -1;
    current = cell;
    if (cell) cell.tabIndex = 0;
  };
  const ensureCurrent = (): void => {
    if (!current?.isConnected) setCurrent(findFirstCell(map.grid));
  };
  new MutationObserver(ensureCurrent).observe(map.grid, { childList: true, subtree: true });
  map.grid.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.matches('[role="gridcell"]')) setCurrent(target);
  });
  map.grid.addEventListener('keydown', (event) => {
    const step = CELL_STEPS[event.key];
    if (!(event.target instanceof HTMLElement) || !step) return;
    event.preventDefault();
    step(event.target, map)?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    getElement('search').focus();
  });
}

start();
