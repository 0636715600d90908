import { createElement } from './dom';
import type { DeploymentView } from './fleet-view';

/** The look of a deployment, beside its name. */
export function createSwatch({ look: { hue, tone, pattern } }: DeploymentView): HTMLElement {
  const made = createElement('span', {
    class: `seg swatch tone${tone} pattern${pattern}`,
    'aria-hidden': true,
  });
  made.style.setProperty('--hue', String(hue));
  return made;
}
