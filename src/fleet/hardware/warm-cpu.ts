import type { InferenceClass } from '../../api/inference-class';
import type { NodePool } from '../../api/node-pool';
import { parseQuantity } from '../../cel/values/quantity';

/** The part of the CPU of a node that keeps it warm. The rest is for the agents that run on every node. */
const WARM_SHARE = 0.8;

/**
 * The CPU, in thousandths, that a pod requests to keep a node of a pool without engines: with it, two such pods do not
 * fit on a node. Undefined where the class does not state the CPU of its nodes.
 */
export function warmCpuOf(
  { className, reserved }: Pick<NodePool, 'className' | 'reserved'>,
  classes: readonly InferenceClass[],
): number | undefined {
  const declared = classes.find(({ metadata }) => metadata.name === className);
  const allocatable = declared?.spec.node.allocatable.cpu;
  if (allocatable === undefined) return undefined;
  const free =
    parseQuantity(allocatable).asApproximateFloat() - parseQuantity(reserved.cpu ?? '0').asApproximateFloat();
  return free > 0 ? Math.floor(free * 1000 * WARM_SHARE) : undefined;
}
