import { joinAnd, pluralize } from '../../base/text';
import type { ExtraReplicas } from '../../diff/extra-replicas';
import { formatRuleEdits } from '../../plan/remedy-messages';
import type { QuotaRaise } from '../../plan/short-quotas';

/** What an earlier change adds so that enough replicas serve, in short, and the most that it costs a month. */
export interface EarlierEdits {
  /** `set 'replicas: 2' (cost unchanged)`. */
  readonly text: string;

  /** The largest number: not known. */
  readonly cost: number;
}

/** `set 'replicas: 2' and 'nodeCount: 2' of us/h100`. */
export function listEdits({ replicas, nodes, newPool, joins, quotas = [], breaks = [] }: ExtraReplicas): string {
  const copy = newPool?.copiedClass === undefined ? '' : ` and a copy of its class ${newPool.copiedClass}`;
  const instead = joins ? ` instead of ${joins.nodes}` : '';
  const parts = [
    `set 'replicas: ${replicas}'`,
    ...(nodes ? [`'${nodes.field}: ${nodes.to}' of ${nodes.pool}${instead}`] : []),
    ...(newPool
      ? [
          `declare ${joins ? 'its' : 'a'} node pool '${newPool.name}' like ${newPool.like} with ${pluralize(newPool.nodes, 'node')}${instead}${joins ? '' : copy}`,
        ]
      : []),
    ...quotas.map(formatQuotaRaise),
    ...breaks.map((rule) => formatRuleEdits([rule])),
  ];
  return joinAnd(parts);
}

/** `raise the quota of queue 'models' and 'scheduler.quota' of hpc from 20 to 24 gpu.nvidia.com`. */
export function formatQuotaRaise({ cluster, queue, resource, from, to }: QuotaRaise): string {
  return `raise the quota of queue '${queue}' and 'scheduler.quota' of ${cluster} from ${from} to ${to} ${resource}`;
}
