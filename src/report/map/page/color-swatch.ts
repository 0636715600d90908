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

/** Creates a swatch with the label of a deployment, to show next to its name. */
export function createSwatch({
  look,
  label,
}: {
  readonly look: DeploymentColors;
  readonly label: string;
}): HTMLElement {
  const swatch = createSegment(look, 'swatch', { 'aria-hidden': true });
  swatch.append(label);
  return swatch;
}
