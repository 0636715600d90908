import { CACHE_PATH, cacheVolume, type MountedVolume } from './cache-volume';
import { type EngineContainer, gangEnvironment } from './environment';
import type { JsonObject } from './manifest';
import { HTTP_PORT, SERVING_PROBES } from './probes';
import { type ComputedMember, type ComputedReplica, serves } from './replica';

/** The claim of a pod, as the pod and its container call it. */
export const POD_CLAIM = 'devices';

/** The container `engine` of a member: what the user wrote, and around it what every engine needs. */
export function engineContainer(
  { deployment }: ComputedReplica,
  { member, claims, requests }: ComputedMember,
  volumes: readonly MountedVolume[],
): JsonObject {
  const [container] = member.template.spec.containers;
  const { command, env: own } = container;
  const args = cacheVolume(deployment) && serves(member.role) ? withModel(container) : container.args;
  const env = member.role === 'Standalone' ? own : gangEnvironment(deployment.group, own);
  return {
    name: container.name,
    image: container.image,
    ...(command && { command }),
    ...(args && { args }),
    ...(env.length > 0 && { env }),
    ...(serves(member.role) && {
      ports: [{ name: HTTP_PORT.name, containerPort: HTTP_PORT.port }],
      ...SERVING_PROBES,
    }),
    ...resources({ claims, requests, limits: container.resources.limits }),
    securityContext: { allowPrivilegeEscalation: false },
    volumeMounts: volumes.map(({ mount }) => mount),
  };
}

function resources({
  claims,
  requests,
  limits,
}: Pick<ComputedMember, 'claims' | 'requests'> & { limits: JsonObject }): JsonObject {
  const parts = {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(claims.length > 0 && { claims: [{ name: POD_CLAIM }] }),
  };
  return Object.keys(parts).length > 0 ? { resources: parts } : {};
}

/**
 * The arguments, with the cache as the model where the user left the model out: an engine without one serves a
 * default model instead of failing. A command may read its arguments in any way, so then they are left alone.
 */
function withModel({ command = [], args }: EngineContainer): EngineContainer['args'] {
  const named = args?.some((arg) => arg === '--model' || arg.startsWith('--model='));
  return command.length > 0 || named ? args : [...(args ?? []), `--model=${CACHE_PATH}`];
}
