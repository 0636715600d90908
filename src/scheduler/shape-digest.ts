import { createHash } from 'node:crypto';
import type { DeviceRequest } from '../api/device-request';
import type { Engine } from '../api/engine';
import { compareText, sortedBy } from '../base/order';

/**
 * A digest of what a replica consists of: its engines, their copies and members, and the devices that each pod
 * requests. Eight hexadecimal digits. Selectors, images and names of requests are not part of it, because a change
 * of these moves nothing.
 */
export function digestShape(engines: readonly Engine[]): string {
  const shape = sortedBy(engines, ({ name }) => name).map(({ name, copies, members }) => [
    name,
    copies,
    members
      .map(({ role, worker, nodeSelector }) => [
        role,
        worker?.nodes ?? 1,
        (nodeSelector?.devices ?? []).map(deviceCountsOf).sort(compareText),
      ])
      .sort(([a], [b]) => compareText(String(a), String(b))),
  ]);
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 8);
}

/** The device count of a request, or the count of each of its alternatives. */
function deviceCountsOf({ count, firstAvailable }: DeviceRequest): string {
  return firstAvailable.length > 0 ? firstAvailable.map((form) => form.count).join('|') : String(count);
}
