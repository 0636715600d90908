import { hash } from 'node:crypto';
import type { DeviceRequest } from '../api/device-request';
import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { isAutoscaled } from '../api/engine-copies';
import { compareText, sortedBy } from '../base/order';

/**
 * A digest of what a replica consists of: its engines, their copies and members, and the devices that each pod
 * requests. Eight hexadecimal digits. The bounds of copies that an autoscaler chooses are no part of it. Selectors, images and names of requests are not part of it, because a change
 * of these moves nothing.
 */
export function digestShape(engines: readonly Engine[]): string {
  let known = DIGESTS.get(engines);
  if (known === undefined) DIGESTS.set(engines, (known = digest(engines, deviceCountsOf)));
  return known;
}

/** By the list of engines, which deployments with the same template share. */
const DIGESTS = new WeakMap<readonly Engine[], string>();

/**
 * The digest of what a replica of a deployment consists of. Where engines are derived from a model, the selected
 * hardware is part of it: layouts on two kinds of GPUs are two shapes, whose replicas do not turn into each other.
 */
export function shapeDigestOf({ spec }: Pick<ModelDeployment, 'spec'>): string {
  const { engines } = spec.template.spec;
  return spec.model ? digest(engines, deviceKindsOf) : digestShape(engines);
}

function digest(engines: readonly Engine[], deviceKeyOf: (request: DeviceRequest) => string): string {
  const shape = sortedBy(engines, ({ name }) => name).map((engine) => [
    engine.name,
    // Bounds change in place: the replica stays where there is room for the upper one.
    isAutoscaled(engine) ? 'bounds' : engine.copies,
    engine.members
      .map(({ role, worker, nodeSelector }) => [
        role,
        worker?.nodes ?? 1,
        (nodeSelector?.devices ?? []).map(deviceKeyOf).sort(compareText),
      ])
      .sort(([a], [b]) => compareText(String(a), String(b))),
  ]);
  return hash('sha256', JSON.stringify(shape)).slice(0, 8);
}

function deviceKindsOf(request: DeviceRequest): string {
  const where = sortedBy(Object.entries(request.where ?? {}), ([name]) => name);
  return `${deviceCountsOf(request)} ${JSON.stringify(where)}`;
}

/** The device count of a request, and the part of a device that it takes, or these of each of its alternatives. */
function deviceCountsOf({ firstAvailable, ...single }: DeviceRequest): string {
  return firstAvailable.length > 0 ? firstAvailable.map(countOf).join('|') : countOf(single);
}

function countOf({
  count,
  allocationMode,
  capacity,
}: Pick<DeviceRequest, 'count' | 'allocationMode' | 'capacity'>): string {
  const parts = sortedBy(Object.entries(capacity?.requests ?? {}), ([name]) => name);
  return [
    allocationMode === 'All' ? allocationMode : count,
    ...parts.map(([name, amount]) => `${name}=${amount}`),
  ].join(' ');
}
