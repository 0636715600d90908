import { isProvider } from '../../api/cloud-providers';
import { clusterLabelsOf } from '../../api/cluster-labels';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import { PROVIDER_LABEL } from '../../api/labels';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { joinAlternatives, joinAnd, joinNames } from '../../base/text';
import { REGIONS } from '../../catalog/regions';
import type { Fleet } from '../../fleet/fleet';
import { minAllocatableOf } from '../../fleet/hardware/allocatable';
import { type Catalogue, resolveInstanceTypes } from '../../fleet/hardware/hardware';
import { RESOURCE_NAMES } from '../../scheduler/compile/resource-requests';
import { nameResources, REPORTED } from './unknown-allocatable';

/**
 * Finds classes of a macro that take CPU and memory from the machines of clouds, although a cluster that uses them is
 * not on any of these clouds. Such a class states the GPUs of a node; the rest is a guess.
 */
export function findAssumedMachines({ classes, clusters, hardware }: Fleet): Diagnostic<ResourcePath>[] {
  return classes.flatMap((resource) => {
    const assumed = findAssumption(resource, hardware.catalogue);
    if (!assumed) return [];
    const users = clusters.filter(({ spec }) =>
      spec.nodePools.some(({ className }) => className === resource.metadata.name),
    );
    const elsewhere = users.filter((cluster) => !isOnCloud(cluster, assumed.providers));
    if (elsewhere.length === 0) return [];
    const where = joinNames(elsewhere.map(({ metadata }) => metadata.name));
    const what = `the ${assumed.amounts} of nodes on ${where} ${assumed.count > 1 ? 'are' : 'is'} taken from ${assumed.machines}`;
    const state =
      users.length > elsewhere.length
        ? `Declare a class for ${where}, with spec.node.allocatable as`
        : 'Set spec.node.allocatable to';
    const label = `If the nodes are such machines, set the label ${PROVIDER_LABEL} of the cluster to ${joinAlternatives(assumed.providers)}`;
    const hint = `${state} ${REPORTED}. ${label}`;
    return [warningAt('unknown-allocatable', { resource, path: ['spec', 'from'] }, what, hint)];
  });
}

/** What a class takes from machines that its nodes may not be. */
interface Assumption {
  /** `CPU (191450m) and memory (1438535Mi)`. */
  readonly amounts: string;
  readonly count: number;
  readonly machines: string;
  readonly providers: readonly string[];
}

function findAssumption({ spec: { from = '', node } }: InferenceClass, catalogue: Catalogue): Assumption | undefined {
  if (!catalogue.macros.has(from)) return undefined;
  const types = resolveInstanceTypes(from, catalogue);
  const providers = types.map(({ name }) => REGIONS.find(({ prefix }) => name.startsWith(`${prefix}/`))?.provider);
  const known = providers.filter((provider) => provider !== undefined);
  // A macro that names a machine of the house may stand for that machine.
  if (known.length < providers.length) return undefined;
  const estimate = minAllocatableOf(types);
  const names = RESOURCE_NAMES.filter(
    (name) => estimate[name] !== undefined && estimate[name] === node.allocatable[name],
  );
  if (names.length === 0) return undefined;
  const amounts = joinAnd(names.map((name) => `${nameResources([name])} (${estimate[name]})`));
  const machines = types.map(({ name }) => name);
  return {
    amounts,
    count: names.length,
    machines: `${joinAnd(machines)}${machines.length > 1 ? ', the lower of each' : ''}`,
    providers: known,
  };
}

/** Pools on a cluster that Fleetwright creates have the machine of its cloud, or an error. */
function isOnCloud(cluster: InferenceCluster, providers: readonly string[]): boolean {
  return isProvider(cluster.spec.cluster.source) || providers.includes(clusterLabelsOf(cluster)[PROVIDER_LABEL] ?? '');
}
