import { imageRepositoryOf } from '../../api/image-registry';
import type { ImageUser } from '../../catalog/engines/engine-profile';
import { profileOf } from '../../engine/runtime-detection';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';

/**
 * A container with the tightest context in which it still does what its user asked for: no rights of root beyond its
 * user id, and none to be gained. What its user says wins. Whether it runs as root is for its image or user to say:
 * an image that has to be root would not start otherwise.
 */
export function secureContainer(container: JsonObject): JsonObject {
  const asked = (container['securityContext'] ?? {}) as JsonObject;
  const { allowPrivilegeEscalation = false, capabilities, ...own } = asked;
  // A privileged container has every right, and Kubernetes refuses one that may not escalate.
  if (own['privileged'] === true)
    return { ...container, securityContext: { ...own, ...(capabilities && { capabilities }) } };
  const dropped = { drop: ['ALL'], ...(capabilities as JsonObject | undefined) };
  return { ...container, securityContext: { allowPrivilegeEscalation, ...own, capabilities: dropped } };
}

/** Whom the image of a member runs as, where it is one that the catalogue knows. */
export function findImageUser(
  { deployment }: Pick<ComputedReplica, 'deployment'>,
  { engine }: Pick<ComputedEngine, 'engine'>,
  { member }: Pick<ComputedMember, 'member'>,
): ImageUser | undefined {
  const { profile } = profileOf(deployment, engine);
  // A program of the runtime may be in an image of the user's own, of which nothing is known.
  const path = imageRepositoryOf(member.template.spec.containers[0].image);
  return profile.images.some((image) => image.test(path)) ? profile.user : undefined;
}

/**
 * What the image of a member lets us say of its container: that it is not root, and by which user, so that the kubelet
 * can tell; and the rights without which it fails. An image that runs as root keeps its user: its files are root's.
 */
export function renderImageSecurityContext(
  replica: Pick<ComputedReplica, 'deployment'>,
  engine: Pick<ComputedEngine, 'engine'>,
  member: Pick<ComputedMember, 'member'>,
): JsonObject {
  const user = findImageUser(replica, engine, member);
  if (!user) return {};
  const { runAsUser, runAsNonRoot } = member.member.template.spec.securityContext ?? {};
  const isSaid = runAsUser !== undefined || runAsNonRoot !== undefined;
  return {
    ...(user.id !== 0 && !isSaid && { runAsNonRoot: true, runAsUser: user.id }),
    ...(user.capabilities.length > 0 && { capabilities: { drop: ['ALL'], add: user.capabilities } }),
  };
}
