import { createHash } from 'node:crypto';
import type { DeviceRequest } from '../api/device-request';
import type { Engine } from '../api/engine';
import { compareText, sortedBy } from '../base/order';

/**
 * Eight hexadecimal digits over what a replica is made of: its engines, their copies, members and the devices
 * that each pod asks for. Not over selectors, images or names of requests: a change of these moves nothing.
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

/** The devices that a request takes: of each alternative, where it has several. */
function deviceCountsOf({ count, firstAvailable }: DeviceRequest): string {
  return firstAvailable.length > 0 ? firstAvailable.map((form) => form.count).join('|') : String(count);
}
