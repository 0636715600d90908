import type { ModelDeployment } from '../../api/model-deployment';
import type { Fleet } from '../../fleet/fleet';
import type { CheaperLayout, ModelLayout, ModelLayouts } from '../../fleet/models/model-layouts';
import { gpusOf } from '../../sizing/weights';
import { type CandidateClass, findCandidateClasses } from './candidate-classes';
import type { LayoutChoice } from './choose-layouts';

/** Smaller differences are not worth a move. */
const LEAST_SAVING = 0.01;

/** The layout that would be chosen today, if it costs less than the chosen one. */
export function findCheaper(
  deployment: ModelDeployment,
  held: ModelLayouts,
  choice: LayoutChoice,
  fleet: Fleet,
): CheaperLayout | undefined {
  const [layout] = 'layouts' in choice ? choice.layouts.layouts : [];
  const [chosen] = held.layouts;
  if (!layout || !chosen) return undefined;
  const candidates = findCandidateClasses(deployment, fleet);
  const [perHour, chosenPerHour] = [layout, chosen].map((one) => priceOfLayout(one, candidates));
  if (perHour === undefined || chosenPerHour === undefined) return undefined;
  return perHour < chosenPerHour * (1 - LEAST_SAVING) ? { layout, perHour, chosenPerHour } : undefined;
}

/** What the GPUs of a layout cost an hour on the cheapest of its classes. Undefined if no price is known. */
function priceOfLayout(layout: ModelLayout, candidates: readonly CandidateClass[]): number | undefined {
  const prices = candidates.flatMap(({ hardware, gpusPerNode, pricePerHour }) =>
    layout.classes.includes(hardware) && pricePerHour !== null ? [(pricePerHour * gpusOf(layout)) / gpusPerNode] : [],
  );
  return prices.length > 0 ? Math.min(...prices) : undefined;
}
