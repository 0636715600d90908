import { createElement } from './dom';
import type { DeploymentView } from './fleet-view';

/** Creates a swatch with the colors of a deployment, to show next to its name. */
export function createSwatch({ look: { hue, tone, pattern } }: DeploymentView): HTMLElement {
  const swatch = createElement('span', { class: `seg swatch tone${tone} pattern${pattern}`, 'aria-hidden': true });
  swatch.style.setProperty('--hue', String(hue));
  return swatch;
}
