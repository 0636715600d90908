import type { WantedGpu } from '../../analyze/starter/starter-answers';
import { STARTER_CLOUD_NAMES, type StarterCloud } from '../../analyze/starter/starter-clouds';
import { gpusOfCloud } from '../../analyze/starter/starter-pools';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import { BUILT_IN_HARDWARE } from '../../fleet/hardware/hardware';
import { commandError, meantHint } from '../command-error';
import { parseOne, splitList } from './init-values';

/** A GPU of the flag, and the cloud that it is for. */
export interface GpuItem {
  readonly gpu: string;

  /** Absent: the clouds of which no item names a GPU. */
  readonly cloud?: StarterCloud;
}

/**
 * Parses `l4,h100` and `gke=h100,eks=l4`.
 *
 * @throws FleetwrightError when an item names a GPU or a cloud that is not known
 */
export function parseGpus(text: string): GpuItem[] {
  const known = sortUnique(STARTER_CLOUD_NAMES.flatMap(gpusOfCloud));
  const items = splitList(text).map((item): GpuItem => {
    const { cloud, name } = splitItem(item);
    if (name === '') throw commandError('bad-flag', '--gpus', `no GPU is given in '${item}'`, `Add it: ${item}l4`);
    const gpu = known.find((one) => one === name.toLowerCase());
    if (gpu === undefined) throw refuseGpu(name, known);
    return { gpu, ...(cloud !== undefined && { cloud: parseOne('--gpus', cloud, STARTER_CLOUD_NAMES) }) };
  });
  if (items.length > 0) return items;
  const hint = `Use one or more of ${joinNames(known, known.length)}`;
  throw commandError('bad-flag', '--gpus', 'no GPU is given', hint);
}

/** Splits `gke=h100`. */
function splitItem(item: string): { readonly cloud?: string; readonly name: string } {
  const at = item.indexOf('=');
  return at === -1 ? { name: item } : { cloud: item.slice(0, at), name: item.slice(at + 1) };
}

/** The known clouds that a text of the flag names, in the order of all. */
export function listNamedClouds(text: string): StarterCloud[] {
  const named = new Set(splitList(text).map((item) => splitItem(item).cloud?.toLowerCase()));
  return STARTER_CLOUD_NAMES.filter((cloud) => named.has(cloud));
}

/**
 * Assigns GPUs to the clouds of a fleet.
 *
 * @throws FleetwrightError when a cloud gets none, or a GPU is for no cloud
 */
export function assignGpus(items: readonly GpuItem[], clouds: readonly StarterCloud[]): WantedGpu[] {
  const rest = clouds.filter((cloud) => !items.some((item) => item.cloud === cloud));
  const problems = [...findForeign(items, clouds), ...findWithout(items, rest)];
  if (problems.length > 0) throw new FleetwrightError(problems);
  const wanted = items.map(({ gpu, cloud }): WantedGpu => ({ gpu, clouds: cloud === undefined ? rest : [cloud] }));
  return [...new Map(wanted.map((one) => [JSON.stringify(one), one])).values()];
}

function findForeign(items: readonly GpuItem[], clouds: readonly StarterCloud[]): Diagnostic[] {
  const foreign = sortUnique(
    items.flatMap(({ cloud }) => (cloud === undefined || clouds.includes(cloud) ? [] : cloud)),
  );
  return foreign.map((cloud) => {
    return errorAt('bad-flag', '--gpus', `'${cloud}' is not one of --clouds ${clouds.join(',')}`, 'Add it there');
  });
}

/** @param rest the clouds of which no item names a GPU */
function findWithout(items: readonly GpuItem[], rest: readonly StarterCloud[]): Diagnostic[] {
  const shared = items.filter(({ cloud }) => cloud === undefined).map(({ gpu }) => gpu);
  if (shared.length > 0 && rest.length === 0) {
    const what = `every cloud has GPUs of its own, so no cloud is left for ${joinNames(shared)}`;
    return [errorAt('bad-flag', '--gpus', what, `Name its cloud, as in 'gke=${shared[0]}'`)];
  }
  if (shared.length > 0) return [];
  return rest.map((cloud) =>
    errorAt('bad-flag', '--gpus', `no GPU is given for ${cloud}`, `Add '${cloud}=GPU', or a GPU without a cloud`),
  );
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
