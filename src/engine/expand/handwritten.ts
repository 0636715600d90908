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

  /** Devices of a pod. Absent: none are written. */
  readonly devices?: number;

  /** The nodes of a gang, and TP. Absent: they are not written. */
  readonly nodes?: number;
  readonly tensor?: number;
}

/** Reads the fields that are written next to a model. */
export function readHandwritten({ spec }: ModelDeployment): Handwritten {
  const name = spec.model?.engine ?? 'vLLM';
  const profile = ENGINE_PROFILES[name];
  if (!profile.derived) throw new Error(`bug: no engine is derived for ${name}`);
  const [engine] = spec.template.spec.engines;
  const member = engine && (engine.members.find(({ role }) => role !== 'Worker') ?? engine.members[0]);
  const container = member?.template.spec.containers[0];
  const command = container?.command ?? profile.derived.command;
  const started = { ...(container ?? BARE), ...(command && { command: [...command] }) };
  const settings = readContainerSettings(started, profile);
  const worker = engine?.members.find(({ role }) => role === 'Worker');
  const devices = member?.nodeSelector?.devices.reduce((sum, { count }) => sum + count, 0);
  const { tensor } = profile.parallelism;
  const tp = findSetting(settings, tensor) ? findNumberSetting(settings, tensor, 1) : undefined;
  return {
    ...(engine && { engine }),
    ...(member && { member }),
    container,
    profile,
    start: profile.derived,
    settings,
    ...(devices !== undefined && { devices }),
    ...(engine && engine.members.length > 0 && { nodes: 1 + (worker ? (worker.worker?.nodes ?? 1) : 0) }),
    ...(tp !== undefined && { tensor: tp }),
  };
}

const BARE: MemberContainer = {
  name: 'engine',
  image: '',
  env: [],
  resources: { requests: {}, limits: {} },
};
