import type { Shown } from './card';
import { byId, el } from './dom';
import { type Filter, EVERYTHING } from './filter';
import type { Deployment, Fleet } from './fleet';
import { swatch } from './swatch';

/** What the reader does with the controls. */
export interface Wishes {
  readonly filter: (filter: Filter) => void;
  readonly states: (shown: Shown) => void;
}

/** A list of checkboxes names at most this many deployments; a search finds the others. */
const MOST_LISTED = 60;

/** Makes the controls work. */
export function controls(fleet: Fleet, wishes: Wishes): void {
  let filter = EVERYTHING;
  const change = (part: Partial<Filter>): void => {
    filter = { ...filter, ...part };
    wishes.filter(filter);
  };
  const list = deploymentList(fleet, change);
  onInput('search', (words) => change({ words }));
  onInput('order', (order) => change({ order: isOrder(order) ? order : 'name' }));
  options('namespace', ['', ...fleet.namespaces]);
  onInput('namespace', (namespace) => {
    list.list(namespace);
    change({ namespace });
  });
  onInput('size', (size) => {
    document.body.dataset.size = size;
  });
  const changed = byId('changed');
  changed.addEventListener('change', () => {
    change({ changedOnly: changed instanceof HTMLInputElement && changed.checked });
  });
  byId('filters').addEventListener('reset', () => {
    setTimeout(() => {
      list.reset();
      document.body.dataset.size = valueOf('size');
      change(EVERYTHING);
    });
  });
  stateChoice(fleet, wishes.states);
}

function isOrder(value: string): value is Filter['order'] {
  return value === 'name' || value === 'fullest' || value === 'emptiest';
}

function onInput(id: string, then: (value: string) => void): void {
  byId(id).addEventListener('input', () => then(valueOf(id)));
}

function valueOf(id: string): string {
  const field = byId(id);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : '';
}

function options(id: string, values: readonly string[]): void {
  byId(id).append(...values.map((value) => el('option', { value }, value === '' ? 'all namespaces' : value)));
}

interface DeploymentList {
  /** Lists those of a namespace; of all if it is empty. */
  readonly list: (namespace: string) => void;
  readonly reset: () => void;
}

/** Checkboxes for the deployments that a search finds; those that are checked stay listed. */
function deploymentList(fleet: Fleet, change: (part: Partial<Filter>) => void): DeploymentList {
  const box = byId('deployments');
  const checked = new Set<number>();
  let namespace = '';
  const list = (): void => {
    const words = valueOf('deployment').toLowerCase();
    const found = fleet.deployments.filter(
      (one) => (namespace === '' || one.namespace === namespace) && one.id.toLowerCase().includes(words),
    );
    const first = found.filter(({ place }) => checked.has(place));
    const others = found.filter(({ place }) => !checked.has(place));
    const listed = [...first, ...others.slice(0, MOST_LISTED)];
    box.replaceChildren(...listed.map((one) => checkbox(one, checked)));
    const more = found.length - listed.length;
    if (more > 0) box.append(el('p', { class: 'muted' }, `${more} more: search for them`));
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
    list(chosen) {
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

function checkbox(deployment: Deployment, checked: ReadonlySet<number>): HTMLElement {
  const { place, id } = deployment;
  const input = el('input', { type: 'checkbox', value: place, checked: checked.has(place) });
  return el(
    'label',
    { class: 'deployment', 'data-listed': place },
    input,
    swatch(deployment),
    el('span', {}, id),
  );
}

/** Before, after or both, where there are two states. */
function stateChoice({ data: { states } }: Fleet, wish: (shown: Shown) => void): void {
  const choice = byId('states');
  choice.hidden = states.length < 2;
  byId('changed-label').hidden = false;
  choice.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    wish(target.value === 'both' ? states.map((_, state) => state) : [Number(target.value)]);
  });
}
