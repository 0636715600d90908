import type { DeviceRequest } from '../../api/device-request';
import type { Engine, EngineMember } from '../../api/engine';
import type { ModelDeployment } from '../../api/model-deployment';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import type { DerivedStart, EngineProfile } from '../../catalog/engines/engine-profile';
import { type ContainerSettings, findNumberSetting, findSetting, readContainerSettings } from '../container-settings';
import type { MemberContainer } from '../command-line';

/** What a deployment with a model says of its engine. */
export interface Handwritten {
  /** Absent: no engine is written. */
  readonly engine?: Engine;

  /** The member that answers, or the only one. */
  readonly member?: EngineMember;
  readonly container: MemberContainer | undefined;
  readonly profile: EngineProfile;
  readonly start: DerivedStart;

  /** The settings in the arguments of the engine. */
  readonly settings: ContainerSettings;

  /** The device requests of a pod. Absent: none are written. */
  readonly requests?: readonly DeviceRequest[];

  /** The devices of these requests, GPUs and others. */
  readonly devices?: number;

  /** The nodes of a gang, and TP. Absent: they are not written. */
  readonly nodes?: number;
  readonly tensor?: number;
}

/** Reads the fields that are written next to a model. */
export function readHandwritten({ spec }: ModelDeployment): Handwritten {
  const name = spec.model?.engine ?? 'vLLM';
  const profile = ENGINE_PROFILES[name];
  const start = profile.derived;
  if (!start) throw new Error(`bug: no engine is derived for ${name}`);
  const [engine] = spec.template.spec.engines;
  const member = engine && (engine.members.find(({ role }) => role !== 'Worker') ?? engine.members[0]);
  const container = member?.template.spec.containers[0];
  const settings = readContainerSettings(startOf(container, start), profile);
  const nodes = engine && nodesOf(engine);
  return {
    ...(engine && { engine }),
    ...(member && { member }),
    container,
    profile,
    start,
    settings,
    ...(nodes !== undefined && { nodes }),
    ...countsOf(member, settings),
  };
}

/** The container as it is started. */
function startOf(container: MemberContainer | undefined, start: DerivedStart): MemberContainer {
  const command = container?.command ?? start.command;
  return { ...(container ?? BARE), ...(command && { command: [...command] }) };
}

/** The nodes of an engine whose members are written. */
function nodesOf({ members }: Engine): number | undefined {
  if (members.length === 0) return undefined;
  return members.reduce((sum, { role, worker }) => sum + (role === 'Worker' ? (worker?.nodes ?? 1) : 1), 0);
}

/** The written devices of a pod, and the written TP. */
function countsOf(
  member: EngineMember | undefined,
  settings: ContainerSettings,
): Pick<Handwritten, 'devices' | 'requests' | 'tensor'> {
  const requests = member?.nodeSelector?.devices;
  const devices = requests?.reduce((sum, { count }) => sum + count, 0);
  const { tensor } = settings.profile.parallelism;
  const tp = findSetting(settings, tensor) ? findNumberSetting(settings, tensor, 1) : undefined;
  return {
    ...(requests && { requests }),
    ...(devices !== undefined && { devices }),
    ...(tp !== undefined && { tensor: tp }),
  };
}

/** The container of an engine of which nothing is written. */
export const BARE: MemberContainer = {
  name: 'engine',
  image: '',
  env: [],
  resources: { requests: {}, limits: {} },
};
