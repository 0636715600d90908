import { createElement, getElement } from './dom';

/** A tab with its title and its content, which is built when the tab is first opened. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly make: () => readonly Node[];
}

export type OpenTab = (id: string) => void;

/**
 * Adds tabs to the page, and opens the first. Arrow keys move between tabs.
 *
 * @param onChoice what happens in addition when the reader chooses a tab
 */
export function createTabs(all: readonly Tab[], onChoice: () => void): OpenTab {
  const list = getElement('tabs');
  const panels = getElement('panels');
  const built = new Set<string>();
  const open = (id: string): void => {
    for (const tab of all) {
      const chosen = tab.id === id;
      const button = getElement(`tab-${tab.id}`);
      const panel = getElement(`panel-${tab.id}`);
      button.setAttribute('aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
      if (chosen && !built.has(id)) panel.append(...tab.make());
      if (chosen) built.add(id);
    }
  };
  const choose: OpenTab = (id) => {
    open(id);
    onChoice();
  };
  for (const tab of all) {
    list.append(tabButton(tab, choose));
    panels.append(panelOf(tab));
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = all.findIndex(({ id }) => getElement(`tab-${id}`).tabIndex === 0);
    const next = all[(at + step + all.length) % all.length];
    if (!next) return;
    choose(next.id);
    getElement(`tab-${next.id}`).focus();
    event.preventDefault();
  });
  open(all[0]?.id ?? '');
  return open;
}

function tabButton({ id, title }: Tab, choose: OpenTab): HTMLElement {
  const button = createElement(
    'button',
    { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
    title,
  );
  button.addEventListener('click', () => choose(id));
  return button;
}

function panelOf({ id }: Tab): HTMLElement {
  return createElement('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: 0 });
}
