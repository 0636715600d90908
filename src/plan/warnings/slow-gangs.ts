import { isGang } from '../../api/engine-copies';
import type { ResourcePath } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import { machineOf } from '../../provision/check-machine';
import { FABRICS } from '../../provision/check-pools';
import { isManagedCloud } from '../../provision/managed-cloud';
import type { ComputedReplica } from '../../replicas/replica';

/**
 * Finds gangs on nodes whose machines have a network for gangs that their pool does not ask for: it is there only for
 * nodes that are created with it. The nodes of a rack reach each other over NVLink.
 */
export function findSlowGangs(
  { classes, hardware }: Fleet,
  replicas: readonly ComputedReplica[],
): Diagnostic<ResourcePath>[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return replicas.flatMap(({ deployment, cluster, engines }) => {
    const { source } = cluster.spec.cluster;
    const fabric = isManagedCloud(source) ? FABRICS[source]?.type : undefined;
    if (!isManagedCloud(source) || fabric === undefined) return [];
    return engines.flatMap(({ engine, pool }) => {
      const declared = byName.get(pool.className);
      if (!isGang(engine) || !declared || pool.fabric.type !== 'None' || pool.rack !== undefined) return [];
      const { machine, type } = machineOf(declared, source, hardware.catalogue);
      if (type?.fabric !== fabric) return [];
      const at = { resource: cluster, path: ['spec', 'nodePools', cluster.spec.nodePools.indexOf(pool)] };
      const what = `the nodes of a gang of ${qualifiedNameOf(deployment)} on pool '${pool.name}' reach each other without the ${fabric} of ${machine}, which slows every request`;
      return [warningAt('slow-gang', at, what, `Set 'fabric: { type: ${fabric} }' of the pool`)];
    });
  });
}
