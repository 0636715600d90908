import { leastOf } from '../least-of';
import type { InferenceClass } from '../inference-class';
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
  const requests = deployments.flatMap((resource) =>
    claimingMembers(resource).flatMap(({ nodeSelector, path }) =>
      nodeSelector.devices.map((request, d) => ({ resource, request, path: [...path, 'devices', d] })),
    ),
  );
  for (const { resource, request, path } of requests) {
    const count = leastOf(request);
    if (count <= largest.count) continue;
    yield {
      code: 'out-of-bounds',
      resource,
      path,
      what: `the request '${request.name}' asks for ${counted(count, 'device')} of one node, and no class has more than ${largest.count} ('${largest.name}')`,
      hint: 'Ask for fewer devices a pod: a gang of a Leader and Workers takes several nodes',
    };
  }
};

/** The most devices of one node that a request can have, since it binds one device class. */
function mostClaimable({ metadata, spec }: InferenceClass): { name: string; count: number } {
  const classes = new Map<string | undefined, number>();
  for (const { claim, deviceClassName, count } of spec.devices) {
    const key = claim === 'DRA' ? deviceClassName : undefined;
    classes.set(key, count + (classes.get(key) ?? 0));
  }
  return { name: metadata.name, count: Math.max(...classes.values()) };
}
