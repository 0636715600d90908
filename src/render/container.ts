import { CACHE_PATH, cacheVolume, type MountedVolume } from './cache-volume';
import { type EngineContainer, gangEnvironment } from './environment';
import type { Json, JsonObject } from './manifest';
import { HTTP_PORT, SERVING_PROBES } from './probes';
import { type ComputedMember, type ComputedReplica, serves } from './replica';

/** The claim of a pod, as the pod and its container call it. */
export const POD_CLAIM = 'devices';

/** The container `engine` of a member: what the user wrote, and around it what every engine needs. */
export function engineContainer(
  { deployment }: ComputedReplica,
  { member, claims }: ComputedMember,
  volumes: readonly MountedVolume[],
): JsonObject {
  const container = member.template.spec.containers[0];
  const cached = cacheVolume(deployment) !== undefined;
  const env = member.role === 'Standalone' ? container.env : gangEnvironment(deployment.group, container.env);
  return {
    name: container.name,
    image: container.image,
    command: container.command,
    args: cached && serves(member.role) ? withModel(container) : container.args,
    ...(env.length > 0 && { env }),
    ...(serves(member.role) && {
      ports: [{ name: HTTP_PORT.name, containerPort: HTTP_PORT.port }],
      ...SERVING_PROBES,
    }),
    ...(claims.length > 0 && { resources: { claims: [{ name: POD_CLAIM }] } }),
    securityContext: { allowPrivilegeEscalation: false },
    volumeMounts: volumes.map(({ mount }) => mount),
  };
}

/**
 * The arguments, with the cache as the model where the user left the model out: an engine without one serves a
 * default model instead of failing. A command may read its arguments in any way, so then they are left alone.
 */
function withModel({ command = [], args = [] }: EngineContainer): Json {
  const named = args.some((arg) => arg === '--model' || arg.startsWith('--model='));
  return command.length > 0 || named ? args : [...args, `--model=${CACHE_PATH}`];
}
