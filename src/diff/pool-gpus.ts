import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet/fleet';

interface ClusterInFleet {
  readonly cluster: InferenceCluster;
  readonly fleet: Pick<Fleet, 'classes'>;
}

/** The devices of each node of a pool before and after: `8 x NVIDIA H100 80GB HBM3`. */
export interface GpusChange {
  readonly before: string;
  readonly after: string;
}

/** The products of the devices of a pool in two states. Undefined where they are not known in both. */
export function compareGpus(
  pool: string,
  was: ClusterInFleet | undefined,
  is: ClusterInFleet | undefined,
): GpusChange | undefined {
  const [before, after] = [was, is].map((one) => one && nameGpus(one, pool));
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** Undefined where no device states its product. */
function nameGpus({ cluster, fleet }: ClusterInFleet, pool: string): string | undefined {
  const { className } = cluster.spec.nodePools.find(({ name }) => name === pool) ?? {};
  const devices = fleet.classes.find(({ metadata }) => metadata.name === className)?.spec.devices ?? [];
  const names = devices.flatMap((one) => {
    const product = productOf(one);
    return product === undefined ? [] : [`${one.count} x ${product}`];
  });
  return names.length === 0 ? undefined : names.join(' + ');
}

function productOf({ attributes = {} }: InferenceClass['spec']['devices'][number]): string | undefined {
  const [, value] = Object.entries(attributes).find(([name]) => /(^|\/)productName$/.test(name)) ?? [];
  return value && 'string' in value ? value.string : undefined;
}
