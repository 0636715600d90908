import type { ModelDeployment } from '../../api/model-deployment';
import { graceSecondsOf } from '../../api/pod/termination-grace';
import type { Group } from '../../api/resource';
import {
  additionsOf,
  buildRayCommand,
  memberContextOf,
  startContainerOf,
  usesRay,
} from '../../engine/added-arguments';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import { profileOf } from '../../engine/runtime-detection';
import { buildPreStop } from '../../engine/startup-and-shutdown';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { modelSizeOf, type MountedCache, mountedEngineFilesOf } from '../../replicas/mounted-caches';
import {
  type ComputedEngine,
  type ComputedMember,
  type ComputedReplica,
  isServingRole,
} from '../../replicas/replica';
import { enginePortOf, renderEngineProbes } from './probes';
import { renderImageSecurityContext } from './security-context';
import type { MountedVolume } from './shared-memory';

/** The container `engine` of a member: what the user wrote, and around it what every engine needs. */
export function renderEngineContainer(
  { deployment, caches }: ComputedReplica,
  { engine }: ComputedEngine,
  computed: ComputedMember,
  volumes: readonly MountedVolume[],
): JsonObject {
  const { member } = computed;
  const [container] = member.template.spec.containers;
  const serving = servingOf(deployment, engine);
  const { env, ...start } = startOfEngine(deployment, engine, member, caches);
  const lifecycle = preStopOf(deployment, engine, member);
  return {
    name: container.name,
    image: container.image,
    ...start,
    ...(env.length > 0 && { env }),
    ...(isServingRole(member.role) && {
      ports: [enginePortOf(serving)],
      ...renderEngineProbes(engine, serving, modelSizeOf(caches)),
    }),
    ...(lifecycle && { lifecycle: { preStop: lifecycle } }),
    ...renderContainerResources(computed),
    securityContext: renderImageSecurityContext({ deployment }, { engine }, { member }),
    volumeMounts: volumes.map(({ mount }) => mount),
  };
}

type Engine = ComputedEngine['engine'];
type Member = ComputedMember['member'];

/** What starts the engine: what the user wrote, and what its profile adds. */
function startOfEngine(
  deployment: ModelDeployment,
  engine: Engine,
  member: Member,
  caches: readonly MountedCache[],
): { readonly command?: readonly string[]; readonly args?: readonly string[]; readonly env: JsonObject[] } {
  const added = additionsOf(memberContextOf(deployment, engine, member, mountedEngineFilesOf(caches)));
  const own = [...added.env, ...member.template.spec.containers[0].env];
  const env = member.role === 'Standalone' ? own : renderGangEnvironment(deployment.group, own);
  const { command, args: written } = startContainerOf(engine, member);
  const args = added.args.length > 0 ? [...(written ?? []), ...added.args] : written;
  const { programs, bootstrap } = profileOf(deployment, engine).profile;
  if (command || !bootstrap?.ray || !usesRay(deployment, engine)) {
    return { ...(command && { command }), ...(args && { args }), env };
  }
  const ray = buildRayCommand(member, { program: programs[0] ?? '', port: bootstrap.ray.port });
  return { command: ray, ...(args && isServingRole(member.role) && { args }), env };
}

function preStopOf(deployment: ModelDeployment, engine: Engine, member: Member): JsonObject | undefined {
  const { enginePort } = servingOf(deployment, engine);
  const host = isServingRole(member.role) ? 'localhost' : `$${LEADER_ADDRESS_VARIABLE}`;
  const { profile } = profileOf(deployment, engine);
  return buildPreStop(graceSecondsOf(engine, member), profile, `${host}:${enginePort}`);
}

/** The claim of a pod, as the pod and its container call it. */
export const POD_CLAIM_NAME = 'devices';

/** The field `resources` of the container of a member: CPU and memory, and its devices by claim or by number. */
export function renderContainerResources({
  member,
  claims,
  requests,
  extended = {},
}: ComputedMember): JsonObject {
  const [container] = member.template.spec.containers;
  // Of an extended resource a pod gets exactly what it requests: requests and limits have to be equal.
  const devices = Object.fromEntries(Object.entries(extended).map(([name, count]) => [name, String(count)]));
  const least = { ...requests, ...devices };
  const most = { ...container.resources.limits, ...devices };
  const parts = {
    ...(Object.keys(least).length > 0 && { requests: least }),
    ...(Object.keys(most).length > 0 && { limits: most }),
    ...(claims.length > 0 && { claims: [{ name: POD_CLAIM_NAME }] }),
  };
  return Object.keys(parts).length > 0 ? { resources: parts } : {};
}

/** The variable with the address of the leader of a gang. */
export const LEADER_ADDRESS_VARIABLE = 'FLEETWRIGHT_LEADER_ADDRESS';

/** What each pod of a gang learns about its group, from what the controller of LeaderWorkerSets sets before it. */
const GANG_VARIABLES = {
  [LEADER_ADDRESS_VARIABLE]: '$(LWS_LEADER_ADDRESS)',
  FLEETWRIGHT_RANK: '$(LWS_WORKER_INDEX)',
  FLEETWRIGHT_GROUP_SIZE: '$(LWS_GROUP_SIZE)',
} as const;

/** A variable of a container. */
type NamedVariable = JsonObject & { readonly name: string };

/** The names that args of deployments under each group may use besides. */
const GANG_VARIABLES_OF_GROUP: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  'fleetwright.dev': {},
  'modelplane.ai': {
    MODELPLANE_LEADER_ADDRESS: '$(LWS_LEADER_ADDRESS)',
    MODELPLANE_RANK: '$(LWS_WORKER_INDEX)',
  },
};

/**
 * The environment of a pod of a gang: ours first, because Kubernetes expands `$(NAME)` only from variables that
 * stand before. A variable of the user's takes the place of ours of that name.
 */
export function renderGangEnvironment(group: Group, own: readonly NamedVariable[]): JsonObject[] {
  const taken = new Set(own.map(({ name }) => name));
  const ours = Object.entries({ ...GANG_VARIABLES, ...GANG_VARIABLES_OF_GROUP[group] })
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => ({ name, value }));
  return [...ours, ...own];
}
