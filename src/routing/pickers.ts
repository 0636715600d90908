import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { blockSizeOf, cachesPrefixes } from '../engine/checks/block-size';
import type { Fleet } from '../fleet/fleet';
import { findAnsweringEngine } from './health-checks';
import type { EdgeTarget } from './select-targets';
import type { Picker } from './traffic-types';

/** The block size in tokens if it is unknown: the default of the picker and of vLLM. */
const DEFAULT_BLOCK_SIZE = 16;

type PrefixPicker = Extract<Picker, { kind: 'PrefixCache' }>;

/** Returns the endpoint picker of a deployment, without a pool. */
export function prefixPickerOf(deployment: ModelDeployment): PrefixPicker {
  const { mode } = deployment.spec.template.spec.serving;
  const blockSize = blockSizeOf(deployment, findAnsweringEngine(deployment)) ?? DEFAULT_BLOCK_SIZE;
  return { kind: 'PrefixCache', mode, blockSize };
}

/** Returns how an edge selects a pod: as declared, as session affinity or prefill/decode requires, or as the fleet says. */
export function pickerOf(
  { spec }: ModelService,
  { deployment, cluster }: Pick<EdgeTarget, 'deployment' | 'cluster'>,
  settings: Fleet['settings'],
): Picker {
  const { sessionAffinity } = spec;
  const kind =
    spec.picker?.kind ?? (isPair(deployment) ? 'PrefixCache' : sessionAffinity ? 'ConsistentHash' : undefined);
  if ((kind ?? defaultKindOf(deployment, settings)) === 'PrefixCache') {
    return { ...prefixPickerOf(deployment), ...(spec.picker?.pool && canHavePool(cluster) && { pool: true }) };
  }
  return kind === 'ConsistentHash' && sessionAffinity
    ? { kind, header: sessionAffinity.header.toLowerCase() }
    : { kind: 'LeastRequest' };
}

export function isPair({ spec }: ModelDeployment): boolean {
  return spec.template.spec.serving.mode === 'PrefillDecode';
}

/** The default of the fleet, for engines that cache prefixes. */
function defaultKindOf(deployment: ModelDeployment, settings: Fleet['settings']): Picker['kind'] {
  const kind = settings?.spec.defaults.picker ?? 'LeastRequest';
  return kind === 'PrefixCache' && !cachesPrefixes(deployment, findAnsweringEngine(deployment)) ? 'LeastRequest' : kind;
}

/** Whether a cluster has, or will have, the kind InferencePool: it is installed, or the declaration mentions it. */
export function canHavePool({ spec }: InferenceCluster): boolean {
  return spec.servingStack.inferenceCrds !== undefined;
}
