import { resourceId } from '../kinds';
import type { FleetCheck } from './fault';

/** Settings stand in one place, so that none of them is overlooked. */
export const oneFleet: FleetCheck = function* ({ settings, surplusSettings = [] }) {
  for (const resource of surplusSettings) {
    yield {
      code: 'second-fleet',
      resource,
      path: ['metadata', 'name'],
      what: `${resourceId(resource)} is a second Fleet beside '${settings?.metadata.name}'`,
      hint: 'Merge the two',
    };
  }
};
