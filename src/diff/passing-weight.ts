import type { ModelService } from '../api/model-service';
import { isDeepEqual } from '../base/deep-equal';

/** A weight of an entry with which its share changes by no more than the service allows. */
export interface PassingWeight {
  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;
  readonly weight: number;

  /** The part of the requests that the entry gets with it, from 0 to 1. */
  readonly share: number;
}

/** The part of the requests of an entry before and after a change, from 0 to 1. */
interface EntryStep {
  readonly entry: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Finds the weight nearest to the edited one that passes, of one of two entries that share the requests without
 * conditions. Undefined: more decides the shares, or no weight passes.
 *
 * @param declared the earlier declaration
 */
export function findPassingWeight(
  declared: ModelService,
  { spec }: ModelService,
  steps: readonly EntryStep[],
): PassingWeight | undefined {
  const { endpoints, maxShareChange } = spec;
  const sharing = endpoints.filter(({ tier, match }) => tier === 0 && match === undefined);
  const total = sharing.reduce((sum, { weight }) => sum + weight, 0);
  const step = chooseStep(declared, spec, steps);
  const edited = sharing.find((one) => step && one === endpoints[step.entry]);
  if (!step || !edited || sharing.length !== 2) return undefined;
  if (Math.abs(edited.weight / total - step.after) > ROUNDING) return undefined;
  const others = total - edited.weight;
  const isRaised = step.after > step.before;
  const limit = step.before + (isRaised ? 1 : -1) * (maxShareChange / 100);
  const exact = (limit * others) / (1 - limit);
  const weight = isRaised ? Math.floor(exact + ROUNDING) : Math.ceil(exact - ROUNDING);
  return weight < 1 || limit >= 1 ? undefined : { entry: step.entry, weight, share: weight / (weight + others) };
}

const ROUNDING = 1e-9;

/** The step of the only entry whose weight is edited, or of the one that gets more requests. */
function chooseStep(declared: ModelService, { endpoints }: ModelService['spec'], steps: readonly EntryStep[]) {
  const edited = steps.filter(({ entry }) => {
    const [was, is] = [declared.spec.endpoints[entry], endpoints[entry]];
    return was?.weight !== is?.weight && isDeepEqual(was?.selector, is?.selector);
  });
  return edited.length === 1 ? edited[0] : steps.find(({ before, after }) => after > before);
}
