import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { Locate } from '../../src/api/kinds';
import { attempt } from '../../src/base/attempt';
import { type Diagnostic, formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import type { Fleet } from '../../src/fleet/fleet';
import { findDeploymentsInWaves, findTemplatesInWaves } from '../../src/live/waves/replaced-workloads';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { listRetainedObjects, type RetainedObject } from '../../src/manifest/kubernetes/retained-objects';
import { diagnoseDenials, diagnoseOutOfDateLock } from '../../src/plan/apply-blockers';
import { decide } from '../../src/plan/decide';
import { decideCluster } from '../../src/plan/decide-cluster';
import type { Plan } from '../../src/plan/plan';
import { planDnsRecords, type PlannedRecord } from '../../src/provision/dns-records';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { servingObjects } from '../../src/provision/releases/objects-without-chart';
import type { Release } from '../../src/provision/releases/release';
import { renderCluster } from '../../src/render/cluster';
import { BUILT_IN_NAMESPACES } from '../../src/render/namespaces';
import type { Renderer } from '../../src/render/renderer';
import type { ComputedReplica } from '../../src/replicas/replica';
import { toShortfallProblems } from '../../src/report/plan/plan-annotations';
import { formatPolicyFinding } from '../../src/report/plan/policy-text';
import type { Routing } from '../../src/routing/routing';
import { type RoutingDocument, routingDocument } from '../../src/routing/routing-document';
import { checkChartSource, locateCharts } from './chart-source';
import type { Cloud } from '../cloud/cloud';
import { checkProvidersInstalled, checkSharedRecords } from '../dns/dns-records';
import { checkLockExists, type LoadedFleetSource, readFleetSource } from './fleet-source';
import type { FleetStackArgs, FleetTransform, StackSource } from './fleet-stack-args';
import { checkUnknownClusters, type ResolvedClusterSource, resolveClusters } from './resolve-clusters';

/** How a cluster is reached, with the plan of the cloud that creates it. */
export type PlannedClusterSource =
  | Exclude<ResolvedClusterSource, { readonly madeBy: Cloud }>
  | { readonly madeBy: Cloud; readonly planned: unknown };

/** Everything that a stack registers on one cluster. */
export interface ClusterPlan {
  readonly cluster: InferenceCluster;
  readonly source: PlannedClusterSource;
  readonly transform: FleetTransform;
  readonly releases: readonly Release[];

  /** The objects that the releases need and no chart brings. */
  readonly servingObjects: readonly Manifest[];
  readonly manifests: readonly Manifest[];

  /** The names of the Gateways whose address a DNS record needs. */
  readonly addressedGateways: ReadonlySet<string>;

  /** What stays on the cluster when the stack is destroyed. */
  readonly retained: readonly RetainedObject[];
}

/** Everything that a stack registers. */
export interface StackPlan {
  /** The clusters, sorted by name. */
  readonly clusters: readonly ClusterPlan[];

  /** The deployments that are replaced in waves, as `namespace/name`. */
  readonly inWaves: ReadonlySet<string>;

  /** The declarations, with the hardware of their classes. */
  readonly fleet: Fleet;
  readonly locate: Locate;

  /** The replicas on all clusters, or on the only one, and the renderers that come before the native one. */
  readonly replicas: readonly ComputedReplica[];
  readonly renderers: readonly Renderer[];

  /** The decision, and what it changes. Undefined where only the lines of one cluster in the lock were checked. */
  readonly plan: Plan | undefined;

  /** The objects that must exist on the clusters of the stack before manifests are applied. */
  readonly mustExist: Plan['mustExist'];

  /** The routes of all services, which the files of the stack describe. */
  readonly routing: Routing;

  /** The routes that the stack exports: those with a front on its clusters. */
  readonly routingDocument: RoutingDocument;

  /** The DNS records of host names of gateways that the stack writes. */
  readonly records: readonly PlannedRecord[];

  /** One sentence each, for the person who runs the stack. */
  readonly warnings: readonly string[];
}

/**
 * Reads the fleet of a stack and its lock, and plans the stack. Registers nothing.
 *
 * @throws FleetwrightError with everything that is wrong: the declarations, a lock that is missing or out of date, rules of
 *   the fleet that deny the plan, replicas without a place, clusters that cannot be reached
 */
export function planStack(args: FleetStackArgs): StackPlan {
  const loaded = readFleetSource(args, (part, locate, unread) => [
    ...resolveStackClusters(args, part, locate).problems,
    ...checkUnknownClusters(args, args.cluster, part, unread),
  ]);
  return decideStack(loaded, args);
}

/**
 * Decides everything that a stack registers, from declarations and a lock that were read.
 *
 * @throws FleetwrightError as {@link planStack}
 */
function decideStack(loaded: LoadedFleetSource, args: FleetStackArgs): StackPlan {
  const { wanted, ...decided } = checkStack(loaded, args);
  const { fleet, locate, replicas, renderers, plan, routing, sources, records, policies } = decided;
  const rendered = wanted.flatMap((cluster) => {
    const source = sources.get(cluster.metadata.name);
    const manifests = renderCluster(cluster, replicas, { fleet, renderers, routing });
    return source ? [{ cluster, source: planSource(source, cluster, fleet), manifests }] : [];
  });
  // A tool that applies files has waves of its own.
  const hasWaves = args.waves !== false && args.workloads !== 'files';
  const inWaves = hasWaves ? findSeveral(rendered) : new Set<string>();
  const clusters = rendered.map(({ cluster, source, manifests }): ClusterPlan => {
    const addressedGateways = addressedGatewaysOf(cluster, records);
    return { ...planCluster(cluster, fleet, { manifests, inWaves }, args), source, addressedGateways };
  });
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const warnings = [
    ...(plan?.warnings ?? []).map(formatDiagnostic),
    ...policies.map(formatPolicyFinding),
    ...(args.workloads === 'files' ? describeFileMode(records, clusters) : []),
  ];
  return {
    clusters,
    inWaves,
    fleet,
    locate,
    replicas,
    renderers,
    plan,
    routing,
    records,
    warnings,
    mustExist: omitAccounts(
      decided.mustExist.filter((one) => names.has(one.cluster)),
      args.workloads === 'files'
        ? new Map()
        : new Map(clusters.map((one) => [one.cluster.metadata.name, accountsOf(one)])),
    ),
    routingDocument: routingDocument(routingOfCluster(routing, args.cluster)),
  };
}

/** Plans a cluster that a cloud creates. */
function planSource(source: ResolvedClusterSource, cluster: InferenceCluster, fleet: Fleet): PlannedClusterSource {
  return 'madeBy' in source ? { ...source, planned: source.madeBy.plan(cluster, fleet) } : source;
}

/** The decision of a stack that may be applied, and how its clusters are reached. */
interface CheckedStack extends Omit<DecidedSource, 'problems'>, Pick<StackPlan, 'locate' | 'records'> {
  readonly wanted: readonly InferenceCluster[];
  readonly sources: ReadonlyMap<string, ResolvedClusterSource>;
}

/** @throws FleetwrightError with every reason why the stack must not be applied */
function checkStack(loaded: LoadedFleetSource, args: FleetStackArgs): CheckedStack {
  const { fleet, locate } = loaded.resolved;
  const { wanted, found: sources, problems } = resolveStackClusters(args, fleet, locate);
  // Files are those of all clusters, also where the stack has one: stacks of one fleet may write to one folder.
  const cluster = args.workloads === 'files' ? undefined : args.cluster;
  const decided = attempt(() => decideSource(loaded, cluster));
  const unknown = checkUnknownClusters(args, args.cluster, fleet);
  if ('problems' in decided) {
    throw new FleetwrightError([...decided.problems, ...checkLockExists(loaded), ...unknown, ...problems]);
  }
  const records = planDnsRecords(decided.value.routing);
  const shared = args.cluster === undefined ? [] : checkSharedRecords(records, args.cluster);
  const all = [...decided.value.problems, ...unknown, ...problems, ...shared];
  const releases = wanted.flatMap((one) => releasesOf(one, decided.value.fleet));
  all.push(...checkProvidersInstalled(records), ...checkChartSource(releases, args.chartSource));
  if (all.length > 0) throw new FleetwrightError(all);
  return { ...decided.value, locate, wanted, sources, records };
}

/** How the clusters of a stack are reached. */
function resolveStackClusters(source: StackSource, fleet: Fleet, locate: Locate) {
  const wanted = fleet.clusters.filter(
    ({ metadata }) => source.cluster === undefined || metadata.name === source.cluster,
  );
  return { wanted, ...resolveClusters(wanted, source, { fleet, locate }) };
}

/** What was decided, and why it must not be applied. */
interface DecidedSource extends Pick<StackPlan, 'fleet' | 'replicas' | 'renderers' | 'plan' | 'mustExist' | 'routing'> {
  /** The policies of the fleet that the plan does not meet. */
  readonly policies: Plan['policies'];
  readonly problems: readonly Diagnostic[];
}

function decideSource(read: LoadedFleetSource, cluster: string | undefined): DecidedSource {
  const { resolved, lock, renderers, target, unlocked } = read;
  const locked = target.lock !== undefined;
  if (cluster !== undefined && locked && !unlocked) {
    const share = decideCluster(resolved.fleet, resolved.locate, lock, { cluster, renderers });
    const problems = [
      ...(share.outOfDate ? [diagnoseOutOfDateLock(target, false, share.changed)] : []),
      ...diagnoseDenials(share),
    ];
    return { ...share, plan: undefined, problems };
  }
  const decision = decide(resolved.fleet, resolved.locate, lock, { ...resolved, renderers });
  const outOfDate = locked && (unlocked || decision.outOfDate);
  const problems = [
    ...(outOfDate ? [diagnoseOutOfDateLock(target, unlocked, decision.changed)] : []),
    ...diagnoseDenials(decision.plan),
    ...toShortfallProblems({ ...resolved, plan: decision.plan }),
  ];
  const { policies, mustExist } = decision.plan;
  return { ...decision, policies, mustExist, problems };
}

/** The names of the Gateways of a cluster whose address a record needs. */
function addressedGatewaysOf({ metadata: { name } }: InferenceCluster, records: readonly PlannedRecord[]) {
  const gateways = records.flatMap((record) => record.gateways.filter(({ cluster }) => cluster === name));
  return new Set(gateways.map((gateway) => gateway.name));
}

/** The deployments with more than one replica, as `namespace/name`. */
export function findSeveral(clusters: readonly Pick<ClusterPlan, 'cluster' | 'manifests'>[]): Set<string> {
  return findDeploymentsInWaves(
    clusters.map(({ cluster, manifests }) => ({ cluster: cluster.metadata.name, manifests })),
  );
}

/** What a stack registers on a cluster, and what of it stays. Objects that are files are not the stack's. */
function planCluster(
  cluster: InferenceCluster,
  fleet: Fleet,
  { manifests, inWaves }: Pick<StackPlan, 'inWaves'> & Pick<ClusterPlan, 'manifests'>,
  { keepData = true, workloads, transform, chartSource }: FleetStackArgs,
): Omit<ClusterPlan, 'source' | 'addressedGateways'> {
  const releases = locateCharts(releasesOf(cluster, fleet), chartSource);
  const serving = servingObjects(cluster);
  const objects = [...serving, ...(workloads === 'files' ? [] : manifests)];
  const namespaces = releases.map(({ namespace }) => namespace).filter((name) => !BUILT_IN_NAMESPACES.has(name));
  const retained = listRetainedObjects(objects, namespaces, {
    keepData,
    unneeded: findTemplatesInWaves(manifests, inWaves),
  });
  const changes = transform?.(cluster.metadata.name) ?? {};
  return { cluster, releases, servingObjects: serving, manifests, transform: changes, retained };
}

/** The ServiceAccounts that are registered with a cluster, as `namespace/name`. */
function accountsOf({ source }: Pick<ClusterPlan, 'source'>): ReadonlySet<string> {
  const accounts = 'madeBy' in source ? (source.madeBy.accounts?.(source.planned) ?? []) : [];
  return new Set(accounts.map(({ namespace, name }) => `${namespace}/${name}`));
}

/** The objects that must exist, without ServiceAccounts that the stack creates. */
function omitAccounts(needs: Plan['mustExist'], accounts: ReadonlyMap<string, ReadonlySet<string>>): Plan['mustExist'] {
  return needs.flatMap(({ cluster, objects: all }) => {
    const made = accounts.get(cluster);
    const objects = all.filter(
      ({ kind, namespace, name }) => kind !== 'ServiceAccount' || !made?.has(`${namespace}/${name}`),
    );
    return objects.length > 0 ? [{ cluster, objects }] : [];
  });
}

/** What a stack does not do where its objects are files. */
function describeFileMode(records: readonly PlannedRecord[], clusters: readonly ClusterPlan[]): string[] {
  const unwritten = records.map(({ host }) => host);
  const unchanged = clusters.filter(({ transform }) => transform.object).map(({ cluster }) => cluster);
  const names = unchanged.map(({ metadata }) => metadata.name);
  return [
    ...(unwritten.length > 0 ? [`${unwritten.join(', ')}: ${RECORDS_NOT_WRITTEN}`] : []),
    ...(names.length > 0 ? [`${names.join(', ')}: ${OBJECTS_NOT_TRANSFORMED}`] : []),
    ...clusters.flatMap((one) => {
      const accounts = [...accountsOf(one)];
      return accounts.length > 0 ? [`${one.cluster.metadata.name}: ${accounts.join(', ')}: ${ACCOUNTS_NOT_MADE}`] : [];
    }),
  ];
}

const RECORDS_NOT_WRITTEN =
  'the stack does not create their DNS records, because it has no Gateways. Create the records yourself.';

const OBJECTS_NOT_TRANSFORMED =
  "'object' of their transform does not change files. Change the objects with the tool that applies them, or with a renderer.";

const ACCOUNTS_NOT_MADE =
  'the stack creates their identities in the cloud, and not these ServiceAccounts, because it has no namespaces. Create them with the annotations in `accounts` of the cluster.';

/** The routes of the services that have a front on a cluster; all routes where no cluster is given. */
function routingOfCluster(routing: Routing, cluster: string | undefined): Routing {
  if (cluster === undefined) return routing;
  const services = routing.services.filter(({ gateways }) => gateways.some((gateway) => gateway.cluster === cluster));
  return { ...routing, services };
}
