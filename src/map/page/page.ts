import type { MapData } from '../map-data';
import { controls } from './controls';
import { costPanel } from './cost-panel';
import { details } from './details';
import { byId, el } from './dom';
import { EVERYTHING, filtered, resultText } from './filter';
import { type Cluster, type Fleet, fleetOf } from './fleet';
import { FleetMap } from './fleet-map';
import { firstCell, isStep, stepFrom } from './grid-keys';
import { changesPanel, remarksPanel, unplacedPanel } from './lists';
import { Overview } from './overview';
import { selectionAt } from './selection';
import { type OpenTab, tabs } from './tabs';
import { textTable } from './text-table';

/** Up to so many clusters nodes are drawn large, above so many small. */
const [FEW, MANY] = [12, 60];

function start(): void {
  const fleet = fleetOf(JSON.parse(byId('data').textContent ?? '') as MapData);
  const map = new FleetMap(fleet, byId('map'), byId('middle'));
  const open = panels(fleet);
  const overview = new Overview((cluster) => goTo(map, cluster));
  const table = byId('table');
  let shown: readonly Cluster[] = fleet.clusters;
  const fillTable = (): void => {
    if (table instanceof HTMLDetailsElement && table.open)
      byId('table-body').replaceChildren(...textTable(fleet, shown));
  };
  const show = (filter = EVERYTHING): void => {
    const found = filtered(fleet, filter);
    shown = found.clusters;
    map.grid.classList.toggle('changes', filter.changedOnly);
    map.show(shown, found.wanted);
    overview.show(shown);
    fillTable();
    byId('none').hidden = shown.length > 0;
    byId('result').textContent = resultText(found, fleet);
  };
  table.addEventListener('toggle', fillTable);
  controls(fleet, { filter: show, states: (states) => map.showStates(states) });
  if (fleet.clusters.length > MANY) choose('size', 'small');
  if (fleet.clusters.length <= FEW) choose('size', 'large');
  if (matchMedia('(max-width: 1080px)').matches) byId('legend').removeAttribute('open');
  show();
  if (fleet.clusters.length > MANY && fleet.data.states.length > 1) byId('changed').click();
  follow(fleet, map, open);
  keys(map);
  // Cards are drawn in the first frame; what waits for the page can go on after it.
  requestAnimationFrame(() => setTimeout(drawn));
}

function drawn(): void {
  performance.mark('drawn');
  document.documentElement.dataset.ready = 'true';
}

/** Sets a control as the reader would. */
function choose(id: string, value: string): void {
  const field = byId(id);
  if (!(field instanceof HTMLSelectElement)) return;
  for (const option of field.options) option.defaultSelected = option.value === value;
  field.value = value;
  field.dispatchEvent(new Event('input'));
}

function goTo(map: FleetMap, cluster: Cluster): void {
  const card = map.drawn(cluster);
  card?.scrollIntoView({ block: 'center' });
  if (card) firstCell(card)?.focus({ preventScroll: true });
}

function panels(fleet: Fleet): OpenTab {
  const { shortfalls, remarks } = fleet.data;
  const hint =
    'Point at a node, or go there with Tab and the arrow keys. A click or Enter holds on to it, Escape lets go.';
  return tabs([
    { id: 'details', title: 'Details', make: () => [el('p', { class: 'muted' }, hint)] },
    { id: 'cost', title: 'Cost', make: () => costPanel(fleet) },
    { id: 'changes', title: 'Changes', make: () => changesPanel(fleet) },
    { id: 'unplaced', title: `Unplaced (${shortfalls.length})`, make: () => unplacedPanel(fleet) },
    { id: 'remarks', title: `Remarks (${remarks.length})`, make: () => remarksPanel(fleet) },
  ]);
}

/** Shows what the pointer or the keyboard is on, until the reader holds on to something. */
function follow(fleet: Fleet, map: FleetMap, open: OpenTab): void {
  let held: Element | undefined;
  const hold = (cell: Element | undefined): void => {
    held?.removeAttribute('aria-selected');
    held = cell;
    held?.setAttribute('aria-selected', 'true');
  };
  const look = (target: EventTarget | null): void => {
    if (held || !(target instanceof Element)) return;
    const selection = selectionAt(fleet, target);
    if (selection) byId('panel-details').replaceChildren(...details(fleet, selection));
    map.highlight(target.closest<HTMLElement>('.seg')?.dataset.deployment);
  };
  const take = (target: EventTarget | null): void => {
    const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
    if (!cell) return;
    hold(undefined);
    look(target);
    hold(cell);
    open('details');
  };
  map.grid.addEventListener('pointerover', ({ target }) => look(target));
  map.grid.addEventListener('pointerleave', () => held ?? map.highlight(undefined));
  map.grid.addEventListener('focusin', ({ target }) => look(target));
  map.grid.addEventListener('click', ({ target }) => take(target));
  map.grid.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    take(event.target);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    hold(undefined);
    map.highlight(undefined);
  });
}

/** One node can be reached with Tab; arrows lead to the others. `/` leads to the search. */
function keys(map: FleetMap): void {
  let current: HTMLElement | undefined;
  const setCurrent = (cell: HTMLElement | undefined): void => {
    if (current) current.tabIndex = -1;
    current = cell;
    if (cell) cell.tabIndex = 0;
  };
  const ensure = (): void => {
    if (!current?.isConnected) setCurrent(firstCell(map.grid));
  };
  new MutationObserver(ensure).observe(map.grid, { childList: true, subtree: true });
  map.grid.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.matches('[role="gridcell"]')) setCurrent(target);
  });
  map.grid.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLElement) || !isStep(event.key)) return;
    event.preventDefault();
    stepFrom(event.key, event.target, map)?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    byId('search').focus();
  });
}

start();
