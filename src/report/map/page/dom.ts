export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Strings become text nodes, never markup, because names from declarations may contain anything. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Returns a `namespace/name` that breaks after the namespace, so that a long name is not cut in the middle. */
export function breakAfterNamespace(id: string): Node[] {
  const end = id.indexOf('/') + 1;
  return [new Text(id.slice(0, end)), createElement('wbr'), new Text(id.slice(end))];
}

/** @throws Error if the page has no such element */
export function getElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`bug: the page has no element '${id}'`);
  return found;
}

/** Creates a box that is filled when opened, because a large fleet has ten thousand reasons per deployment. */
export function createFold(
  title: readonly (Node | string)[],
  make: () => readonly Node[],
  isOpen = false,
): HTMLElement {
  const box = createElement('details', {}, createElement('summary', {}, ...title));
  box.addEventListener('toggle', () => box.append(...make()), { once: true });
  box.open = isOpen;
  return box;
}

/** Appends the first hundred items to a list. Returns the list, and the button that appends more. */
export function fillList<T>(
  list: HTMLElement,
  items: readonly T[],
  make: (item: T) => Node,
): [list: HTMLElement, more: HTMLElement] {
  let shown = 0;
  const more = createElement('button', { type: 'button', class: 'more' });
  const show = (): void => {
    list.append(...items.slice(shown, shown + BATCH_SIZE).map(make));
    shown = Math.min(items.length, shown + BATCH_SIZE);
    more.textContent = `Show ${Math.min(BATCH_SIZE, items.length - shown)} more of ${items.length}`;
    more.hidden = shown === items.length;
  };
  more.addEventListener('click', show);
  show();
  return [list, more];
}

/** The number of items that a list shows at first, and appends at a time. */
const BATCH_SIZE = 100;
