import { formatCount } from '../../../base/figures';
import { closeSheet, openSheet } from './details-sheet';
import { getElement } from './dom';
import { titleOfMessages } from './fleet-figures';
import type { FleetView } from './fleet-view';
import { fillServicesView } from './services-view';
import type { OpenTab } from './tabs';

/** Opens a panel, and the sheet that contains it where the panels are not next to the map. */
export function openPanel(open: OpenTab, id: string): void {
  open(id);
  openSheet();
}

/** Sets up the buttons of the views. Returns what shows a view. */
export function setUpViews(fleet: FleetView): (view: 'clusters' | 'services') => void {
  const views = ['clusters', 'services'] as const;
  getElement('view-services').textContent = countedTitle('Services', fleet.data.services.length);
  const show = (chosen: (typeof views)[number]): void => {
    for (const view of views) {
      getElement(`view-${view}`).setAttribute('aria-pressed', String(view === chosen));
      getElement(view).hidden = view !== chosen;
    }
    if (chosen === 'services' && getElement('services').childElementCount === 0) fillServicesView(fleet);
    closeSheet();
    showStart(getElement('middle'));
  };
  for (const view of views) getElement(`view-${view}`).addEventListener('click', () => show(view));
  return show;
}

/** Scrolls to the start of a view, wherever the reader was in another. */
function showStart(middle: HTMLElement): void {
  middle.scrollTop = 0;
  if (middle.getBoundingClientRect().top < 0) middle.scrollIntoView();
}

export function countedTitle(title: string, count: number): string {
  return count === 0 ? title : `${title} (${formatCount(count)})`;
}

export function setUpActions(fleet: FleetView, open: OpenTab): void {
  const legend = getElement('legend');
  const button = getElement('show-legend');
  const toggle = (shown: boolean): void => {
    legend.hidden = !shown;
    button.setAttribute('aria-expanded', String(shown));
  };
  button.addEventListener('click', () => toggle(legend.hidden === true));
  const close = (): void => {
    toggle(false);
    button.focus();
  };
  getElement('close-legend').addEventListener('click', close);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && legend.hidden !== true) close();
  });
  const warnings = getElement('show-warnings');
  warnings.textContent = titleOfMessages(fleet.data.remarks);
  warnings.addEventListener('click', () => openPanel(open, 'remarks'));
}
