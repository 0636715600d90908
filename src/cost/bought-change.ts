import type { Bought } from './cost';
import type { BoughtChange } from './cost-changes';

/** What is bought before and after, with how much more that is. */
export function boughtChange(was: Bought, is: Bought, delta: Bought): BoughtChange {
  const change = <K extends keyof Bought>(part: K) => {
    return { before: was[part], after: is[part], delta: delta[part] };
  };
  return {
    ...change('total'),
    fixed: change('fixed'),
    autoscaled: change('autoscaled'),
    storage: change('storage'),
    idle: change('idle'),
  };
}
