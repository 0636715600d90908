import type { Resource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { ReplicaChange } from '../plan/replica-moves';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import { PodMatcher } from '../scheduler/devices/match-pod';
import type { Reason } from '../scheduler/reason';
import { findRetained } from '../scheduler/retained-replicas';
import type { EvictionReason } from '../scheduler/schedule-result';
import { shapeDigestOf } from '../scheduler/shape-digest';
import type { FleetState } from './fleet-state';
import { assembleTried, listNeeded, replaceResource } from './tried-declarations';

/** The rules for which a replica does not stay whatever else runs on its cluster. */
const OF_CLUSTER: ReadonlySet<Reason['filter']> = new Set(['selector', 'taint', 'backend', 'devices']);

/** Whether a replica does not stay for a rule that its deployment and its cluster decide alone. */
export function isRuledOut(reason: EvictionReason | undefined): boolean {
  return reason?.kind === 'rejected' && OF_CLUSTER.has(reason.rejection.reason.filter);
}

/**
 * Creates a function that tells whether a replica of the earlier fleet does not stay, for the rule for which it goes, if
 * one declaration is another.
 */
export function createEvictionTrial(
  before: FleetState,
  deployment: ModelDeployment,
  change: ReplicaChange,
): (edited: Resource) => boolean {
  const resources = listNeeded(before, deployment, (change.from ?? change).cluster);
  const filter = filterOf(change.reason);
  return (edited) => {
    const reason = findEviction(before, replaceResource(resources, edited), { deployment, change });
    return filterOf(reason) === filter;
  };
}

function filterOf(reason: EvictionReason | undefined): Reason['filter'] | undefined {
  return reason?.kind === 'rejected' ? reason.rejection.reason.filter : undefined;
}

/** Why a replica of the earlier fleet does not stay where these are the declarations. Undefined: it does. */
function findEviction(
  before: FleetState,
  resources: readonly Resource[],
  { deployment: own, change }: { readonly deployment: ModelDeployment; readonly change: ReplicaChange },
): EvictionReason | undefined {
  const fleet = assembleTried(before, resources);
  const [deployment] = fleet ? compileDeployments(fleet, () => '').deployments : [];
  if (!fleet || !deployment) return undefined;
  const { cluster, index, pools } = change.from ?? change;
  const line = { deployment: qualifiedNameOf(own), cluster, index, pools, shape: shapeDigestOf(own) };
  const clusters = new Map(compileClusters(fleet).map((one) => [one.name, one]));
  const [outcome] = findRetained(deployment, [line], { clusters, matcher: new PodMatcher() }).outcomes;
  if (!outcome) return undefined;
  if ('reason' in outcome) return outcome.reason;
  return 'leaves' in outcome ? outcome.leaves : undefined;
}
