import type { EngineSetting } from '../../catalog/engines/engine-profile';
import type { ModelLayout, ModelLayouts } from '../../fleet/models/model-layouts';
import { formatCount } from '../../base/figures';
import { findSetting } from '../container-settings';
import { namesModel } from '../model-files';
import type { Handwritten } from './handwritten-fields';

interface DerivedArgument {
  readonly argument: string;

  /** A clause. */
  readonly reason: string;
}

interface Served {
  readonly chosen: ModelLayouts;
  readonly layout: ModelLayout;

  /** Whether the files are in a cache, which the engine gets by another argument. */
  readonly cached: boolean;
}

/** A flag, its value, and why. Nothing if it is not needed. */
type Rule = (served: Served, written: Handwritten) => Given | undefined;

interface Given {
  readonly setting: EngineSetting | undefined;

  /** Absent: a switch. */
  readonly value?: string;
  readonly reason: string;
}

const RULES: readonly Rule[] = [
  ({ chosen, cached }, { profile, settings }) =>
    cached || namesModel(settings)
      ? undefined
      : { setting: profile.model, value: chosen.repository, reason: 'spec.model.repository' },
  ({ chosen, cached }, { start }) =>
    cached || chosen.revision === undefined
      ? undefined
      : { setting: { flags: [start.revision] }, value: chosen.revision, reason: 'the commit of the model' },
  ({ chosen, cached }, { profile, settings }) =>
    !cached || namesModel(settings)
      ? undefined
      : {
          setting: profile.servedName,
          value: chosen.repository,
          reason: 'clients name the repository, also where the files are in a cache',
        },
  ({ chosen }, { profile }) => ({
    setting: profile.memory?.context,
    value: String(chosen.context),
    reason: `requests have at most ${formatCount(chosen.context)} tokens`,
  }),
  ({ chosen }, { profile }) =>
    chosen.quantization === undefined
      ? undefined
      : {
          setting: profile.precision.quantization,
          value: chosen.quantization,
          reason: 'spec.model.quantization, to which the weights are converted',
        },
  ({ layout }, { profile }) => sizeOf(profile.parallelism.tensor, layout.tp, 'GPUs share each layer'),
  ({ layout }, { profile }) => sizeOf(profile.parallelism.pipeline, layout.pp, 'nodes share the layers'),
  ({ layout }, { profile }) => sizeOf(profile.parallelism.data, layout.dp, 'copies of the attention'),
  ({ layout }, { start }) =>
    layout.ep > 1 && start.expertParallel !== undefined
      ? { setting: { flags: [start.expertParallel] }, reason: 'whole experts are distributed over the GPUs' }
      : undefined,
  ({ layout }, { start }) =>
    start.requests && (layout.requests ?? 0) > start.requests.default
      ? {
          setting: { flags: [start.requests.flag] },
          value: String(layout.requests),
          reason: `the KV cache holds more than the ${start.requests.default} that the engine takes by default`,
        }
      : undefined,
];

function sizeOf(setting: EngineSetting | undefined, size: number, what: string): Given | undefined {
  return size === 1 ? undefined : { setting, value: String(size), reason: `${size} ${what}` };
}

/** The arguments that a model and its layout need, without those that are written. */
export function deriveArguments(served: Served, written: Handwritten): DerivedArgument[] {
  if (written.container?.command) return [];
  return RULES.flatMap((rule) => {
    const given = rule(served, written);
    const [flag] = given?.setting?.flags ?? [];
    if (!given || flag === undefined || findSetting(written.settings, given.setting)) return [];
    const argument = given.value === undefined ? flag : `${flag}=${given.value}`;
    return [{ argument, reason: given.reason }];
  });
}
