import type { Input } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Locate } from '../src/api/locate';
import type { Path } from '../src/api/resource';
import type { Problem } from '../src/errors';
import type { Fleet } from '../src/fleet';
import { type Unread, unreadNames } from '../src/manifest/unread';
import { nearest } from '../src/nearest';
import { compareText } from '../src/order';
import { provisioningFaults } from '../src/provision/check-provisioning';
import { isMade } from '../src/provision/made-on';
import { isBlank } from './blank-text';
import type { Cloud } from './cloud';
import type { Cluster } from './cluster';
import { defaultCloud } from './default-clouds';
import type { ExistingClusterArgs } from './existing-cluster';
import { setKubeconfig } from './set-kubeconfig';

/** What says how clusters are reached or made. */
export interface Reaches {
  /**
   * Clusters that the program made or found, by name.
   *
   * @default - none: those that exist already are reached as they declare, those on GKE and EKS are made
   */
  readonly clusters?: Readonly<Record<string, Cluster>>;

  /**
   * The kubeconfigs of clusters that exist already, by the name of the cluster. One on a cloud that has a kubeconfig
   * is not made.
   *
   * @default - none
   */
  readonly kubeconfigs?: Readonly<Record<string, Input<string>>>;

  /**
   * What makes clusters, where it is not to be as it comes: `gke()` of `fleetwright/stacks/gke` and `eks()` of
   * `fleetwright/stacks/eks`.
   *
   * @default - GKE in the project `gcp:project` of the stack's configuration, and EKS
   */
  readonly clouds?: readonly Cloud[];
}

/** How a cluster is reached: it is given, it exists and declares how, or a cloud makes it. */
export type Reach =
  | { readonly given: Cluster }
  | { readonly existing: ExistingClusterArgs }
  | { readonly madeBy: Cloud };

/** A fleet whose declarations are sound. */
interface Declared {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/** How some clusters are reached, by name, and what is wrong. */
interface Reached {
  readonly found: ReadonlyMap<string, Reach>;

  /** Every cluster that cannot be reached or made. */
  readonly problems: readonly Problem[];
}

/** How each of some clusters of a fleet is reached. */
export function reachClusters(
  wanted: readonly InferenceCluster[],
  reaches: Reaches,
  declared: Declared,
): Reached {
  const each = wanted.map((cluster) => [cluster.metadata.name, reachOf(cluster, reaches, declared)] as const);
  return {
    found: new Map(each.flatMap(([name, reach]) => ('problems' in reach ? [] : [[name, reach] as const]))),
    problems: each.flatMap(([, reach]) => ('problems' in reach ? reach.problems : [])),
  };
}

/**
 * The clusters that are given, given a kubeconfig or meant as the only one, and that the fleet does not have.
 *
 * @param unread what could not be read: where it may be a cluster of any name, nothing is known to be missing.
 *   Default: none
 */
export function unknownClusters(
  reaches: Reaches,
  only: string | undefined,
  { clusters }: Fleet,
  unread: readonly Unread[] = [],
): Problem[] {
  const broken = unreadNames(unread, 'InferenceCluster');
  if (!broken) return [];
  const all = [...clusters.map(({ metadata }) => metadata.name), ...broken].sort(compareText);
  const named = new Set([
    ...Object.keys({ ...reaches.clusters, ...reaches.kubeconfigs }),
    ...(only === undefined ? [] : [only]),
  ]);
  return [...named].filter((name) => !all.includes(name)).map((name) => unknownCluster(name, all));
}

function unknownCluster(name: string, all: readonly string[]): Problem {
  const meant = nearest(name, all);
  return {
    code: 'unknown-cluster',
    where: name,
    what: 'the fleet has no cluster of this name',
    hint: meant === undefined ? `Use one of ${all.join(', ')}` : `Use '${meant}'`,
  };
}

type Found = Reach | { readonly problems: readonly Problem[] };

function reachOf(cluster: InferenceCluster, reaches: Reaches, declared: Declared): Found {
  const { name } = cluster.metadata;
  const given = reaches.clusters?.[name];
  if (given) return given.name === name ? { given } : { problems: [otherCluster(name, given)] };
  const kubeconfig = reaches.kubeconfigs?.[name];
  // Of one that would be made it would take away all that was made.
  if (isBlank(kubeconfig)) return { problems: [emptyConfig(cluster, declared.locate)] };
  if (cluster.spec.cluster.source === 'Existing') return existing(cluster, kubeconfig, declared);
  return kubeconfig === undefined ? made(cluster, reaches, declared) : { existing: { kubeconfig } };
}

function existing(
  cluster: InferenceCluster,
  kubeconfig: Input<string> | undefined,
  { locate }: Declared,
): Found {
  const { secretRef, context } = cluster.spec.cluster.existing ?? {};
  // A context is of the kubeconfig in the Secret: the user's own file may have another cluster under that name.
  if (secretRef !== undefined && kubeconfig === undefined) return { problems: [noConfig(cluster, locate)] };
  return {
    existing: { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) },
  };
}

function made(cluster: InferenceCluster, { clouds = [] }: Reaches, { fleet, locate }: Declared): Found {
  const { source } = cluster.spec.cluster;
  if (!isMade(source)) return { problems: [notMade(cluster, locate)] };
  const madeBy = clouds.find((cloud) => cloud.source === source) ?? defaultCloud(source);
  const refusal = madeBy.refusal();
  const faults = [...provisioningFaults([cluster], fleet)];
  const problems = [
    ...(refusal ? [problem(cluster, SOURCE, locate, refusal)] : []),
    ...faults.map(({ resource, path, ...said }) => ({ ...said, where: locate(resource, path) })),
  ];
  return problems.length > 0 ? { problems } : { madeBy };
}

const SOURCE: Path = ['spec', 'cluster', 'source'];

function otherCluster(name: string, given: Cluster): Problem {
  const hint = `Pass it as clusters['${given.name}']`;
  return { code: 'other-cluster', where: name, what: `the cluster given for it is '${given.name}'`, hint };
}

function notMade(cluster: InferenceCluster, locate: Locate): Problem {
  const { source } = cluster.spec.cluster;
  return problem(cluster, SOURCE, locate, {
    code: 'not-provisioned',
    what: `clusters on ${source} are planned and rendered, and not made`,
    hint: configured(cluster),
  });
}

function noConfig(cluster: InferenceCluster, locate: Locate): Problem {
  return problem(cluster, ['spec', 'cluster', 'existing', 'secretRef'], locate, {
    code: 'no-kubeconfig',
    what: `nothing gives the kubeconfig of cluster '${cluster.metadata.name}'`,
    hint: configured(cluster),
  });
}

function emptyConfig(cluster: InferenceCluster, locate: Locate): Problem {
  return problem(cluster, SOURCE, locate, {
    code: 'no-kubeconfig',
    what: `the kubeconfig of cluster '${cluster.metadata.name}' is empty`,
    hint: configured(cluster),
  });
}

function configured({ metadata: { name } }: InferenceCluster): string {
  return `Run ${setKubeconfig(name)}, or pass it as kubeconfigs`;
}

function problem(
  cluster: InferenceCluster,
  path: Path,
  locate: Locate,
  said: Omit<Problem, 'where'>,
): Problem {
  return { ...said, where: locate(cluster, path) };
}
