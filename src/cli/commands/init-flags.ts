import { CI_SYSTEMS, GITOPS_TOOLS, type StarterAnswers, type WantedGpu } from '../../analyze/starter/starter-answers';
import { MANAGED_STARTER_CLOUDS, STARTER_CLOUD_NAMES, type StarterCloud } from '../../analyze/starter/starter-clouds';
import { suggestGpus } from '../../analyze/starter/starter-pools';
import { attemptAll } from '../../base/attempt';
import { joinNames } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { BUILT_IN_MODELS } from '../../fleet/models/model-book';
import { commandError } from '../command-error';
import type { OutputFlags } from '../output';
import { requireModel } from './fit';
import { assignGpus, listNamedClouds, parseGpus } from './init-gpus';
import { parseOne, splitList } from './init-values';

/** The flags of `fleetwright init`, as they are written. */
export interface InitFlags extends OutputFlags {
  readonly clouds?: string;
  readonly model?: string;
  readonly gpus?: string;
  readonly gitops?: string;
  readonly pulumi?: boolean;
  readonly existing?: string;
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
    clouds: () => chooseClouds(flags),
    model: () => requireModel(flags.model ?? DEFAULT_MODEL, BUILT_IN_MODELS),
    wanted: () => (flags.gpus === undefined ? undefined : parseGpus(flags.gpus)),
    gitops: () => (flags.gitops === undefined ? undefined : parseOne('--gitops', flags.gitops, GITOPS_TOOLS)),
    ci: () => parseOne('--ci', flags.ci ?? 'github', CI_SYSTEMS),
  });
  const gpus = wanted ? assignGpus(wanted, clouds) : chooseGpus(model, clouds);
  const existing = parseExisting(flags, clouds);
  return { clouds, gpus, model, ...(gitops && { gitops }), pulumi: flags.pulumi ?? false, existing, ci, version };
}

/** The clouds of `--clouds`; without it, those that `--gpus` names. */
export function chooseClouds({ clouds, gpus = '' }: Pick<InitFlags, 'clouds' | 'gpus'>): StarterCloud[] {
  const named = clouds === undefined ? listNamedClouds(gpus) : [];
  return named.length > 0 ? named : parseClouds(clouds);
}

function parseClouds(text: string = DEFAULT_CLOUD): StarterCloud[] {
  const clouds = splitList(text).map((name) => parseOne('--clouds', name, STARTER_CLOUD_NAMES));
  if (clouds.length > 0) return STARTER_CLOUD_NAMES.filter((name) => clouds.includes(name));
  throw commandError(
    'bad-flag',
    '--clouds',
    'no cloud is given',
    `Use one or more of ${joinNames(STARTER_CLOUD_NAMES)}`,
  );
}

/** The clouds of `--existing`. @throws FleetwrightError when the fleet has no cluster there */
function parseExisting({ existing = '' }: InitFlags, clouds: readonly StarterCloud[]): StarterCloud[] {
  return splitList(existing).map((text) => {
    const cloud = parseOne('--existing', text, MANAGED_STARTER_CLOUDS);
    if (clouds.includes(cloud)) return cloud;
    throw commandError('bad-flag', '--existing', `'${cloud}' is not one of --clouds ${clouds.join()}`, 'Add it there');
  });
}

/** @throws FleetwrightError when no GPU serves the model */
function chooseGpus(model: ModelRow, clouds: readonly StarterCloud[]): WantedGpu[] {
  const gpus = suggestGpus(model, clouds);
  if (gpus.length > 0) return gpus.map((gpu) => ({ gpu, clouds }));
  const what = `no GPU of the catalog serves ${model.repository} on ${joinNames(clouds)}`;
  const hint = `Run 'fleetwright fit ${model.repository} --all' for the reasons, or use another model`;
  throw commandError('unknown-hardware', '--model', what, hint);
}
