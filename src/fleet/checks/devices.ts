import type { ClassDevice } from '../../api/device';
import type { DeviceRequest } from '../../api/device-request';
import type { EngineMember } from '../../api/engine';
import type { InferenceClass } from '../../api/inference-class';
import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { minDevicesOf } from '../../api/request-alternatives';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { pluralize } from '../../base/text';
import { DEVICE_CLASSES } from '../../catalog/device-classes';
import type { FleetCheck } from './fleet-check';

/**
 * Checks that no pod requests more devices of one node than a node of any class has. The check ignores selectors: if no
 * device matches a selector, the plan has a shortfall, with a reason for each pool.
 */
export const checkDeviceCounts: FleetCheck = function* ({ classes, deployments }) {
  // Another check reports a class without devices.
  if (classes.some(({ spec }) => spec.devices.length === 0)) return;
  const [largest] = classes.map(mostClaimableOf).sort((a, b) => b.count - a.count);
  if (!largest) return;
  for (const resource of deployments) {
    for (const { request, path } of requestsOf(resource)) {
      const count = minDevicesOf(request);
      if (count <= largest.count) continue;
      const what = `the request '${request.name}' needs ${pluralize(count, 'device')} of one node, and no class has more than ${largest.count} ('${largest.name}')`;
      const hint = 'Request fewer devices for each pod: a gang of a Leader and Workers runs on several nodes';
      yield errorAt('out-of-bounds', { resource, path }, what, hint);
    }
  }
};

function requestsOf(deployment: ModelDeployment): { request: DeviceRequest; path: Path }[] {
  return claimingMembersOf(deployment).flatMap(({ nodeSelector, path }) =>
    nodeSelector.devices.map((request, d) => ({ request, path: [...path, 'devices', d] })),
  );
}

/** The most devices of one node that one request can get: a request is for a single DeviceClass. */
function mostClaimableOf({ metadata, spec }: InferenceClass): { readonly name: string; readonly count: number } {
  const classes = new Map<string | undefined, number>();
  for (const { claim, deviceClassName, count } of spec.devices) {
    const key = claim === 'DRA' ? deviceClassName : undefined;
    classes.set(key, count + (classes.get(key) ?? 0));
  }
  return { name: metadata.name, count: Math.max(...classes.values()) };
}

interface ClaimingMember {
  readonly nodeSelector: NonNullable<EngineMember['nodeSelector']>;
  readonly path: Path;
}

/** The members of a deployment whose pods request devices, in the order of their declaration. */
export function claimingMembersOf(deployment: ModelDeployment): readonly ClaimingMember[] {
  const template = deployment.spec.template.spec;
  const claiming = CLAIMING_MEMBERS.get(template) ?? findClaimingMembers(template);
  CLAIMING_MEMBERS.set(template, claiming);
  return claiming;
}

/** Cached by template: several checks need the members, and many deployments share one immutable template. */
const CLAIMING_MEMBERS = new WeakMap<Template, readonly ClaimingMember[]>();

type Template = ModelDeployment['spec']['template']['spec'];

function findClaimingMembers({ engines }: Template): ClaimingMember[] {
  return engines.flatMap(({ members }, e) =>
    members.flatMap(({ nodeSelector }, m) => {
      const path = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector'];
      return nodeSelector ? [{ nodeSelector, path }] : [];
    }),
  );
}

/** Checks that each device configuration is for a driver of some class: Kubernetes ignores it for any other driver. */
export const checkConfigDrivers: FleetCheck = function* ({ classes, deployments }) {
  const known = [...new Set(classes.flatMap(({ spec }) => spec.devices.map(({ driver }) => driver)))].sort();
  const configs = deployments.flatMap((resource) =>
    requestsOf(resource).flatMap(({ request, path }) =>
      request.config.map(({ driver }, c) => ({ resource, driver, path: [...path, 'config', c, 'driver'] })),
    ),
  );
  for (const { resource, driver, path } of configs) {
    if (known.length === 0 || known.includes(driver)) continue;
    const meant = suggestName(driver, known);
    const what = `no class has devices of a driver '${driver}'`;
    const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
    yield errorAt('unknown-reference', { resource, path }, what, hint);
  }
};

/**
 * Checks that devices with a known DeviceClass have its driver and type: a claim through the DeviceClass gets no other
 * devices.
 */
export const checkDeviceClasses: FleetCheck = function* ({ classes }) {
  for (const resource of classes) {
    // Resources of the alias group that loaded before must still load.
    if (resource.group !== 'fleetwright.dev') continue;
    for (const [index, device] of resource.spec.devices.entries()) {
      const path = ['spec', 'devices', index, 'deviceClassName'];
      if (device.claim === 'DRA') yield* checkDriver(device, { resource, path });
    }
  }
};

function* checkDriver(
  { driver, deviceClassName, attributes }: ClassDevice,
  at: ResourcePath,
): Iterable<Diagnostic<ResourcePath>> {
  const row = DEVICE_CLASSES.find(({ name }) => name === deviceClassName);
  if (!row) return;
  const names = DEVICE_CLASSES.filter((one) => one.driver === driver).map(({ name }) => name);
  const hint = names.length > 0 ? `Use ${names.join(' or ')}` : `Correct the driver, or the DeviceClass`;
  if (row.driver !== driver) {
    const what = `the DeviceClass '${row.name}' has devices of ${row.driver}, and the driver is ${driver}`;
    yield errorAt('wrong-device-class', at, what, hint);
    return;
  }
  const { type } = attributes;
  const stated = type && 'string' in type ? type.string : undefined;
  if (stated === undefined || row.type === undefined || stated === row.type) return;
  const what = `the DeviceClass '${row.name}' has devices of type '${row.type}', and the type is '${stated}'`;
  const right = DEVICE_CLASSES.find((one) => one.driver === driver && one.type === stated)?.name;
  yield errorAt('wrong-device-class', at, what, right ? `Use '${right}'` : hint);
}
