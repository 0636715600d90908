import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { allOf } from '../../base/text';
import type { Remedy } from '../../scheduler/remedy';
import { titleOf } from '../plan/remedy-text';
import type { UnplacedDeployment, UnplacedFinding } from './unplaced-findings';

/** What the only remedy of a deployment is: the cheapest, or that for all replicas where a cheaper one is for some. */
export function labelOnly(
  remedy: Remedy | undefined,
  deployments: UnplacedFinding['deployments'],
  moreNodes: MoreNodes | undefined,
): string | undefined {
  const [{ shortfall, missing }] = deployments;
  if (!remedy || !shortfall) return undefined;
  const title = titleOf({ remedies: [remedy] });
  if (remedy === shortfall.remedies[0]) return `${title}${nameScope(deployments, moreNodes)}`;
  return missing > 1 ? `${title} for ${nameAll(deployments)}` : undefined;
}

/** What nodes for all replicas are, next to remedies for some: not the cheapest where one of those may help all for less. */
export function labelNodes(remedies: readonly Remedy[], deployments: UnplacedFinding['deployments']): string {
  const [{ missing }, ...others] = deployments;
  const isUnsure = others.length === 0 && missing > 1 && remedies.some(({ helps }) => helps === undefined);
  return `${isUnsure ? '' : 'cheapest '}for ${nameAll(deployments)}`;
}

/** `both replicas`, `all replicas`, `all 5 replicas` of several deployments. */
function nameAll(deployments: readonly UnplacedDeployment[]): string {
  const count = countMissing(deployments);
  if (deployments.length > 1) return allOf(count, 'replica');
  return count === 2 ? 'both replicas' : 'all replicas';
}

/** ` for it alone`, where other deployments lack places too. */
function nameScope(deployments: UnplacedFinding['deployments'], moreNodes: MoreNodes | undefined): string {
  return isOneOfSeveral(deployments, moreNodes) ? ' for it alone' : '';
}

/** Whether other deployments lack places too, so that a remedy may take the room of theirs, or help them as well. */
export function isOneOfSeveral(deployments: readonly UnplacedDeployment[], moreNodes: MoreNodes | undefined): boolean {
  if (!moreNodes) return false;
  const all = moreNodes.stranded.reduce((sum, one) => sum + one.replicas, moreNodes.replicas);
  return all > countMissing(deployments);
}

/** The replicas without a place of all deployments. */
export function countMissing(deployments: readonly UnplacedDeployment[]): number {
  return deployments.reduce((sum, { missing }) => sum + missing, 0);
}
