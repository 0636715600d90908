import type { JsonObject } from './manifest';
import type { ComputedMember } from './replica';

/** The claim of a pod, as the pod and its container call it. */
export const POD_CLAIM = 'devices';

/** The field `resources` of the container of a member: CPU and memory, and its devices by claim or by number. */
export function containerResources({ member, claims, requests, extended = {} }: ComputedMember): JsonObject {
  const [container] = member.template.spec.containers;
  // Of an extended resource a pod gets exactly what it requests: requests and limits have to be equal.
  const devices = Object.fromEntries(Object.entries(extended).map(([name, count]) => [name, String(count)]));
  const least = { ...requests, ...devices };
  const most = { ...container.resources.limits, ...devices };
  const parts = {
    ...(Object.keys(least).length > 0 && { requests: least }),
    ...(Object.keys(most).length > 0 && { limits: most }),
    ...(claims.length > 0 && { claims: [{ name: POD_CLAIM }] }),
  };
  return Object.keys(parts).length > 0 ? { resources: parts } : {};
}
