import type { JsonObject } from './manifest';

/**
 * A container with the tightest context in which it still does what its user asked for: no rights of root beyond its
 * user id, and none to be gained. What its user says wins. Whether it runs as root is for its image or user to say:
 * an image that has to be root would not start otherwise.
 */
export function securedContainer(container: JsonObject): JsonObject {
  const asked = (container['securityContext'] ?? {}) as JsonObject;
  const { allowPrivilegeEscalation = false, capabilities, ...own } = asked;
  // A privileged container has every right, and Kubernetes refuses one that may not escalate.
  if (own['privileged'] === true)
    return { ...container, securityContext: { ...own, ...(capabilities && { capabilities }) } };
  const dropped = { drop: ['ALL'], ...(capabilities as JsonObject | undefined) };
  return { ...container, securityContext: { allowPrivilegeEscalation, ...own, capabilities: dropped } };
}
