import { imageRepositoryOf } from '../../api/image-names';
import type { ImageUser } from '../../catalog/engines/engine-profile';
import { profileOf } from '../../engine/runtime-detection';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';

/** The security context of containers that Fleetwright adds, which write to their volumes only. */
export const READ_ONLY_CONTAINER: JsonObject = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/**
 * Returns a container with the tightest security context that its settings allow: all capabilities dropped and no
 * privilege escalation. Settings of the user take precedence. The image or the user decides whether the container runs
 * as root, because an image that needs root would not start otherwise.
 */
export function secureContainer(container: JsonObject): JsonObject {
  const context = (container['securityContext'] ?? {}) as JsonObject;
  const { allowPrivilegeEscalation = false, capabilities, ...rest } = context;
  // Kubernetes rejects a privileged container that sets `allowPrivilegeEscalation: false`.
  if (rest['privileged'] === true)
    return { ...container, securityContext: { ...rest, ...(capabilities && { capabilities }) } };
  const dropped = { drop: ['ALL'], ...(capabilities as JsonObject | undefined) };
  return { ...container, securityContext: { allowPrivilegeEscalation, ...rest, capabilities: dropped } };
}

/** Returns the user of the image of a member. Returns undefined if the catalog does not know the image. */
export function findImageUser(
  { deployment }: Pick<ComputedReplica, 'deployment'>,
  { engine }: Pick<ComputedEngine, 'engine'>,
  { member }: Pick<ComputedMember, 'member'>,
): ImageUser | undefined {
  const { profile } = profileOf(deployment, engine);
  // A custom image can contain the program of the runtime, but its user is unknown.
  const path = imageRepositoryOf(member.template.spec.containers[0].image);
  return profile.images.some((image) => image.test(path)) ? profile.user : undefined;
}

/**
 * Returns the security context that the image of a member determines: a non-root UID, so that the kubelet can verify
 * it, and the capabilities that the image needs. An image that runs as root keeps its user, because root owns its
 * files.
 */
export function renderImageSecurityContext(
  replica: Pick<ComputedReplica, 'deployment'>,
  engine: Pick<ComputedEngine, 'engine'>,
  member: Pick<ComputedMember, 'member'>,
): JsonObject {
  const user = findImageUser(replica, engine, member);
  if (!user) return {};
  const { runAsUser, runAsNonRoot } = member.member.template.spec.securityContext ?? {};
  const isDeclared = runAsUser !== undefined || runAsNonRoot !== undefined;
  return {
    ...(user.id !== 0 && !isDeclared && { runAsNonRoot: true, runAsUser: user.id }),
    ...(user.capabilities.length > 0 && { capabilities: { drop: ['ALL'], add: user.capabilities } }),
  };
}
