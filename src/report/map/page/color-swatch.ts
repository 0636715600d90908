import type { DeploymentColors } from './deployment-colors';
import { type Attributes, createElement } from './dom';

/** Creates a piece of the map in the colors of a deployment. */
export function createSegment(
  { hue, tone, pattern }: DeploymentColors,
  classes: string,
  attributes: Attributes,
): HTMLElement {
  const segment = createElement('span', { class: `seg tone${tone} pattern${pattern} ${classes}`, ...attributes });
  segment.style.setProperty('--hue', String(hue));
  return segment;
}

/** Creates a swatch to show next to the name of a deployment. */
export function createSwatch({ look }: { readonly look: DeploymentColors }): HTMLElement {
  return createSegment(look, 'swatch', { 'aria-hidden': true });
}
