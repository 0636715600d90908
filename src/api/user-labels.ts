import { isReserved } from './labels';
import { type Rule, rules } from './reading/rule';
import { labelMap } from './shared/label-map';

const notReserved: Rule<Record<string, string>> = function* (labels) {
  for (const key of Object.keys(labels).filter(isReserved)) {
    yield {
      code: 'reserved-label',
      path: [key],
      what: `the label '${key}' is written by Fleetwright`,
      hint: 'Use a prefix of your own',
    };
  }
};

/** Labels that a user puts on what is made for a deployment: at most 32, none of ours. */
export const userLabels = labelMap(32).check(rules(notReserved)).default({});
