import type { NodePool } from '../api/node-pool';
import type { Problem } from '../errors';
import { plural } from '../plan/format';
import type { NodeView } from './node-view';
import { type Expected, type Verdict, verdictOn } from './verdicts';

/** What a snapshot says of a pool. */
export interface PoolJudgement {
  /** Declared nodes that the snapshot shows as not there for new replicas. */
  readonly lost: number;
  /** Why, where some are lost. */
  readonly warning?: Problem;
  /** The nodes that count, whose devices are worth a look. */
  readonly counted: readonly NodeView[];
}

/**
 * Judges the size of a pool by its recorded nodes.
 *
 * A pool of fixed size has for new replicas the nodes that count, and never more than it declares. One that is
 * autoscaled can still grow by what its recorded nodes lack of `maxNodeCount`, so it loses only nodes that are
 * there and do not count: a node that cannot be used still takes a place in the pool.
 *
 * @param nodes the recorded nodes of the pool
 * @param where the place of the pool in its manifest
 */
export function judgePool(nodes: readonly NodeView[], expected: Expected, where: string): PoolJudgement {
  const { pool } = expected;
  const judged = nodes.map((node) => ({ node, verdict: verdictOn(node, expected) }));
  const counted = judged.flatMap(({ node, verdict }) => (verdict ? [] : [node]));
  const out = judged.flatMap(({ node, verdict }) => (verdict ? [{ node, verdict }] : []));
  const declared = pool.maxNodeCount ?? pool.nodeCount;
  const growth = pool.maxNodeCount === undefined ? 0 : Math.max(0, pool.maxNodeCount - nodes.length);
  const lost = Math.max(0, declared - counted.length - growth);
  if (lost === 0) return { lost, counted };
  return { lost, counted, warning: warning({ pool, declared, lost, out, where }) };
}

interface Loss {
  readonly pool: NodePool;
  readonly declared: number;
  readonly lost: number;
  readonly out: readonly { readonly node: NodeView; readonly verdict: Verdict }[];
  readonly where: string;
}

/** More reasons than this are counted. */
const MOST_SHOWN = 4;

function warning({ pool, declared, lost, out, where }: Loss): Problem {
  const missing = Math.max(0, lost - out.length);
  const reasons = [
    ...out.slice(0, MOST_SHOWN).map(({ node, verdict }) => `${node.name} ${verdict.what}`),
    ...(out.length > MOST_SHOWN ? [`${out.length - MOST_SHOWN} more do not count`] : []),
    ...(missing > 0 ? [`${plural(missing, 'node')} of the pool not recorded`] : []),
  ];
  const [first] = out;
  return {
    code: 'lost-nodes',
    where: first?.node.place() ?? where,
    what: `pool '${pool.name}' has ${declared - lost} of ${plural(declared, 'node')} for new replicas: ${reasons.join('; ')}`,
    hint: first?.verdict.hint ?? 'Lower its size if they will not come, or check the pool label of its nodes',
  };
}
