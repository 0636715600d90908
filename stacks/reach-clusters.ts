import type { Input } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Locate } from '../src/api/locate';
import type { Path } from '../src/api/resource';
import { FleetwrightError, type Problem } from '../src/errors';
import { nearest } from '../src/nearest';
import type { Cluster } from './cluster';
import type { ExistingClusterArgs } from './existing-cluster';

/** What says how clusters are reached, by their names. */
export interface Reaches {
  /**
   * Clusters that the program made or found, by name.
   *
   * @default - none: those that exist already are reached as they declare
   */
  readonly clusters?: Readonly<Record<string, Cluster>>;

  /**
   * The kubeconfigs of clusters that exist already and name a Secret, by the name of the cluster.
   *
   * @default - none
   */
  readonly kubeconfigs?: Readonly<Record<string, Input<string>>>;
}

/** How a cluster is reached: it is given, or it is made from what it declares. */
export type Reach = { readonly given: Cluster } | { readonly existing: ExistingClusterArgs };

/**
 * How each of some clusters of a fleet is reached.
 *
 * @param all the names of all clusters of the fleet
 * @throws FleetwrightError with every cluster that cannot be reached, and every name that is of no cluster
 */
export function reachClusters(
  wanted: readonly InferenceCluster[],
  all: readonly string[],
  reaches: Reaches,
  locate: Locate,
): ReadonlyMap<string, Reach> {
  const found = wanted.map((cluster) => [cluster.metadata.name, reachOf(cluster, reaches, locate)] as const);
  const problems = found.flatMap(([, reach]) => ('problem' in reach ? [reach.problem] : []));
  const named = Object.keys({ ...reaches.clusters, ...reaches.kubeconfigs });
  const unknown = named.filter((name) => !all.includes(name)).map((name) => unknownCluster(name, all));
  if (problems.length + unknown.length > 0) throw new FleetwrightError([...problems, ...unknown]);
  return new Map(found.flatMap(([name, reach]) => ('problem' in reach ? [] : [[name, reach] as const])));
}

/** A name that is of no cluster of the fleet. */
export function unknownCluster(name: string, all: readonly string[]): Problem {
  const meant = nearest(name, all);
  return {
    code: 'unknown-cluster',
    where: name,
    what: 'the fleet has no cluster of this name',
    hint: meant === undefined ? `Use one of ${all.join(', ')}` : `Use '${meant}'`,
  };
}

function reachOf(
  cluster: InferenceCluster,
  { clusters = {}, kubeconfigs = {} }: Reaches,
  locate: Locate,
): Reach | { readonly problem: Problem } {
  const { name } = cluster.metadata;
  const given = clusters[name];
  if (given) return given.name === name ? { given } : { problem: otherCluster(name, given) };
  const { source, existing } = cluster.spec.cluster;
  if (source !== 'Existing' || !existing) return { problem: notMade(cluster, locate) };
  const kubeconfig = kubeconfigs[name];
  // A context is of the kubeconfig in the Secret: the user's own file may have another cluster under that name.
  if (existing.secretRef !== undefined && kubeconfig === undefined)
    return { problem: noConfig(cluster, locate) };
  const { context } = existing;
  return {
    existing: { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) },
  };
}

function otherCluster(name: string, given: Cluster): Problem {
  const hint = `Pass it as clusters['${given.name}']`;
  return { code: 'other-cluster', where: name, what: `the cluster given for it is '${given.name}'`, hint };
}

function notMade(cluster: InferenceCluster, locate: Locate): Problem {
  const { name } = cluster.metadata;
  const { source } = cluster.spec.cluster;
  return problem(cluster, ['spec', 'cluster', 'source'], locate, {
    code: 'not-provisioned',
    what: `clusters of ${source} can be planned and rendered, and this release does not make them`,
    hint: `Pass an ExistingCluster as clusters['${name}'], or choose another cluster with fleetwright:cluster`,
  });
}

function noConfig(cluster: InferenceCluster, locate: Locate): Problem {
  const { name } = cluster.metadata;
  return problem(cluster, ['spec', 'cluster', 'existing', 'secretRef'], locate, {
    code: 'no-kubeconfig',
    what: `nothing gives the kubeconfig of cluster '${name}'`,
    hint: `Run 'pulumi config set --secret --path fleetwright:kubeconfigs.${name} < KUBECONFIG', or pass it as kubeconfigs`,
  });
}

function problem(
  cluster: InferenceCluster,
  path: Path,
  locate: Locate,
  said: Omit<Problem, 'where'>,
): Problem {
  return { ...said, where: locate(cluster, path) };
}
