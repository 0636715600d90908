import type { MapData } from '../map-data';
import { buildChangesPanel } from './changes-panel';
import { ClusterCards } from './cluster-cards';
import { applyFilter, type ClusterFilter, formatResult, NO_FILTER } from './cluster-filter';
import { buildCostPanel } from './cost-panel';
import { openSheet } from './details-sheet';
import { formatChangeCounts } from './display-text';
import { getElement } from './dom';
import { setUpControls } from './filter-controls';
import { titleOfMessages } from './fleet-figures';
import { buildFleetView, type ClusterView, type FleetView } from './fleet-view';
import { buildOverview } from './fleet-overview';
import { buildTotals } from './fleet-totals';
import { HeatMap } from './heat-map';
import { CELL_STEPS, findFirstCell } from './keyboard-navigation';
import { buildUnplacedPanel } from './unplaced-panel';
import { buildMessagesPanel } from './message-cards';
import { countedTitle, openPanel, setUpActions, setUpViews } from './page-buttons';
import { SelectionPane } from './selection-pane';
import { buildTextTable } from './table-view';
import { createTabs, type OpenTab } from './tabs';

/** Nodes are drawn large for up to `FEW` clusters, and small for more than `MANY`. */
const [FEW, MANY] = [12, 60];

function start(): void {
  const fleet = buildFleetView(JSON.parse(getElement('data').textContent ?? '') as MapData);
  const map = new ClusterCards(fleet, getElement('map'), getElement('middle'));
  const open = createPanels(fleet);
  const go = (cluster: ClusterView): void => goTo(map, cluster);
  const heatMap = new HeatMap(fleet, go);
  const showView = setUpViews(fleet);
  getElement('totals').append(...buildTotals(fleet, (id) => openPanel(open, id)));
  const fillOverview = (): void => {
    const actions = { goTo: go, open, showServices: () => showView('services') };
    getElement('panel-details').replaceChildren(...buildOverview(fleet, actions));
  };
  fillOverview();
  const selection = new SelectionPane(fleet, map, { open, fillOverview });
  const onReset = (): void => {
    showView('clusters');
    selection.letGo();
    open('details');
  };
  const onFilter = createFilterHandler(fleet, map, heatMap);
  setUpControls(fleet, { onFilter, onStates: (states) => map.showStates(states), onSize: () => map.redraw(), onReset });
  setUpActions(fleet, open);
  if (fleet.clusters.length > MANY) chooseOption('size', 'small');
  if (fleet.clusters.length <= FEW) chooseOption('size', 'large');
  if (isNarrow()) getElement('filter-box').removeAttribute('open');
  onFilter(NO_FILTER);
  if (fleet.clusters.length > MANY && fleet.data.states.length > 1) getElement('changed').click();
  const { traffic, counts } = fleet.data;
  if (traffic !== undefined && formatChangeCounts(counts) === '') showView('services');
  handleKeys(map);
  // Cards are drawn in the first frame, so scripts that wait for the page can continue after it.
  requestAnimationFrame(() => setTimeout(announceDrawn));
}

/** Creates what shows the clusters that a filter leaves: as cards, on the heat map, and in the table while it is open. */
function createFilterHandler(fleet: FleetView, map: ClusterCards, heatMap: HeatMap): (filter: ClusterFilter) => void {
  const table = getElement('table');
  let shown: readonly ClusterView[] = fleet.clusters;
  const fillTable = (): void => {
    if (table instanceof HTMLDetailsElement && table.open)
      getElement('table-body').replaceChildren(...buildTextTable(fleet, shown));
  };
  table.addEventListener('toggle', fillTable);
  return (filter) => {
    const found = applyFilter(fleet, filter);
    shown = found.clusters;
    map.grid.classList.toggle('changes', filter.changedOnly);
    map.show(shown, found.wanted, filter.order === 'region');
    heatMap.show(shown, filter.order);
    fillTable();
    getElement('none').hidden = shown.length > 0;
    getElement('result').textContent = formatResult(found, fleet);
  };
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 960px)').matches;
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
  getElement('view-clusters').click();
  const card = map.drawn(cluster);
  if (!card) return showHidden(() => goTo(map, cluster));
  scrollToMiddle(card);
  findFirstCell(card)?.focus({ preventScroll: true });
}

/** Resets the filters, which hide a cluster, and then goes on. The reset takes effect with the next task. */
function showHidden(then: () => void): void {
  const filters = getElement('filters');
  if (!(filters instanceof HTMLFormElement)) return;
  filters.reset();
  setTimeout(then);
}

/** Scrolls to a card, and again with each of the next frames: the cards near it are drawn then, and move it. */
function scrollToMiddle(card: HTMLElement, frames = 12): void {
  card.scrollIntoView({ block: 'center' });
  if (frames > 0) requestAnimationFrame(() => scrollToMiddle(card, frames - 1));
}

function createPanels(fleet: FleetView): OpenTab {
  const { shortfalls, remarks } = fleet.data;
  return createTabs(
    [
      { id: 'details', title: 'Overview', make: () => [] },
      { id: 'cost', title: 'Cost', make: () => buildCostPanel(fleet) },
      { id: 'changes', title: 'Changes', make: () => buildChangesPanel(fleet) },
      {
        id: 'unplaced',
        title: countedTitle(
          'Unplaced',
          shortfalls.reduce((sum, { missing }) => sum + missing, 0),
        ),
        make: () => buildUnplacedPanel(fleet),
      },
      { id: 'remarks', title: titleOfMessages(remarks), make: () => buildMessagesPanel(fleet) },
    ],
    openSheet,
  );
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
