import type { ShownStates } from './cluster-card';
import { type ClusterFilter, type ClusterOrder, isOrder, NO_FILTER } from './cluster-filter';
import { createSwatch } from './color-swatch';
import { breakAfterNamespace, createElement, getElement } from './dom';
import type { DeploymentView, FleetView } from './fleet-view';

/** The maximum number of unchecked deployments in the list of checkboxes; a search finds the others. */
const MAX_LISTED = 60;

/** What the controls of the page change. */
export interface ControlHandlers {
  readonly onFilter: (filter: ClusterFilter) => void;
  readonly onStates: (shown: ShownStates) => void;
  readonly onSize: () => void;
  readonly onReset: () => void;
}

export function setUpControls(fleet: FleetView, handlers: ControlHandlers): void {
  let filter = NO_FILTER;
  const change = (part: Partial<ClusterFilter>): void => {
    filter = { ...filter, ...part };
    handlers.onFilter(filter);
  };
  const deployments = setUpDeploymentList(fleet, change);
  onInput('search', (words) => change({ words }));
  setUpOrder((order) => change({ order }));
  addOptions('namespace', ['', ...fleet.namespaces]);
  onInput('namespace', (namespace) => {
    deployments.list(namespace);
    change({ namespace });
  });
  onInput('size', (size) => {
    document.body.dataset.size = size;
    handlers.onSize();
  });
  const changed = getElement('changed');
  changed.addEventListener('change', () => {
    change({ changedOnly: changed instanceof HTMLInputElement && changed.checked });
  });
  getElement('filters').addEventListener('reset', () => {
    setTimeout(() => {
      deployments.reset();
      document.body.dataset.size = valueOf('size');
      markOrder(NO_FILTER.order);
      handlers.onStates(fleet.data.states.map((_, state) => state));
      change(NO_FILTER);
      handlers.onReset();
    });
  });
  setUpStateChoice(fleet, handlers.onStates);
}

/** Sets up the order of clusters: a list among the filters, and buttons above the heat map. */
function setUpOrder(change: (order: ClusterOrder) => void): void {
  onInput('order', (value) => {
    const order = isOrder(value) ? value : NO_FILTER.order;
    markOrder(order);
    change(order);
  });
  for (const [order, title] of QUICK_ORDERS) {
    const button = createElement('button', { type: 'button', 'data-order': order }, title);
    if (order !== 'region') button.append(createElement('span', { class: 'roomy' }, ' first'));
    button.addEventListener('click', () => {
      markOrder(order);
      const list = getElement('order');
      if (list instanceof HTMLSelectElement) list.value = order;
      change(order);
    });
    getElement('orders').append(button);
  }
  markOrder(NO_FILTER.order);
}

/** The orders that have a button, and the words on it. */
const QUICK_ORDERS: readonly (readonly [ClusterOrder, string])[] = [
  ['region', 'By region'],
  ['fullest', 'Fullest'],
  ['expensive', 'Most expensive'],
  ['changed', 'Changed'],
];

function markOrder(order: ClusterOrder): void {
  for (const button of document.querySelectorAll<HTMLElement>('#orders button')) {
    button.setAttribute('aria-pressed', String(button.dataset.order === order));
  }
}

function onInput(id: string, handle: (value: string) => void): void {
  getElement(id).addEventListener('input', () => handle(valueOf(id)));
}

function valueOf(id: string): string {
  const field = getElement(id);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : '';
}

function addOptions(id: string, values: readonly string[]): void {
  getElement(id).append(
    ...values.map((value) => createElement('option', { value }, value === '' ? 'all namespaces' : value)),
  );
}

/**
 * Creates checkboxes for the deployments that a search finds. Checked deployments that match are listed first. Returns
 * functions that choose a namespace, and that clear all checkboxes and list all namespaces.
 */
function setUpDeploymentList(fleet: FleetView, change: (part: Partial<ClusterFilter>) => void) {
  const box = getElement('deployments');
  const checked = new Set<number>();
  let namespace = '';
  const list = (): void => {
    const words = valueOf('deployment').toLowerCase();
    const found = fleet.deployments.filter(
      (one) => (namespace === '' || one.namespace === namespace) && one.id.toLowerCase().includes(words),
    );
    const first = found.filter(({ place }) => checked.has(place));
    const others = found.filter(({ place }) => !checked.has(place));
    const listed = [...first, ...others.slice(0, MAX_LISTED)];
    box.replaceChildren(...listed.map((one) => createCheckbox(one, checked)));
    const more = found.length - listed.length;
    if (more > 0) box.append(createElement('p', { class: 'muted' }, `${more} more: search for them`));
  };
  box.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const place = Number(target.value);
    if (target.checked) checked.add(place);
    else checked.delete(place);
    change({ deployments: new Set(checked) });
  });
  onInput('deployment', list);
  list();
  return {
    list(chosen: string) {
      namespace = chosen;
      list();
    },
    reset() {
      checked.clear();
      namespace = '';
      list();
    },
  };
}

function createCheckbox(deployment: DeploymentView, checked: ReadonlySet<number>): HTMLElement {
  const { place } = deployment;
  const input = createElement('input', { type: 'checkbox', value: place, checked: checked.has(place) });
  return createElement(
    'label',
    { class: 'deployment', 'data-listed': place },
    input,
    createSwatch(deployment),
    createElement('span', {}, ...breakAfterNamespace(deployment.id)),
  );
}

/** Sets up the choice between the states before, after or both. Hidden if there is only one state. */
function setUpStateChoice({ data: { states } }: FleetView, onChange: (shown: ShownStates) => void): void {
  const choice = getElement('states');
  choice.hidden = states.length < 2;
  choice.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    onChange(target.value === 'both' ? states.map((_, state) => state) : [Number(target.value)]);
  });
}
