import type { Engine, EngineMember } from '../api/engine';
import { pairPhaseOf } from '../api/engine-phases';
import type { EngineProfile, EngineSetting } from '../catalog/engines/engine-profile';
import type { MemberContainer } from './command-line';
import { type ContainerSettings, findSetting, readContainerSettings, takesArguments } from './container-settings';
import {
  addMissingAdapters,
  addModel,
  type ContainerAdditions,
  type EngineFiles,
  type EnvVariable,
  mergeAdditions,
  NO_ADDITIONS,
} from './model-files';
import { containerSettingsOf, isLoopback, phasePortOf } from './ports-and-probe-defaults';
import { profileOf, type RunnableDeployment, servingMemberOf } from './runtime-detection';

/** A member of an engine with the data that decides which arguments are added to its container. */
export interface MemberContext {
  readonly deployment: RunnableDeployment;
  readonly engine: Engine;
  readonly member: EngineMember;

  /** The settings in the container. */
  readonly settings: ContainerSettings;
  readonly files: EngineFiles;
}

/** The context of a member. A Worker without a command starts like its Leader under `bootstrap: Auto`. */
export function memberContextOf(
  deployment: RunnableDeployment,
  engine: Engine,
  member: EngineMember,
  files: EngineFiles,
): MemberContext {
  const settings = readContainerSettings(startContainerOf(engine, member), profileOf(deployment, engine).profile);
  return { deployment, engine, member, settings, files };
}

/** The container of a member. A worker without a command gets the command line of its Leader. */
export function startContainerOf(engine: Engine, member: EngineMember): MemberContainer {
  const [container] = member.template.spec.containers;
  if (engine.bootstrap === 'None' || member.role !== 'Worker' || container.command || container.args) return container;
  const [{ command, args }] = servingMemberOf(engine).template.spec.containers;
  return { ...container, ...(command && { command }), ...(args && { args }) };
}

/** A function that adds what a profile requires and the user left out. */
type ProfileDefault = (context: MemberContext, profile: EngineProfile) => ContainerAdditions;

const defaultModel: ProfileDefault = ({ settings, files }) =>
  files.model === undefined ? NO_ADDITIONS : addModel(settings, files.model);

const defaultAdapters: ProfileDefault = ({ settings, files }) =>
  addMissingAdapters(settings, files.adapters) ?? NO_ADDITIONS;

/** An engine that listens only on its loopback address cannot be reached. */
const defaultHost: ProfileDefault = ({ member, settings }, profile) => {
  const [flag] = profile.host.flags;
  if (member.role === 'Worker' || flag === undefined || !isLoopback(profile.host.default)) return NO_ADDITIONS;
  return addFlag(settings, [flag, '0.0.0.0'], profile.host);
};

const defaultPort: ProfileDefault = ({ engine, member, settings }, profile) => {
  const [flag] = profile.port.flags;
  const wanted = phasePortOf(engine);
  if (wanted === undefined || member.role === 'Worker' || flag === undefined) return NO_ADDITIONS;
  return profile.port.default === wanted ? NO_ADDITIONS : addFlag(settings, [flag, String(wanted)], profile.port);
};

const defaultMetrics: ProfileDefault = ({ member, settings }, profile) =>
  member.role === 'Worker' ? NO_ADDITIONS : addSwitches(settings, profile.metrics?.switches ?? []);

const defaultDisaggregation: ProfileDefault = ({ engine, settings }, profile) => {
  const phase = pairPhaseOf(engine);
  if (!phase || !profile.disaggregation) return NO_ADDITIONS;
  const { flags: byPhase, env, podFields } = profile.disaggregation;
  const added = byPhase[phase].map((pair) => addFlag(settings, pair));
  const values = Object.entries(env).map(([name, value]) => ({ name, value }));
  return mergeAdditions(...added, addVariables(settings, [...toPodFieldVariables(podFields), ...values]));
};

const defaultBootstrap: ProfileDefault = (context, { bootstrap }) => {
  const { engine, member, settings } = context;
  if (engine.bootstrap === 'None' || !bootstrap) return NO_ADDITIONS;
  const variables = addVariables(settings, toPodFieldVariables(bootstrap.podFields));
  if (usesRay(context.deployment, engine)) return variables;
  const nodes = nodeCountOf(engine);
  const added = bootstrap.flags.map(([flag, value]) => addFlag(settings, [flag, value.replace('{nodes}', nodes)]));
  const switches = member.role === 'Worker' ? addSwitches(settings, bootstrap.workerSwitches) : NO_ADDITIONS;
  return mergeAdditions(...added, switches, variables);
};

/** In the order in which arguments are added. */
const PROFILE_DEFAULTS: readonly ProfileDefault[] = [
  defaultModel,
  defaultAdapters,
  defaultHost,
  defaultPort,
  defaultMetrics,
  defaultDisaggregation,
  defaultBootstrap,
];

/** All additions of a profile to the container of a member. */
export function additionsOf(context: MemberContext): ContainerAdditions {
  const { profile } = context.settings;
  return mergeAdditions(...PROFILE_DEFAULTS.map((fill) => fill(context, profile)));
}

/** The nodes of one copy of an engine. */
function nodeCountOf({ members }: Engine): string {
  return String(members.reduce((sum, { role, worker }) => sum + (role === 'Worker' ? (worker?.nodes ?? 1) : 1), 0));
}

/** Adds a flag unless the setting is given or arguments cannot be added. */
function addFlag(
  settings: ContainerSettings,
  [flag, value]: readonly [string, string],
  setting: EngineSetting = { flags: [flag] },
): ContainerAdditions {
  if (!takesArguments(settings) || findSetting(settings, setting)) return NO_ADDITIONS;
  return { args: [`${flag}=${value}`], env: [] };
}

function addSwitches(settings: ContainerSettings, all: readonly string[]): ContainerAdditions {
  if (!takesArguments(settings)) return NO_ADDITIONS;
  return { args: all.filter((flag) => !findSetting(settings, { flags: [flag] })), env: [] };
}

function addVariables({ variables }: ContainerSettings, all: readonly EnvVariable[]): ContainerAdditions {
  return { args: [], env: all.filter(({ name }) => !variables.has(name)) };
}

function toPodFieldVariables(fields: Readonly<Record<string, string>>): EnvVariable[] {
  return Object.entries(fields).map(([name, fieldPath]) => ({ name, valueFrom: { fieldRef: { fieldPath } } }));
}

/** Whether fleetwright writes the bootstrap of a gang and its nodes find each other through Ray. */
export function usesRay(deployment: RunnableDeployment, engine: Engine): boolean {
  const ray = profileOf(deployment, engine).profile.bootstrap?.ray;
  if (engine.bootstrap === 'None' || !ray) return false;
  return findSetting(containerSettingsOf(deployment, engine), ray.setting)?.value === ray.value;
}

/**
 * The command of a member of a gang on Ray. The leader starts the cluster and then its engine with the arguments of
 * its container; workers join once the leader responds. A worker that tried only once would exit and restart its
 * whole group.
 */
export function buildRayCommand(
  { role }: EngineMember,
  { program, port }: { readonly program: string; readonly port: number },
): readonly string[] {
  const leader = `"$FLEETWRIGHT_LEADER_ADDRESS:${port}"`;
  const script =
    role === 'Worker'
      ? `until ray health-check --address ${leader}; do sleep 5; done; exec ray start --block --address=${leader}`
      : `ray start --head --port=${port} && exec ${program} "$@"`;
  return ['sh', '-c', script, 'sh'];
}
