import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { expandModels } from '../engine/expand/expand-models';
import { assemble, type Fleet } from '../fleet/fleet';
import type { Manifest } from '../manifest/kubernetes/manifest';
import type { ReplicaChange } from '../plan/replica-moves';
import { renderCluster } from '../render/cluster';
import { computeReplicas } from '../replicas/compute-replicas';
import { compileClusters } from '../scheduler/compile/compile-clusters';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import { PodMatcher } from '../scheduler/devices/match-pod';
import { shapeDigestOf } from '../scheduler/shape-digest';
import type { FleetState } from './fleet-state';
import { diffManifests } from './object-changes';
import type { Cause } from './replica-causes';
import { findRolledReplicas } from './replica-changes';
import { addNewDeclarations, createDecisiveSelector, createEditApplier } from './single-edits';

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
      return selectEdits(causes, {
        scope: JSON.stringify([change.action === 'roll', cluster, pools]),
        evaluate: createTrial({ ...before, resources }, deployment, change),
        isDecisive: (isChanged) => isChanged,
      });
    };
  };
}

/** Whether a replica changes because of what its pods are: they restart, or need another place than before. */
function isTried({ action, reason, from, pools }: ReplicaChange): boolean {
  if (action === 'roll') return !from || JSON.stringify(from.pools) === JSON.stringify(pools);
  return reason?.kind === 'shape';
}

/** Creates a function that tells whether a replica changes if one declaration is another. */
function createTrial(
  before: FleetState,
  deployment: ModelDeployment,
  change: ReplicaChange,
): (edited: Resource) => boolean {
  const resources = listNeeded(before, deployment, (change.from ?? change).cluster);
  const stateOf = (edited?: Resource): TriedState | undefined => {
    const id = edited && resourceIdOf(edited);
    const all = resources.map((one) => (edited && resourceIdOf(one) === id ? edited : one));
    return readReplica(before, all, change);
  };
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

/** The declarations that decide what the pods of a deployment on a cluster are. */
function listNeeded({ resources, decision }: FleetState, deployment: ModelDeployment, cluster: string): Resource[] {
  const { namespace } = deployment.metadata;
  const pools = decision.fleet.clusters.find(({ metadata }) => metadata.name === cluster)?.spec.nodePools ?? [];
  const ids = new Set([
    resourceIdOf(deployment),
    `InferenceCluster ${cluster}`,
    ...pools.map(({ className }) => `InferenceClass ${className}`),
  ]);
  const isNeeded = (one: Resource): boolean =>
    one.kind === 'Fleet' || (one.kind === 'ModelCache' && one.metadata.namespace === namespace);
  return resources.filter((one) => isNeeded(one) || ids.has(resourceIdOf(one)));
}

interface TriedState {
  readonly shape: string;

  /** Absent: only the shape is of interest. */
  readonly manifests?: readonly Manifest[];
}

function readReplica(
  { decision }: FleetState,
  resources: readonly Resource[],
  change: ReplicaChange,
): TriedState | undefined {
  const { fleet: earlier, previous, renderers } = decision;
  const assembled = { ...assemble(resources, earlier.hardware), ...(earlier.models && { models: earlier.models }) };
  const fleet = expandModels(assembled, { layouts: previous.layouts });
  const [deployment] = fleet.deployments;
  const [cluster] = fleet.clusters;
  if (!deployment || !cluster || fleet.modelFaults) return undefined;
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
