type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element. Texts become text, never markup: names from declarations may hold anything. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** An element of the page as it was delivered. */
export function getElement(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`bug: the page has no element '${id}'`);
  return found;
}

/** Puts items into a list, a hundred at first, and returns the button for more of them. */
export function fillList<T>(list: HTMLElement, items: readonly T[], make: (item: T) => Node): HTMLElement {
  let shown = 0;
  const more = createElement('button', { type: 'button', class: 'more' });
  const show = (): void => {
    list.append(...items.slice(shown, shown + AT_ONCE).map(make));
    shown = Math.min(items.length, shown + AT_ONCE);
    more.textContent = `Show ${Math.min(AT_ONCE, items.length - shown)} more of ${items.length}`;
    more.hidden = shown === items.length;
  };
  more.addEventListener('click', show);
  show();
  return more;
}

const AT_ONCE = 100;
