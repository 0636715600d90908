import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { DeclaredRemedy } from '../../plan/declared-remedy';
import { placesAll } from '../plan/remedy-text';
import { listChoices } from './remedy-steps';
import { describeKept } from './shortfall-changes';
import type { UnplacedFinding } from './unplaced-findings';
import { describeEnough, isUndone } from './unplaced-advice';

/**
 * Finds the nodes that are advised first for several replicas, with limits, as remedies to declare together. Undefined:
 * something else is advised first.
 */
export function findNodesForGroup(
  finding: UnplacedFinding,
  diff: FleetDiff,
  findMoreNodes: (() => MoreNodes | undefined) | undefined,
): DeclaredRemedy[] | undefined {
  const moreNodes = isAdvisedNodes(finding, diff) ? findMoreNodes?.() : undefined;
  if (!moreNodes || describeEnough(finding.deployments, moreNodes) === undefined) return undefined;
  const { extra, newPool, limits = [] } = moreNodes;
  const [{ id }] = finding.deployments;
  const added = (newPool ?? extra)?.nodes ?? [];
  const isNew = newPool !== undefined && { newPool: true as const };
  return [
    ...added.map((one) => ({ deployment: id, remedy: { kind: 'nodes' as const, ...one, ...isNew } })),
    ...limits.map((limit) => ({ deployment: limit.deployment, remedy: { kind: 'limit' as const, ...limit } })),
  ];
}

/** Whether nodes for all replicas come first where some are enough. */
function isAdvisedNodes({ deployments }: UnplacedFinding, diff: FleetDiff): boolean {
  const [{ id, shortfall, stopped }, ...others] = deployments;
  if (!shortfall || deployments.every(isUndone)) return false;
  const choices = listChoices(shortfall, stopped);
  if (choices.length === 0 || others.length > 0) return choices.length > 0;
  return describeKept(id, diff) === undefined && !choices.some((one) => placesAll(one, shortfall));
}
