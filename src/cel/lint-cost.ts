import { costOf, MOST_COST } from './cost';
import { report } from './fault';
import type { Node } from './syntax';

/** Throws a `SelectorError` for a checked expression that the API server refuses for its cost. */
export function lintCost(expression: string, root: Node): void {
  const cost = Math.ceil(costOf(root));
  if (cost <= MOST_COST) return;
  const what = Number.isFinite(cost)
    ? `the selector may take ${cost} steps for one device, and the limit is ${MOST_COST}`
    : 'Kubernetes refuses the selector: it cannot tell how large a value in it becomes, and so what it costs';
  const hint = Number.isFinite(cost)
    ? 'Nest fewer macros such as all and exists in each other'
    : 'Compare with a text or a number that is written down';
  report(expression, { offset: root.start, what, hint });
}
