import { ComponentResource, type CustomResourceOptions, type Resource } from '@pulumi/pulumi';
import { resourceNameOf } from './resource-names';

/** A pool as it was planned. */
interface PlannedPool {
  readonly name: string;

  /** The machine type and the zones that a cloud is asked for: `a3-highgpu-8g_us-central1-a`. */
  readonly machines: string;
}

/**
 * What a pool asks its cloud for, above the pool. Where there are no such machines, Pulumi names the resource that
 * fails, and the cloud says the rest in words of its own; what a run prints has this beside it, whatever the engine.
 *
 * Names of parents are in no URN: another machine type makes another of these, and the pool stays what it is.
 */
class PoolRequest extends ComponentResource {
  constructor(cluster: string, { name, machines }: PlannedPool, parent: Resource) {
    super('fleetwright:index:PoolRequest', resourceNameOf(cluster, `${name}_${machines}`), {}, { parent });
    this.registerOutputs();
  }
}

/** What makes a pool a child of its request. Pools that were children of their cluster stay what they are. */
export function createPoolRequest(
  cluster: string,
  planned: PlannedPool,
  parent: Resource,
): Pick<CustomResourceOptions, 'parent' | 'aliases'> {
  return { parent: new PoolRequest(cluster, planned, parent), aliases: [{ parent }] };
}
