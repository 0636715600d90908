import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { joinAnd } from '../base/text';
import { indexDeploymentsById } from '../fleet/fleet';
import { NAMESPACE_NAME_LABEL } from '../manifest/kubernetes/labels-and-annotations';
import type { PlacedFleet } from '../plan/decision';
import type { DeclarationChange } from './declaration-changes';
import { type Cause, toCauses } from './replica-causes';
import { listFrozen } from './replica-changes';

/** Pods and addresses that the NetworkPolicy of a deployment with replicas admits since a change, or no longer. */
export interface PeerChange {
  /** `namespace/name`. */
  readonly deployment: string;

  /** `pods of namespace apps`, `addresses of 10.0.0.0/8`. Those that are admitted no longer. */
  readonly lost: readonly string[];

  /** Those that are admitted now. */
  readonly gained: readonly string[];

  /** The edits that it comes from. */
  readonly causes: readonly Cause[];
}

type Decided = Pick<PlacedFleet, 'fleet' | 'schedule' | 'held'>;
type NetworkPolicy = ModelDeployment['spec']['template']['spec']['networkPolicy'];
type Peer = NetworkPolicy['from'][number];
type Selector = NonNullable<Peer['podSelector']>;

const ALL_PODS = 'all other pods';

/** Compares what the NetworkPolicies of deployments admit that have replicas before and after. */
export function diffPeers(declarations: readonly DeclarationChange[], before: Decided, after: Decided): PeerChange[] {
  const edited = new Map(declarations.flatMap((one) => (one.action === 'changed' ? [[one.id, one] as const] : [])));
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const [had, has] = [before, after].map(({ schedule }) => new Set(schedule.placements.map((one) => one.deployment)));
  const frozen = listFrozen(after);
  return after.fleet.deployments.flatMap((is): PeerChange[] => {
    const deployment = qualifiedNameOf(is);
    const was = earlier.get(deployment);
    const edit = edited.get(`ModelDeployment ${deployment}`);
    const serves = had?.has(deployment) && has?.has(deployment) && !frozen.has(deployment);
    if (!was || !edit || !serves) return [];
    const [old, now] = [was, is].map((one) => one.spec.template.spec.networkPolicy);
    const [lost, gained] = [listMissing(old, now), listMissing(now, old)];
    const causes = toCauses(edit).filter(({ field }) => POLICY.test(field?.field ?? ''));
    return lost.length + gained.length > 0 ? [{ deployment, lost, gained, causes }] : [];
  });
}

const POLICY = /^spec\.template\.spec\.networkPolicy\b/;

/** What one policy admits and the other does not. */
function listMissing(one: NetworkPolicy | undefined, other: NetworkPolicy | undefined): string[] {
  if (!one || !other?.enabled) return [];
  if (!one.enabled) return [ALL_PODS];
  const kept = new Set(other.from.map(keyOf));
  const admitsAll = other.from.some(admitsAllPods);
  return one.from.filter((peer) => !kept.has(keyOf(peer)) && !(admitsAll && !peer.ipBlock)).map(describePeer);
}

function keyOf({ namespaceSelector, podSelector, ipBlock }: Peer): string {
  return JSON.stringify([selectorKeyOf(namespaceSelector), selectorKeyOf(podSelector), ipBlock?.cidr]);
}

function selectorKeyOf(selector: Peer['podSelector']): unknown {
  if (!selector) return undefined;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [Object.entries(matchLabels).toSorted(([a], [b]) => (a < b ? -1 : 1)), matchExpressions];
}

function admitsAllPods({ namespaceSelector, podSelector }: Peer): boolean {
  return namespaceSelector !== undefined && isEmpty(namespaceSelector) && (!podSelector || isEmpty(podSelector));
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: Selector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

function describePeer({ namespaceSelector, podSelector, ipBlock }: Peer): string {
  if (ipBlock) return `addresses of ${ipBlock.cidr}`;
  const pods = podSelector && !isEmpty(podSelector) ? `pods with ${describeSelector(podSelector)}` : 'pods';
  return `${pods} of ${describeNamespaces(namespaceSelector)}`;
}

function describeNamespaces(selector: Peer['namespaceSelector']): string {
  if (!selector) return 'its namespace';
  if (isEmpty(selector)) return 'all namespaces';
  const { [NAMESPACE_NAME_LABEL]: name, ...others } = selector.matchLabels ?? {};
  const isNamed = name !== undefined && Object.keys(others).length + (selector.matchExpressions ?? []).length === 0;
  return isNamed ? `namespace ${name}` : `namespaces with ${describeSelector(selector)}`;
}

function describeSelector({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values }) => {
    return values && values.length > 0 ? `${key} ${operator} (${values.join(', ')})` : `${key} ${operator}`;
  });
  return joinAnd([...labels, ...expressions]);
}
