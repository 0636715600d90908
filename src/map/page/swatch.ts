import { el } from './dom';
import type { Deployment } from './fleet';

/** The look of a deployment, beside its name. */
export function swatch({ look: { hue, tone, pattern } }: Deployment): HTMLElement {
  const made = el('span', { class: `seg swatch tone${tone} pattern${pattern}`, 'aria-hidden': true });
  made.style.setProperty('--hue', String(hue));
  return made;
}
