import { plural } from '../plan/format';
import type { FleetDiff } from './fleet-diff';
import { isOutage } from './serving';
import { outages } from './words';

/**
 * What the gate on a change says, as a line: whether a deployment would be without any replica, and how many are that
 * ask for it.
 *
 * @param waves whether replicas are replaced wave by wave
 */
export function formatGate(diff: FleetDiff, waves: boolean): string {
  const refused = outages(diff, waves).length;
  const when = `would be without any replica while this is applied ${waves ? 'in waves' : 'at once'}`;
  if (refused > 0) return `Gate: refused; ${plural(refused, 'deployment')} ${when}.`;
  const asked = diff.deployments.filter(({ serving }) =>
    isOutage({ ...serving, recreate: false }, waves),
  ).length;
  if (asked === 0) return `Gate: passed; no deployment ${when}.`;
  return `Gate: passed; only ${plural(asked, 'deployment')} that ${asked === 1 ? 'asks' : 'ask'} for it ${when}.`;
}
