import type { ShownStates } from './cluster-card';
import { type ClusterFilter, NO_FILTER } from './cluster-filter';
import { createSwatch } from './color-swatch';
import { createElement, getElement } from './dom';
import type { DeploymentView, FleetView } from './fleet-view';

/** The maximum number of unchecked deployments in the list of checkboxes; a search finds the others. */
const MAX_LISTED = 60;

export function setUpControls(
  fleet: FleetView,
  onFilter: (filter: ClusterFilter) => void,
  onStates: (shown: ShownStates) => void,
): void {
  let filter = NO_FILTER;
  const change = (part: Partial<ClusterFilter>): void => {
    filter = { ...filter, ...part };
    onFilter(filter);
  };
  const deployments = setUpDeploymentList(fleet, change);
  onInput('search', (words) => change({ words }));
  onInput('order', (order) => change({ order: isOrder(order) ? order : 'name' }));
  addOptions('namespace', ['', ...fleet.namespaces]);
  onInput('namespace', (namespace) => {
    deployments.list(namespace);
    change({ namespace });
  });
  onInput('size', (size) => {
    document.body.dataset.size = size;
  });
  const changed = getElement('changed');
  changed.addEventListener('change', () => {
    change({ changedOnly: changed instanceof HTMLInputElement && changed.checked });
  });
  getElement('filters').addEventListener('reset', () => {
    setTimeout(() => {
      deployments.reset();
      document.body.dataset.size = valueOf('size');
      change(NO_FILTER);
    });
  });
  setUpStateChoice(fleet, onStates);
}

function isOrder(value: string): value is ClusterFilter['order'] {
  return value === 'name' || value === 'fullest' || value === 'emptiest';
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
  const { place, id } = deployment;
  const input = createElement('input', { type: 'checkbox', value: place, checked: checked.has(place) });
  return createElement(
    'label',
    { class: 'deployment', 'data-listed': place },
    input,
    createSwatch(deployment),
    createElement('span', {}, id),
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
