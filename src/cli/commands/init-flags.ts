import { CI_SYSTEMS, GITOPS_TOOLS, type StarterAnswers } from '../../analyze/starter/starter-answers';
import { STARTER_CLOUD_NAMES, type StarterCloud } from '../../analyze/starter/starter-clouds';
import { gpusOfCloud, suggestGpus } from '../../analyze/starter/starter-pools';
import { attemptAll } from '../../base/attempt';
import type { FleetwrightError } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { BUILT_IN_HARDWARE } from '../../fleet/hardware/hardware';
import { BUILT_IN_MODELS } from '../../fleet/models/model-book';
import { commandError, meantHint } from '../command-error';
import type { OutputFlags } from '../output';
import { requireModel } from './fit';

/** The flags of `fleetwright init`, as they are written. */
export interface InitFlags extends OutputFlags {
  readonly clouds?: string;
  readonly model?: string;
  readonly gpus?: string;
  readonly gitops?: string;
  readonly pulumi?: boolean;
  readonly ci?: string;
  readonly yes?: boolean;
  readonly quiet?: boolean;
}

/** The model of a new fleet where no flag names one. */
export const DEFAULT_MODEL = 'Qwen/Qwen3-8B';

/** The cloud of a new fleet where no flag names one. */
export const DEFAULT_CLOUD: StarterCloud = 'existing';

/** @throws FleetwrightError when a flag has a value that is not known */
export function parseInitFlags(flags: InitFlags, version: string): StarterAnswers {
  const { clouds, model, wanted, gitops, ci } = attemptAll({
    clouds: () => parseClouds(flags.clouds),
    model: () => requireModel(flags.model ?? DEFAULT_MODEL, BUILT_IN_MODELS),
    wanted: () => (flags.gpus === undefined ? undefined : parseGpus(flags.gpus)),
    gitops: () => (flags.gitops === undefined ? undefined : parseOne('--gitops', flags.gitops, GITOPS_TOOLS)),
    ci: () => parseOne('--ci', flags.ci ?? 'github', CI_SYSTEMS),
  });
  const gpus = wanted ?? chooseGpus(model, clouds);
  return { clouds, gpus, model, ...(gitops && { gitops }), pulumi: flags.pulumi ?? false, ci, version };
}

export function parseClouds(text: string = DEFAULT_CLOUD): StarterCloud[] {
  const clouds = splitList(text).map((name) => parseOne('--clouds', name, STARTER_CLOUD_NAMES));
  if (clouds.length > 0) return STARTER_CLOUD_NAMES.filter((name) => clouds.includes(name));
  throw commandError(
    'bad-flag',
    '--clouds',
    'no cloud is given',
    `Use one or more of ${joinNames(STARTER_CLOUD_NAMES)}`,
  );
}

/** @throws FleetwrightError when no GPU serves the model */
function chooseGpus(model: ModelRow, clouds: readonly StarterCloud[]): string[] {
  const gpus = suggestGpus(model, clouds);
  if (gpus.length > 0) return gpus;
  const what = `no GPU of the catalog serves ${model.repository} on ${joinNames(clouds)}`;
  const hint = `Run 'fleetwright fit ${model.repository} --all' for the reasons, or use another model`;
  throw commandError('unknown-hardware', '--model', what, hint);
}

function parseGpus(text: string): string[] {
  const known = sortUnique(STARTER_CLOUD_NAMES.flatMap(gpusOfCloud));
  const names = splitList(text).map((name) => {
    const found = known.find((one) => one === name.toLowerCase());
    if (found !== undefined) return found;
    throw refuseGpu(name, known);
  });
  if (names.length > 0) return sortUnique(names);
  const hint = `Use one or more of ${joinNames(known, known.length)}`;
  throw commandError('bad-flag', '--gpus', 'no GPU is given', hint);
}

/** The engines of a new fleet need CUDA, so what the catalog has of other vendors is not for them. */
function refuseGpu(name: string, known: readonly string[]): FleetwrightError {
  const lower = name.toLowerCase();
  if (!BUILT_IN_HARDWARE.catalogue.gpus.has(lower)) {
    return commandError('unknown-hardware', '--gpus', `there is no GPU '${name}'`, hintAtGpu(lower, known));
  }
  const what = `'init' takes the NVIDIA GPUs of the catalog, and ${lower} is not one`;
  const hint = `${useOneOf(known)}. Then change the class and the image of the engine to those for ${lower}`;
  return commandError('unknown-hardware', '--gpus', what, hint);
}

function useOneOf(names: readonly string[]): string {
  return `Use one of ${joinNames(names, names.length)}`;
}

/** The hint for an unknown GPU. A family such as `a100` has several, and `h100-80gb` is `h100` with its memory. */
function hintAtGpu(name: string, known: readonly string[]): string {
  const sizes = known.filter((one) => one.startsWith(`${name}-`));
  const family = known.find((one) => name.startsWith(`${one}-`));
  if (sizes.length > 1) return useOneOf(sizes);
  return meantHint(sizes[0] ?? family ?? suggestName(name, known), useOneOf(known));
}

function parseOne<T extends string>(flag: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text.trim().toLowerCase());
  if (found !== undefined) return found;
  const hint = meantHint(suggestName(text, known), `Use one of ${joinNames(known)}`);
  throw commandError('bad-flag', flag, `'${text}' is not known`, hint);
}

function splitList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
