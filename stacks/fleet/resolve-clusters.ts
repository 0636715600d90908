import type { Input } from '@pulumi/pulumi';
import { cloudNameOf } from '../../src/api/cluster-labels';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import { type Locate, locateAll, type ResourcePath } from '../../src/api/kinds';
import type { Path } from '../../src/api/resource';
import { type Diagnostic, errorAt, relocate } from '../../src/base/diagnostic';
import { suggestName } from '../../src/base/name-suggestion';
import { compareText } from '../../src/base/order';
import type { Fleet } from '../../src/fleet/fleet';
import { type UnreadDocument, unreadNamesOf } from '../../src/manifest/unread-documents';
import { isManagedCloud, MANAGED_CLOUDS } from '../../src/provision/managed-cloud';
import type { Cloud, CloudProblem } from '../cloud/cloud';
import type { Cluster } from '../cloud/cluster';
import { formatSetKubeconfig, isBlank } from '../runtime/config-values';
import { loadDefaultCloud } from './default-clouds';
import type { ExistingClusterArgs } from '../cloud/existing-cluster';

/** How clusters are reached or created. */
export interface ClusterSources {
  /**
   * Clusters that the program created or looked up, by name.
   *
   * @default - none: existing clusters are reached as they declare, those on GKE, EKS and AKS are created
   */
  readonly clusters?: Readonly<Record<string, Cluster>>;

  /**
   * The kubeconfigs of existing clusters, by the name of the cluster. A cluster on a cloud with a kubeconfig here is
   * not created.
   *
   * @default - none
   */
  readonly kubeconfigs?: Readonly<Record<string, Input<string>>>;

  /**
   * Clouds with options other than the default: `gke()` of `fleetwright/stacks/gke`, `eks()` of
   * `fleetwright/stacks/eks` and `aks()` of `fleetwright/stacks/aks`; and clouds of the program.
   *
   * @default - GKE in the project `gcp:project` of the stack's configuration, EKS and AKS
   */
  readonly clouds?: readonly Cloud[];
}

/** How a cluster is reached: it is given, it exists and declares a connection, or a cloud creates it. */
export type ResolvedClusterSource =
  | { readonly given: Cluster }
  | { readonly existing: ExistingClusterArgs }
  | { readonly madeBy: Cloud };

/** A validated fleet. */
interface ValidatedFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/** The sources of clusters by name, and the problems. */
interface ResolvedClusters {
  readonly found: ReadonlyMap<string, ResolvedClusterSource>;

  /** A problem for each cluster that cannot be reached or created. */
  readonly problems: readonly Diagnostic[];
}

/** Resolves how each of some clusters is reached. */
export function resolveClusters(
  wanted: readonly InferenceCluster[],
  sources: ClusterSources,
  declared: ValidatedFleet,
): ResolvedClusters {
  const each = wanted.map((cluster) => [cluster.metadata.name, resolveCluster(cluster, sources, declared)] as const);
  return {
    found: new Map(each.flatMap(([name, reach]) => ('problems' in reach ? [] : [[name, reach] as const]))),
    problems: each.flatMap(([, reach]) => ('problems' in reach ? reach.problems : [])),
  };
}

/**
 * Reports clusters that the fleet does not have although they are given, have a kubeconfig, or are the only cluster
 * of the stack.
 *
 * @param unread documents that could not be read: if one of them can be a cluster of any name, no cluster is
 * reported. Default: none
 */
