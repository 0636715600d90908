import type { ModelDeployment } from '../../api/model-deployment';
import { graceSecondsOf } from '../../api/pod/termination-grace';
import type { Group } from '../../api/resource';
import { additionsOf, buildRayCommand, memberContextOf, startContainerOf, usesRay } from '../../engine/added-arguments';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import { profileOf, type RunnableDeployment } from '../../engine/runtime-detection';
import { buildPreStop } from '../../engine/startup-and-shutdown';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { modelSizeOf, type MountedCache, mountedEngineFilesOf } from '../../replicas/mounted-caches';
import { CHANNEL_CLAIM_NAME, channelTemplateOf } from '../compute-domain';
import { type ComputedEngine, type ComputedMember, type ComputedReplica, isServingRole } from '../../replicas/replica';
import { enginePortOf, renderEngineProbes } from './probes';
import { renderImageSecurityContext } from './security-context';

/**
 * Renders the container `engine` of a member: the container of the user, with what every engine needs. Replicas of
 * equal templates on equal nodes share one, unless they mount caches or belong to a domain.
 */
export function renderEngineContainer(
  replica: ComputedReplica,
  engine: ComputedEngine,
  member: ComputedMember,
  volumeMounts: readonly JsonObject[],
): JsonObject {
  const { deployment, caches } = replica;
  const render = (): JsonObject => renderContainer(replica, engine, member, volumeMounts);
  if (caches.length > 0 || channelTemplateOf(replica, engine, member) !== undefined) return render();
  const { group, spec } = deployment;
  const known = getOrComputeWeak(SHARED, spec.template.spec, member, () => new Map<Group, SharedContainer>());
  const shared = known.get(group);
  if (shared?.engine === engine.engine) return shared.container;
  const container = render();
  known.set(group, { engine: engine.engine, container });
  return container;
}

interface SharedContainer {
  readonly engine: Engine;
  readonly container: JsonObject;
}

/** By all that a container without caches and channel is made of: the template, the member, the group, the engine. */
const SHARED: WeakPairMap<
  RunnableDeployment['spec']['template']['spec'],
  ComputedMember,
  Map<Group, SharedContainer>
> = new WeakMap();

function renderContainer(
  replica: ComputedReplica,
  computedEngine: ComputedEngine,
  computed: ComputedMember,
  volumeMounts: readonly JsonObject[],
): JsonObject {
  const { deployment, caches } = replica;
  const { engine } = computedEngine;
  const { member } = computed;
  const [{ name, image }] = member.template.spec.containers;
  const serving = servingOf(deployment, engine);
  const { env, ...start } = startOfEngine(deployment, engine, member, caches);
  const preStop = preStopOf(deployment, engine, member);
  return {
    name,
    image,
    ...start,
    ...(env.length > 0 && { env }),
    ...(isServingRole(member.role) && {
      ports: [enginePortOf(serving)],
      ...renderEngineProbes(engine, serving, modelSizeOf(caches)),
    }),
    ...(preStop && { lifecycle: { preStop } }),
    ...renderContainerResources(computed, channelTemplateOf(replica, computedEngine, computed) !== undefined),
    securityContext: renderImageSecurityContext(replica, computedEngine, computed),
    volumeMounts,
  };
}

type Engine = ComputedEngine['engine'];
type Member = ComputedMember['member'];

function startOfEngine(
  deployment: ModelDeployment,
  engine: Engine,
  member: Member,
  caches: readonly MountedCache[],
): { readonly command?: readonly string[]; readonly args?: readonly string[]; readonly env: JsonObject[] } {
  const added = additionsOf(memberContextOf(deployment, engine, member, mountedEngineFilesOf(caches)));
  const variables = [...added.env, ...member.template.spec.containers[0].env];
  const { programs, bootstrap, operated } = profileOf(deployment, engine).profile;
  const isAlone = member.role === 'Standalone' || operated;
  const env = isAlone ? variables : renderGangEnvironment(deployment.group, variables);
  const { command, args: declared } = startContainerOf(engine, member);
  const args = added.args.length > 0 ? [...(declared ?? []), ...added.args] : declared;
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

/** The name of the claim in a pod and its container. */
export const POD_CLAIM_NAME = 'devices';

function renderContainerResources(
  { member, claims, requests, extended = {} }: ComputedMember,
  hasChannel: boolean,
): JsonObject {
  const [container] = member.template.spec.containers;
  // Requests and limits of an extended resource must be equal.
  const devices = Object.fromEntries(Object.entries(extended).map(([name, count]) => [name, String(count)]));
  const names = [...(claims.length > 0 ? [POD_CLAIM_NAME] : []), ...(hasChannel ? [CHANNEL_CLAIM_NAME] : [])];
  const allRequests = { ...requests, ...devices };
  const limits = { ...container.resources.limits, ...devices };
  const parts = {
    ...(Object.keys(allRequests).length > 0 && { requests: allRequests }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(names.length > 0 && { claims: names.map((name) => ({ name })) }),
  };
  return Object.keys(parts).length > 0 ? { resources: parts } : {};
}

const LEADER_ADDRESS_VARIABLE = 'FLEETWRIGHT_LEADER_ADDRESS';

/** The variables that describe a gang to its pods, from the variables of the LeaderWorkerSet controller. */
const GANG_VARIABLES = {
  [LEADER_ADDRESS_VARIABLE]: '$(LWS_LEADER_ADDRESS)',
  FLEETWRIGHT_RANK: '$(LWS_WORKER_INDEX)',
  FLEETWRIGHT_GROUP_SIZE: '$(LWS_GROUP_SIZE)',
} as const;

type NamedVariable = JsonObject & { readonly name: string };

/** Additional names that the arguments of deployments in each API group can use. */
const GANG_VARIABLES_OF_GROUP: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  'fleetwright.dev': {},
  'modelplane.ai': { MODELPLANE_LEADER_ADDRESS: '$(LWS_LEADER_ADDRESS)', MODELPLANE_RANK: '$(LWS_WORKER_INDEX)' },
};

/**
 * Returns the environment of a pod of a gang. Generated variables come first, because Kubernetes expands `$(NAME)`
 * only from preceding variables. A variable of the user replaces a generated variable with the same name.
 */
function renderGangEnvironment(group: Group, declared: readonly NamedVariable[]): JsonObject[] {
  const names = new Set(declared.map(({ name }) => name));
  const generated = Object.entries({ ...GANG_VARIABLES, ...GANG_VARIABLES_OF_GROUP[group] })
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ name, value }));
  return [...generated, ...declared];
}
