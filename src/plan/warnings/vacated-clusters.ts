import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { serviceNameOf } from '../../manifest/kubernetes/object-names';
import { hasLocalClients, listRoutedDeployments } from '../../routing/routed-deployments';
import type { Routing } from '../../routing/routing';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import type { Schedule } from '../../scheduler/schedule-result';

interface MovedReplicas extends Pick<Schedule, 'placements' | 'evictions'> {
  readonly routing: Pick<Routing, 'services'>;
}

/**
 * Finds clusters that all replicas of a deployment leave in a rebalance, and whose pods are its clients. No declaration
 * asks for these moves, so that no other finding of the plan is about them.
 */
export function findVacatedClusters(
  { deployments }: Pick<Fleet, 'deployments'>,
  { placements, evictions, routing }: MovedReplicas,
): Diagnostic<ResourcePath>[] {
  const moved = evictions.filter(({ reason }) => reason.kind === 'makes-room');
  if (moved.length === 0) return [];
  const [byId, routed] = [indexDeploymentsById(deployments), listRoutedDeployments(routing)];
  const present = groupByDeployment(placements);
  return [...groupBy(moved, ({ placement }) => placement.deployment)].flatMap(([id, own]) => {
    const resource = byId.get(id);
    if (!resource || !hasLocalClients(resource, routed)) return [];
    const clusters = own.map(({ placement }) => placement.cluster);
    const what = describeLeft(resource, clusters, present.get(id) ?? []);
    return what === undefined ? [] : [warningAt('cluster-left', { resource, path: [] }, what, HINT)];
  });
}

const HINT =
  "If a client uses it there, name another deployment that can move: '--rebalance NAMESPACE/NAME'. Or add nodes";

/** Undefined: a replica that stays is on each of the clusters. */
function describeLeft(
  resource: ModelDeployment,
  clusters: readonly string[],
  present: readonly Placement[],
): string | undefined {
  const staying = new Set(present.filter((one) => !one.draining).map(({ cluster }) => cluster));
  const left = sortUnique(clusters.filter((one) => !staying.has(one)));
  if (left.length === 0) return undefined;
  const isDraining = left.every((one) => present.some(({ cluster }) => cluster === one));
  const when = isDraining ? ' once old replicas are finalized' : '';
  return `the rebalance moves ${qualifiedNameOf(resource)} and its Service ${serviceNameOf(resource.metadata)} off ${joinAnd(left)}${when}: clients there get no answer any more`;
}
