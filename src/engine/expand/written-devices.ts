import type { ClassDevice } from '../../api/device';
import type { DeviceRequest } from '../../api/device-request';
import { celSelectorsOf } from '../../api/request-alternatives';
import { prepareDevice } from '../../cel/device';
import { cel } from '../../cel/lazy';
import { SelectorError } from '../../cel/selector-error';

/** The devices of a node that requests are matched with: GPUs, and others such as network cards. */
export interface NodeDevices {
  readonly gpu: ClassDevice;
  readonly all: readonly ClassDevice[];
}

/**
 * Counts the GPUs that the written requests of a pod claim on a node, without other devices. Undefined if a request
 * matches no device of the node, so that the pod cannot run there.
 */
export function countWrittenGpus(requests: readonly DeviceRequest[], { gpu, all }: NodeDevices): number | undefined {
  const matches = requests.map((request) => {
    const matching = all.filter((device) => isMatch(request, device));
    return { matching, gpus: matching.includes(gpu) ? request.count : 0 };
  });
  if (matches.some(({ matching }) => matching.length === 0)) return undefined;
  return matches.reduce((sum, { gpus }) => sum + gpus, 0);
}

/** A selector that does not compile matches: it is reported where selectors are compiled. */
function isMatch(request: DeviceRequest, { driver, attributes, capacity }: ClassDevice): boolean {
  const device = prepareDevice({ driver, attributes, capacity });
  return celSelectorsOf(request).every(({ cel: expression }) => {
    try {
      return cel().compileSelector(expression).match(device).kind === 'match';
    } catch (error) {
      if (error instanceof SelectorError) return true;
      throw error;
    }
  });
}