export function checkUnknownClusters(
  sources: ClusterSources,
  only: string | undefined,
  { clusters }: Fleet,
  unread: readonly UnreadDocument[] = [],
): Diagnostic[] {
  const unreadNames = unreadNamesOf(unread, 'InferenceCluster');
  if (!unreadNames) return [];
  const all = [...clusters.map(({ metadata }) => metadata.name), ...unreadNames].sort(compareText);
  const named = new Set([
    ...Object.keys({ ...sources.clusters, ...sources.kubeconfigs }),
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

type ResolvedSource = ResolvedClusterSource | { readonly problems: readonly Diagnostic[] };

function resolveCluster(cluster: InferenceCluster, sources: ClusterSources, declared: ValidatedFleet): ResolvedSource {
  const { name } = cluster.metadata;
  const given = sources.clusters?.[name];
  if (given) return given.name === name ? { given } : { problems: [otherClusterProblem(name, given)] };
  const kubeconfig = sources.kubeconfigs?.[name];
  // An empty kubeconfig for a cluster that was created before would delete the cluster.
  if (isBlank(kubeconfig)) return { problems: [emptyKubeconfigProblem(cluster, declared.locate)] };
  if (cluster.spec.cluster.source === 'Existing') return resolveExisting(cluster, kubeconfig, declared);
  return kubeconfig === undefined ? resolveMade(cluster, sources, declared) : { existing: { kubeconfig } };
}

function resolveExisting(
  cluster: InferenceCluster,
  kubeconfig: Input<string> | undefined,
  { locate }: ValidatedFleet,
): ResolvedSource {
  const { secretRef, context } = cluster.spec.cluster.existing ?? {};
  // The context refers to the kubeconfig in the Secret: the user's own file may use that name for another cluster.
  if (secretRef !== undefined && kubeconfig === undefined) return { problems: [noKubeconfigProblem(cluster, locate)] };
  return {
    existing: { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) },
  };
}

function resolveMade(
  cluster: InferenceCluster,
  { clouds = [] }: ClusterSources,
  { fleet, locate }: ValidatedFleet,
): ResolvedSource {
  const name = cloudNameOf(cluster.spec.cluster);
  const passed = clouds.find(({ source }) => source === name);
  const { source } = cluster.spec.cluster;
  const madeBy = passed ?? (isManagedCloud(source) ? loadDefaultCloud(source) : undefined);
  if (!madeBy) return { problems: [notProvisionedProblem(cluster, locate)] };
  const problems = [...madeBy.check(cluster, fleet)].map((one) => toDiagnostic(one, cluster));
  return problems.length > 0 ? { problems: locateAll(problems, locate) } : { madeBy };
}

function toDiagnostic(
  { code = 'rejected-by-cloud', path = SOURCE_PATH, resource, message, hint = ASK_THE_CLOUD }: CloudProblem,
  cluster: InferenceCluster,
): Diagnostic<ResourcePath> {
  return errorAt(code, { resource: resource ?? cluster, path }, message, hint);
}

const ASK_THE_CLOUD = 'Correct the field, or pass another Cloud to the stack';

const SOURCE_PATH: Path = ['spec', 'cluster', 'source'];

function otherClusterProblem(name: string, given: Cluster): Diagnostic {
  const hint = `Pass it as clusters['${given.name}']`;
  return errorAt('other-cluster', name, `the cluster passed for it is '${given.name}'`, hint);
}

function notProvisionedProblem(cluster: InferenceCluster, locate: Locate): Diagnostic {
  const { name } = cluster.metadata;
  const cloud = cloudNameOf(cluster.spec.cluster);
  const what = `Fleetwright creates clusters on ${MANAGED_CLOUDS.join(', ')}, and no Cloud with source '${cloud}' is passed`;
  const hint =
    `If the cluster exists, run ${formatSetKubeconfig(name)}, pass its kubeconfig as kubeconfigs, or set spec.cluster to ` +
    `{ source: Existing, existing: { context: CONTEXT } }. If the program creates the cluster, pass a Cloud with source ` +
    `'${cloud}' in clouds of the FleetStack`;
  return toProblem(cluster, SOURCE_PATH, locate, errorAt('not-provisioned', undefined, what, hint));
}

function noKubeconfigProblem(cluster: InferenceCluster, locate: Locate): Diagnostic {
  return toProblem(
    cluster,
    ['spec', 'cluster', 'existing', 'secretRef'],
    locate,
    errorAt(
      'no-kubeconfig',
      undefined,
      `no kubeconfig is set for cluster '${cluster.metadata.name}'`,
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
  diagnostic: Diagnostic<undefined>,
): Diagnostic {
  return relocate(diagnostic, () => locate(cluster, path));
}
