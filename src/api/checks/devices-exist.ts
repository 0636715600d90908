import { leastOf } from '../least-of';
import type { InferenceClass } from '../inference-class';
import type { DeviceRequest } from '../device-request';
import type { ModelDeployment } from '../model-deployment';
import type { Finding, Path } from '../resource';
import { counted } from '../wording';
import { claimingMembers } from './claiming-members';
import type { FleetCheck } from './fault';

/**
 * No pod asks for more devices of one node than nodes of any class have, whatever the devices are. Where selectors
 * decide, it is no error but a shortfall, with the reason against each pool.
 */
export const devicesExist: FleetCheck = function* ({ classes, deployments }) {
  // Of a class without devices something is wrong that is told by itself.
  if (classes.some(({ spec }) => spec.devices.length === 0)) return;
  const [largest] = classes.map(mostClaimable).sort((a, b) => b.count - a.count);
  if (!largest) return;
  for (const resource of deployments) {
    for (const { request, path } of requestsOf(resource)) {
      const count = leastOf(request);
      if (count > largest.count) yield { ...tooMany(request.name, count, largest), resource, path };
    }
  }
};

/** What the pods of a deployment ask for, and where. */
function* requestsOf(resource: ModelDeployment): Iterable<{ request: DeviceRequest; path: Path }> {
  for (const { nodeSelector, path } of claimingMembers(resource)) {
    for (const [d, request] of nodeSelector.devices.entries()) {
      yield { request, path: [...path, 'devices', d] };
    }
  }
}

/** A class, and the most devices of one of its nodes that a request can have. */
interface Most {
  readonly name: string;
  readonly count: number;
}

function tooMany(request: string, count: number, most: Most): Omit<Finding, 'path'> {
  return {
    code: 'out-of-bounds',
    what: `the request '${request}' asks for ${counted(count, 'device')} of one node, and no class has more than ${most.count} ('${most.name}')`,
    hint: 'Ask for fewer devices a pod: a gang of a Leader and Workers takes several nodes',
  };
}

/** The most devices of one node that a request can have, since it binds one device class. */
function mostClaimable({ metadata, spec }: InferenceClass): Most {
  const classes = new Map<string | undefined, number>();
  for (const { claim, deviceClassName, count } of spec.devices) {
    const key = claim === 'DRA' ? deviceClassName : undefined;
    classes.set(key, count + (classes.get(key) ?? 0));
  }
  return { name: metadata.name, count: Math.max(...classes.values()) };
}
