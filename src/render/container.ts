import { graceSeconds } from '../api/grace';
import type { ModelDeployment } from '../api/model-deployment';
import { rayCommand, usesRay } from '../engine/bootstrap';
import { preStop } from '../engine/drain';
import { additionsTo, situationOf, startOf } from '../engine/fill';
import { profileOf } from '../engine/recognise';
import { servingOf } from '../engine/serving';
import { engineFiles, type MountedCache, modelSize } from './cache/mounted';
import { containerResources } from './container-resources';
import { gangEnvironment, LEADER_ADDRESS } from './environment';
import { imageSecurity } from './image-user';
import type { JsonObject } from './manifest';
import { engineProbes, enginePort } from './probes';
import { type ComputedEngine, type ComputedMember, type ComputedReplica, serves } from './replica';
import type { MountedVolume } from './volume';

/** The container `engine` of a member: what the user wrote, and around it what every engine needs. */
export function engineContainer(
  { deployment, caches }: ComputedReplica,
  { engine }: ComputedEngine,
  computed: ComputedMember,
  volumes: readonly MountedVolume[],
): JsonObject {
  const { member } = computed;
  const [container] = member.template.spec.containers;
  const serving = servingOf(deployment, engine);
  const { env, ...start } = startedBy(deployment, engine, member, caches);
  const lifecycle = preStopOf(deployment, engine, member);
  return {
    name: container.name,
    image: container.image,
    ...start,
    ...(env.length > 0 && { env }),
    ...(serves(member.role) && {
      ports: [enginePort(serving)],
      ...engineProbes(engine, serving, modelSize(caches)),
    }),
    ...(lifecycle && { lifecycle: { preStop: lifecycle } }),
    ...containerResources(computed),
    securityContext: imageSecurity({ deployment }, { engine }, { member }),
    volumeMounts: volumes.map(({ mount }) => mount),
  };
}

type Engine = ComputedEngine['engine'];
type Member = ComputedMember['member'];

/** What starts the engine: what the user wrote, and what its profile adds. */
function startedBy(
  deployment: ModelDeployment,
  engine: Engine,
  member: Member,
  caches: readonly MountedCache[],
): { readonly command?: readonly string[]; readonly args?: readonly string[]; readonly env: JsonObject[] } {
  const added = additionsTo(situationOf(deployment, engine, member, engineFiles(caches)));
  const own = [...added.env, ...member.template.spec.containers[0].env];
  const env = member.role === 'Standalone' ? own : gangEnvironment(deployment.group, own);
  const { command, args: written } = startOf(engine, member);
  const args = added.args.length > 0 ? [...(written ?? []), ...added.args] : written;
  const { programs, bootstrap } = profileOf(deployment, engine).profile;
  if (command || !bootstrap?.ray || !usesRay(deployment, engine)) {
    return { ...(command && { command }), ...(args && { args }), env };
  }
  const ray = rayCommand(member, { program: programs[0] ?? '', port: bootstrap.ray.port });
  return { command: ray, ...(args && serves(member.role) && { args }), env };
}

function preStopOf(deployment: ModelDeployment, engine: Engine, member: Member): JsonObject | undefined {
  const { enginePort } = servingOf(deployment, engine);
  const host = serves(member.role) ? 'localhost' : `$${LEADER_ADDRESS}`;
  const { profile } = profileOf(deployment, engine);
  return preStop(graceSeconds(engine, member), profile, `${host}:${enginePort}`);
}
