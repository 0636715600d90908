import type { Resource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { Manifest } from '../manifest/kubernetes/manifest';
import type { ReplicaChange } from '../plan/replica-moves';
import { renderCluster } from '../render/cluster';
import { computeReplicas } from '../replicas/compute-replicas';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import { PodMatcher } from '../scheduler/devices/match-pod';
import { shapeDigestOf } from '../scheduler/shape-digest';
import { createEvictionTrial, isRuledOut } from './eviction-trial';
import type { FleetState } from './fleet-state';
import { diffManifests } from './object-changes';
import type { Cause } from './replica-causes';
import { findRolledReplicas } from './rolled-replicas';
import { addNewDeclarations, createDecisiveSelector, createEditApplier } from './single-edits';
import { assembleTried, listNeeded, replaceResource } from './tried-declarations';

/** Selects the edits by which replicas change, of those that can be the cause. All where no single one can be blamed. */
export type SelectDecisive = (change: ReplicaChange, causes: readonly Cause[]) => readonly Cause[];

/**
 * The most deployments of which edits are tried: each edit is applied alone to the earlier declarations, and its replica
 * is rendered.
 */
const MAX_TRIED = 100;

/** Creates for each deployment a function that selects decisive edits. */
export function createDecisiveEdits(
  before: FleetState,
  after: FleetState,
): (deployment: ModelDeployment) => SelectDecisive {
  const apply = createEditApplier(before, after);
  // An edit that refers to a new cache says nothing without it.
  const resources = addNewDeclarations(before, after);
  let tried = 0;
  return (deployment) => {
    const selectEdits = createDecisiveSelector<boolean>(apply);
    let isTriedFirst = true;
    return (change, causes) => {
      if (causes.length < 2 || !isTried(change)) return causes;
      if (isTriedFirst) tried += 1;
      isTriedFirst = false;
      if (tried > MAX_TRIED) return causes;
      const { cluster, pools } = change.from ?? change;
      const kind = change.action === 'roll' ? change.action : change.reason?.kind;
      const createTrial = kind === 'rejected' ? createEvictionTrial : createPodTrial;
      return selectEdits(causes, {
        scope: JSON.stringify([kind, cluster, pools]),
        evaluate: createTrial({ ...before, resources }, deployment, change),
        isDecisive: (isChanged) => isChanged,
      });
    };
  };
}

/**
 * Whether a replica changes because of what its pods are, so that they restart or need another place than before, or
 * because of a rule for its cluster.
 */
function isTried({ action, reason, from, pools }: ReplicaChange): boolean {
  if (action === 'roll') return !from || JSON.stringify(from.pools) === JSON.stringify(pools);
  return reason?.kind === 'shape' || isRuledOut(reason);
}

/** Creates a function that tells whether the pods of a replica change if one declaration is another. */
function createPodTrial(
  before: FleetState,
  deployment: ModelDeployment,
  change: ReplicaChange,
): (edited: Resource) => boolean {
  const resources = listNeeded(before, deployment, (change.from ?? change).cluster);
  const stateOf = (edited?: Resource): TriedState | undefined =>
    readReplica(before, edited ? replaceResource(resources, edited) : resources, change);
  let own: { readonly state: TriedState | undefined } | undefined;
  return (edited) => {
    own ??= { state: stateOf() };
    // Without the earlier replica nothing can be compared, and all edits can be the cause.
    if (!own.state) return true;
    const is = stateOf(edited);
    if (!is?.manifests || !own.state.manifests) return is?.shape !== own.state.shape;
    return findRolledReplicas(diffManifests(change.cluster, own.state.manifests, is.manifests)).size > 0;
  };
}

interface TriedState {
  readonly shape: string;

  /** Absent: only the shape is of interest. */
  readonly manifests?: readonly Manifest[];
}

function readReplica(
  before: FleetState,
  resources: readonly Resource[],
  change: ReplicaChange,
): TriedState | undefined {
  const { renderers } = before.decision;
  const fleet = assembleTried(before, resources);
  const [deployment] = fleet?.deployments ?? [];
  const [cluster] = fleet?.clusters ?? [];
  if (!fleet || !deployment || !cluster) return undefined;
  const shape = shapeDigestOf(deployment);
  const { index, pools } = change.from ?? change;
  const place = { deployment: qualifiedNameOf(deployment), cluster: cluster.metadata.name, index, pools, shape };
  if (change.action !== 'roll') return { shape };
  try {
    return { shape, manifests: renderCluster(cluster, placeReplica(fleet, place), { fleet, renderers }) };
  } catch {
    // An edit alone may make declarations that only fit together with other edits.
    return undefined;
  }
}

function placeReplica(fleet: Fleet, place: Parameters<typeof computeReplicas>[3][number]) {
  const { deployments, warnings } = compileDeployments(fleet, () => '');
  const model = { deployments, clusters: compileClusters(fleet), warnings };
  return computeReplicas(fleet, model, new PodMatcher(), [place]);
}
