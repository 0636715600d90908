import { ComponentResource, type CustomResourceOptions, type Resource } from '@pulumi/pulumi';
import { resourceNameOf } from './resource-names';

/** A planned pool. */
interface PlannedPool {
  readonly name: string;

  /** The machine type and the zones that are requested: `a3-highgpu-8g_us-central1-a`. */
  readonly machines: string;
}

/**
 * The machine request of a pool, as the parent of the pool. If the cloud has no such machines, Pulumi reports the
 * failed resource with the error of the cloud; the name of its parent shows the requested machines in the output of
 * any engine.
 *
 * URNs do not contain names of parents: another machine type creates another request, and the pool stays the same
 * resource.
 */
class PoolRequest extends ComponentResource {
  constructor(cluster: string, { name, machines }: PlannedPool, parent: Resource) {
    super('fleetwright:index:PoolRequest', resourceNameOf(cluster, `${name}_${machines}`), {}, { parent });
    this.registerOutputs();
  }
}

/**
 * The options that make a pool a child of its machine request. The alias keeps pools that were children of their
 * cluster.
 */
export function createPoolRequest(
  cluster: string,
  planned: PlannedPool,
  parent: Resource,
): Pick<CustomResourceOptions, 'parent' | 'aliases'> {
  return { parent: new PoolRequest(cluster, planned, parent), aliases: [{ parent }] };
}
