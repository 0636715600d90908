import { listAt, textAt, valueAt } from '../../base/json';
import { idText } from '../../base/text';
import { parseQuantity } from '../../cel/values/quantity';
import type { ClaimableDevice, NodeInfo } from '../../snapshot/node-info';
import { listExtendedRequests } from '../../snapshot/pod-requests';
import type { RecordedPod } from '../../snapshot/recorded-objects';
import { type Listing, objectsOf } from '../listing';
import { formatNamespacedName, type LiveObject } from '../../manifest/kubernetes/live-object';

/** The nodes of a cluster, and the objects that show what is allocated on them. */
export interface Allocations {
  readonly nodes: readonly NodeInfo[];
  readonly claims?: Listing | undefined;
  readonly deviceClasses?: Listing | undefined;
}

/**
 * Finds the devices that pods outside the fleet hold, by node. Resource claims name their devices; of an extended
 * resource, only the number is known. Where claims cannot be listed, a pod with a claim holds all devices of its node.
 */
export function findAllocatedDevices({
  nodes,
  claims,
  deviceClasses,
}: Allocations): ReadonlyMap<string, ReadonlySet<ClaimableDevice>> {
  const own = new Set(nodes.flatMap((node) => node.own.map(podIdOf)));
  const isSeen = claims !== undefined && 'objects' in claims;
  const allocated = new Set(objectsOf(claims).filter(isOfOthers(own)).flatMap(allocatedKeysOf));
  // Such a resource is allocated through a claim, which is counted already.
  const claimed = new Set(isSeen ? objectsOf(deviceClasses).flatMap(extendedResourcesOf) : []);
  return new Map(
    nodes.map(({ name, devices = [], foreign }) => {
      const isUnknown = !isSeen && foreign.some(({ spec }) => spec.resourceClaims.length > 0);
      const held = isUnknown ? devices : devices.filter((device) => allocated.has(deviceKeyOf(device)));
      return [name, addCounted(new Set(held), { devices, foreign, claimed })];
    }),
  );
}

function podIdOf({ metadata: { namespace, name } }: RecordedPod): string {
  return idText(namespace, name);
}

/** Whether a claim is not reserved for pods of the fleet. */
function isOfOthers(own: ReadonlySet<string>): (claim: LiveObject) => boolean {
  return (claim) =>
    !listAt(claim, ['status', 'reservedFor']).some(
      (user) =>
        textAt(user, ['resource']) === 'pods' && own.has(idText(claim.metadata.namespace, textAt(user, ['name']))),
    );
}

function allocatedKeysOf(claim: LiveObject): string[] {
  return listAt(claim, ['status', 'allocation', 'devices', 'results']).flatMap((result) =>
    // Access for administrators leaves the device to others.
    valueAt(result, ['adminAccess']) === true
      ? []
      : [JSON.stringify(['driver', 'pool', 'device'].map((key) => textAt(result, [key])))],
  );
}

function deviceKeyOf({ driver, pool, device }: ClaimableDevice): string {
  return JSON.stringify([driver, pool, device.name]);
}

function extendedResourcesOf(deviceClass: LiveObject): string[] {
  const named = textAt(deviceClass, ['spec', 'extendedResourceName']);
  const implicit = `deviceclass.resource.kubernetes.io/${formatNamespacedName(deviceClass)}`;
  return named === '' ? [implicit] : [named, implicit];
}

interface CountedNode {
  readonly devices: readonly ClaimableDevice[];
  readonly foreign: readonly RecordedPod[];

  /** Extended resources that claims account for. */
  readonly claimed: ReadonlySet<string>;
}

/** Adds as many devices of the driver of each extended resource as pods request: `nvidia.com/gpu` of `gpu.nvidia.com`. */
function addCounted(held: Set<ClaimableDevice>, { devices, foreign, claimed }: CountedNode): Set<ClaimableDevice> {
  for (const [resource, amount] of foreign.flatMap(listExtendedRequests)) {
    const domain = resource.split('/')[0] ?? '';
    const ofDomain = ({ driver }: ClaimableDevice): boolean => driver === domain || driver.endsWith(`.${domain}`);
    const free = devices.filter((device) => !held.has(device) && ofDomain(device));
    const count = claimed.has(resource) ? 0 : Math.ceil(parseQuantity(amount).asApproximateFloat());
    for (const device of free.slice(0, count)) held.add(device);
  }
  return held;
}
