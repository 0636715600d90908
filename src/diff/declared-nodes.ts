import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet/fleet';
import { instanceTypeOf } from '../fleet/prices/node-price';
import { cloudTypeNameOf } from '../fleet/hardware/cloud-instance-types';
import { isManagedCloud } from '../provision/managed-cloud';
import type { CloudChange } from './cloud-changes';
import { compareGpus } from './pool-gpus';
import { type ChangesById, selectCauses } from './replica-causes';

/**
 * Lists the node pools of clusters that exist already whose nodes are declared with another machine. People or other
 * tools replace these nodes, some at a time.
 */
export function listDeclaredNodes(before: Fleet, after: Fleet, changed: ChangesById): CloudChange[] {
  const former = new Map(before.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return after.clusters.flatMap((cluster): CloudChange[] => {
    const { name } = cluster.metadata;
    const was = former.get(name);
    if (!was || [was, cluster].some(({ spec }) => isManagedCloud(spec.cluster.source))) return [];
    return cluster.spec.nodePools.flatMap((pool): CloudChange[] => {
      const [old, machine] = [machineOf(before, was, pool.name), machineOf(after, cluster, pool.name)];
      if (old === undefined || machine === undefined || old === machine) return [];
      const gpus = compareGpus(pool.name, { cluster: was, fleet: before }, { cluster, fleet: after });
      const field = 'machineType';
      const fields = [{ field, path: [field], before: old, after: machine }];
      const causes = [
        ...selectCauses(changed, [`InferenceCluster ${name}`], ({ field: edited }) => {
          return edited === `spec.nodePools[${pool.name}].className`;
        }),
        ...selectCauses(changed, [`InferenceClass ${pool.className}`]),
      ];
      return [
        {
          cluster: name,
          kind: 'NodePool',
          name: pool.name,
          action: 'roll',
          fields,
          machine,
          ...(gpus && { gpus }),
          causes,
        },
      ];
    });
  });
}

function machineOf(fleet: Fleet, cluster: InferenceCluster, pool: string): string | undefined {
  const className = cluster.spec.nodePools.find(({ name }) => name === pool)?.className;
  const declared = fleet.classes.find(({ metadata }) => metadata.name === className);
  const type = declared && instanceTypeOf({ declared, cluster });
  return type === undefined ? undefined : cloudTypeNameOf({ name: type });
}
