import { imagePath } from '../api/image';
import type { ImageUser } from '../catalog/engines/profile';
import { profileOf } from '../engine/recognise';
import type { JsonObject } from './manifest';
import type { ComputedEngine, ComputedMember, ComputedReplica } from './replica';

/** Whom the image of a member runs as, where it is one that the catalogue knows. */
export function imageUser(
  { deployment }: Pick<ComputedReplica, 'deployment'>,
  { engine }: Pick<ComputedEngine, 'engine'>,
  { member }: Pick<ComputedMember, 'member'>,
): ImageUser | undefined {
  const { profile } = profileOf(deployment, engine);
  // A program of the runtime may be in an image of the user's own, of which nothing is known.
  const path = imagePath(member.template.spec.containers[0].image);
  return profile.images.some((image) => image.test(path)) ? profile.user : undefined;
}

/**
 * What the image of a member lets us say of its container: that it is not root, and by which user, so that the kubelet
 * can tell; and the rights without which it fails. An image that runs as root keeps its user: its files are root's.
 */
export function imageSecurity(
  replica: Pick<ComputedReplica, 'deployment'>,
  engine: Pick<ComputedEngine, 'engine'>,
  member: Pick<ComputedMember, 'member'>,
): JsonObject {
  const user = imageUser(replica, engine, member);
  if (!user) return {};
  const { runAsUser, runAsNonRoot } = member.member.template.spec.securityContext ?? {};
  const isSaid = runAsUser !== undefined || runAsNonRoot !== undefined;
  return {
    ...(user.id !== 0 && !isSaid && { runAsNonRoot: true, runAsUser: user.id }),
    ...(user.capabilities.length > 0 && { capabilities: { drop: ['ALL'], add: user.capabilities } }),
  };
}
