import { isDeepEqual } from '../../base/deep-equal';
import { isMap } from '../../base/json';
import { sortUnique } from '../../base/order';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FieldChange } from '../../diff/field-changes';
import type { Choice } from './choices';

const POOL_FIELD = /^spec\.nodePools\[(?<pool>[^\]]+)\]$/;

/**
 * Lists the node pools that are declared under another name, so that replicas move from nodes that nothing else changes:
 * to keep the name costs nothing. A change that has another reason too is left out.
 */
export function listRenamedPools(changes: readonly ReplicaChangeWithCauses[]): Choice[] {
  const renames = changes.map(({ causes }) => {
    const pools = causes.flatMap(({ id, field }) => {
      const pool = POOL_FIELD.exec(field?.field ?? '')?.groups?.['pool'];
      return field && pool !== undefined ? [{ cluster: id.replace('InferenceCluster ', ''), pool, field }] : [];
    });
    const gone = pools.find(({ field }) => field.after === undefined);
    const added = pools.find(({ cluster, field }) => cluster === gone?.cluster && field.before === undefined);
    const isRename = gone && added && isSamePool(gone.field, added.field) && causes.length === 2;
    return isRename ? `keep the name '${gone.pool}' of the node pool ${added.cluster}/${added.pool}` : undefined;
  });
  const all = renames.flatMap((one) => one ?? []);
  return all.length === renames.length ? sortUnique(all).map((text) => ({ text, cost: 0 })) : [];
}

function isSamePool({ before }: FieldChange, { after }: FieldChange): boolean {
  if (!isMap(before) || !isMap(after)) return false;
  return isDeepEqual({ ...before, name: '' }, { ...after, name: '' });
}
