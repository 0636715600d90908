import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { type Additions, modelAddition, NOTHING } from '../engine/additions';
import { readContainer } from '../engine/arguments';
import type { EngineContainer } from '../engine/invocation';
import { profileOf } from '../engine/recognise';
import { CACHE_PATH, cacheVolume, type MountedVolume } from './cache-volume';
import { gangEnvironment } from './environment';
import type { JsonObject } from './manifest';
import { HTTP_PORT, SERVING_PROBES } from './probes';
import { type ComputedEngine, type ComputedMember, type ComputedReplica, serves } from './replica';

/** The claim of a pod, as the pod and its container call it. */
export const POD_CLAIM = 'devices';

/** The container `engine` of a member: what the user wrote, and around it what every engine needs. */
export function engineContainer(
  { deployment }: ComputedReplica,
  { engine }: ComputedEngine,
  { member, claims, requests }: ComputedMember,
  volumes: readonly MountedVolume[],
): JsonObject {
  const [container] = member.template.spec.containers;
  const { command } = container;
  const added = additionsTo(deployment, engine, container);
  const args = added.args.length > 0 ? [...(container.args ?? []), ...added.args] : container.args;
  const own = [...added.env, ...container.env];
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

/** What a container lacks: the cache as its model, where the user names none. */
function additionsTo(deployment: ModelDeployment, engine: Engine, container: EngineContainer): Additions {
  if (!cacheVolume(deployment)) return NOTHING;
  return modelAddition(readContainer(container, profileOf(deployment, engine).profile), CACHE_PATH);
}
