import type { Input } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import { type Locate, locateAll } from '../src/api/kinds';
import type { Path } from '../src/api/resource';
import { type Diagnostic, errorAt, relocate } from '../src/base/diagnostic';
import { suggestName } from '../src/base/name-suggestion';
import { compareText } from '../src/base/order';
import type { Fleet } from '../src/fleet/fleet';
import { type UnreadDocument, unreadNamesOf } from '../src/manifest/unread-documents';
import { checkProvisioning } from '../src/provision/check-provisioning';
import { isManagedCloud } from '../src/provision/managed-cloud';
import type { Cloud } from './cloud';
import type { Cluster } from './cluster';
import { formatSetKubeconfig, isBlank } from './config-values';
import { loadDefaultCloud } from './default-clouds';
import type { ExistingClusterArgs } from './existing-cluster';

/** What says how clusters are reached or made. */
export interface ClusterSources {
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
export type ClusterSource =
  | { readonly given: Cluster }
  | { readonly existing: ExistingClusterArgs }
  | { readonly madeBy: Cloud };

/** A fleet whose declarations are sound. */
interface SoundFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/** How some clusters are reached, by name, and what is wrong. */
interface ResolvedClusters {
  readonly found: ReadonlyMap<string, ClusterSource>;

  /** Every cluster that cannot be reached or made. */
  readonly problems: readonly Diagnostic[];
}

/** How each of some clusters of a fleet is reached. */
export function resolveClusters(
  wanted: readonly InferenceCluster[],
  reaches: ClusterSources,
  declared: SoundFleet,
): ResolvedClusters {
  const each = wanted.map(
    (cluster) => [cluster.metadata.name, resolveCluster(cluster, reaches, declared)] as const,
  );
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
export function checkUnknownClusters(
  reaches: ClusterSources,
  only: string | undefined,
  { clusters }: Fleet,
  unread: readonly UnreadDocument[] = [],
): Diagnostic[] {
  const broken = unreadNamesOf(unread, 'InferenceCluster');
  if (!broken) return [];
  const all = [...clusters.map(({ metadata }) => metadata.name), ...broken].sort(compareText);
  const named = new Set([
    ...Object.keys({ ...reaches.clusters, ...reaches.kubeconfigs }),
    ...(only === undefined ? [] : [only]),
  ]);
  return [...named].filter((name) => !all.includes(name)).map((name) => unknownClusterProblem(name, all));
}

function unknownClusterProblem(name: string, all: readonly string[]): Diagnostic {
  const meant = suggestName(name, all);
  return errorAt(
    'unknown-cluster',
    name,
    'the fleet has no cluster of this name',
    meant === undefined ? `Use one of ${all.join(', ')}` : `Use '${meant}'`,
  );
}

type ResolvedSource = ClusterSource | { readonly problems: readonly Diagnostic[] };

function resolveCluster(
  cluster: InferenceCluster,
  reaches: ClusterSources,
  declared: SoundFleet,
): ResolvedSource {
  const { name } = cluster.metadata;
  const given = reaches.clusters?.[name];
  if (given) return given.name === name ? { given } : { problems: [otherClusterProblem(name, given)] };
  const kubeconfig = reaches.kubeconfigs?.[name];
  // Of one that would be made it would take away all that was made.
  if (isBlank(kubeconfig)) return { problems: [emptyKubeconfigProblem(cluster, declared.locate)] };
  if (cluster.spec.cluster.source === 'Existing') return resolveExisting(cluster, kubeconfig, declared);
  return kubeconfig === undefined ? resolveMade(cluster, reaches, declared) : { existing: { kubeconfig } };
}

function resolveExisting(
  cluster: InferenceCluster,
  kubeconfig: Input<string> | undefined,
  { locate }: SoundFleet,
): ResolvedSource {
  const { secretRef, context } = cluster.spec.cluster.existing ?? {};
  // A context is of the kubeconfig in the Secret: the user's own file may have another cluster under that name.
  if (secretRef !== undefined && kubeconfig === undefined)
    return { problems: [noKubeconfigProblem(cluster, locate)] };
  return {
    existing: { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) },
  };
}

function resolveMade(
  cluster: InferenceCluster,
  { clouds = [] }: ClusterSources,
  { fleet, locate }: SoundFleet,
): ResolvedSource {
  const { source } = cluster.spec.cluster;
  if (!isManagedCloud(source)) return { problems: [notProvisionedProblem(cluster, locate)] };
  const madeBy = clouds.find((cloud) => cloud.source === source) ?? loadDefaultCloud(source);
  const refusal = madeBy.refusal();
  const problems = [
    ...(refusal ? [toProblem(cluster, SOURCE_PATH, locate, refusal)] : []),
    ...locateAll([...checkProvisioning([cluster], fleet)], locate),
  ];
  return problems.length > 0 ? { problems } : { madeBy };
}

const SOURCE_PATH: Path = ['spec', 'cluster', 'source'];

function otherClusterProblem(name: string, given: Cluster): Diagnostic {
  const hint = `Pass it as clusters['${given.name}']`;
  return errorAt('other-cluster', name, `the cluster given for it is '${given.name}'`, hint);
}

function notProvisionedProblem(cluster: InferenceCluster, locate: Locate): Diagnostic {
  const { source } = cluster.spec.cluster;
  return toProblem(
    cluster,
    SOURCE_PATH,
    locate,
    errorAt(
      'not-provisioned',
      undefined,
      `clusters on ${source} are planned and rendered, and not made`,
      formatKubeconfigHint(cluster),
    ),
  );
}

function noKubeconfigProblem(cluster: InferenceCluster, locate: Locate): Diagnostic {
  return toProblem(
    cluster,
    ['spec', 'cluster', 'existing', 'secretRef'],
    locate,
    errorAt(
      'no-kubeconfig',
      undefined,
      `nothing gives the kubeconfig of cluster '${cluster.metadata.name}'`,
      formatKubeconfigHint(cluster),
    ),
  );
}

function emptyKubeconfigProblem(cluster: InferenceCluster, locate: Locate): Diagnostic {
  return toProblem(
    cluster,
    SOURCE_PATH,
    locate,
    errorAt(
      'no-kubeconfig',
      undefined,
      `the kubeconfig of cluster '${cluster.metadata.name}' is empty`,
      formatKubeconfigHint(cluster),
    ),
  );
}

function formatKubeconfigHint({ metadata: { name } }: InferenceCluster): string {
  return `Run ${formatSetKubeconfig(name)}, or pass it as kubeconfigs`;
}

function toProblem(
  cluster: InferenceCluster,
  path: Path,
  locate: Locate,
  said: Diagnostic<undefined>,
): Diagnostic {
  return relocate(said, () => locate(cluster, path));
}
