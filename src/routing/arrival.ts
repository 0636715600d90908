import type { ModelService } from '../api/model-service';
import { pathOf, readyPathOf } from './paths';
import type { Arrival } from './places';
import type { Timeouts } from './policy';
import { hostOf, namedOf } from './rules';
import type { Target } from './select';

/** Where requests of a service for what one of its entries selects arrive. */
export function arrivalOf(service: ModelService, target: Target, timeouts: Timeouts): Arrival {
  const named = namedOf(service);
  return {
    hostname: hostOf(named, target),
    service: named,
    path: pathOf(named),
    readyPath: readyPathOf(named),
    tier: target.tier,
    timeouts,
  };
}
