import { groupBy } from '../../base/order';
import { joinAnd } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { PeerChange } from '../../diff/peer-changes';
import { type Clause, joinFew, limitClauses, rankClauses } from './clauses';

/** Says which pods and addresses NetworkPolicies admit now, or no longer. */
export function listPeerClauses({ peers = [] }: Pick<FleetDiff, 'peers'>): Clause[] {
  const alike = groupBy(peers, ({ lost, gained }) => JSON.stringify([lost, gained]));
  const texts = [...alike.values()].map((group) => {
    const names = group.map(({ deployment }) => deployment);
    return `${describeAdmitted(group)} to ${joinFew(names, 'deployments')}`;
  });
  return rankClauses('access', limitClauses(texts, 'changes which other clients are admitted'));
}

function describeAdmitted([first]: readonly PeerChange[]): string {
  const { lost = [], gained = [] } = first ?? {};
  if (lost.length === 0) return `also admits ${joinAnd(gained)}`;
  if (gained.length === 0) return `no longer admits ${joinAnd(lost)}`;
  return `admits ${joinAnd(gained)} instead of ${joinAnd(lost)}`;
}
