import type { Engine } from '../../api/engine';
import { type Locate, locateAll, type ResourcePath } from '../../api/kinds';
import { findMissingLoadMetrics, loadMetricsOf, loadNeedOf } from '../../api/load-metrics';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { sortUnique } from '../../base/order';
import { capitalize, joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import type { ComputedReplica } from '../../replicas/replica';
import type { Reason, Rejection } from '../../scheduler/reason';
import type { Schedule } from '../../scheduler/schedule-result';
import { type HeldDeployments, isImpossible } from '../held-deployments';

/** Where replicas are, and which have no place. */
interface ScheduledReplicas {
  readonly replicas: readonly ComputedReplica[];
  readonly shortfalls: Schedule['shortfalls'];
  readonly held: Pick<HeldDeployments, 'requested'>;
}

/**
 * Rejects engines that scale by their load where nothing measures it: on clusters that lost what they need, and where no
 * cluster could run them but those that measure no load.
 *
 * @throws FleetwrightError with every such engine and cluster
 */
export function refuseUnmonitoredEngines(
  { deployments }: Pick<Fleet, 'deployments'>,
  { replicas, shortfalls, held }: ScheduledReplicas,
  locate: Locate,
): void {
  const placed = replicas.flatMap(findUnmonitored);
  const byId = new Map(deployments.map((one) => [qualifiedNameOf(one), one]));
  const unplaced = shortfalls.flatMap((one) => {
    const deployment = held.requested.has(one.deployment) ? undefined : byId.get(one.deployment);
    return deployment && isImpossible(one) ? findUnmonitorable(deployment, one.rejections) : [];
  });
  const problems = locateAll([...placed, ...unplaced], locate);
  const distinct = new Map(problems.map((problem) => [`${problem.at} ${problem.message}`, problem]));
  if (distinct.size > 0) throw new FleetwrightError([...distinct.values()]);
}

function findUnmonitored({ deployment, cluster, engines }: ComputedReplica): Diagnostic<ResourcePath>[] {
  return engines.flatMap(({ engine }) => {
    const need = loadNeedOf(engine);
    const lacks = need && findMissingLoadMetrics(need, loadMetricsOf(cluster));
    if (!lacks) return [];
    const { name } = cluster.metadata;
    return [describeLack({ ...need, lacks, clusters: [name], placed: true }, deployment, engine)];
  });
}

type MonitoringReason = Extract<Reason, { filter: 'monitoring' }>;

/** The clusters that lack nothing but load metrics, by what they lack. */
function findUnmonitorable(deployment: ModelDeployment, rejections: readonly Rejection[]): Diagnostic<ResourcePath>[] {
  const alone = rejections.flatMap(({ cluster, reason, also }) =>
    reason.filter === 'monitoring' && !also ? [{ cluster, reason }] : [],
  );
  const [first] = alone;
  const engine = deployment.spec.template.spec.engines.find(({ name }) => name === first?.reason.engine);
  if (!first || !engine) return [];
  const alike = alone.filter(({ reason }) => reason.lacks === first.reason.lacks);
  const clusters = sortUnique(alike.map(({ cluster }) => cluster));
  return [describeLack({ ...first.reason, clusters, placed: false }, deployment, engine)];
}

/** A lack of clusters, and whether replicas are there, so that other clusters may take them. */
interface Lack extends Pick<MonitoringReason, 'lacks' | 'min'> {
  readonly clusters: readonly string[];
  readonly placed: boolean;
}

/** Says what an engine needs that clusters lack. */
function describeLack(lack: Lack, deployment: ModelDeployment, engine: Engine): Diagnostic<ResourcePath> {
  const e = deployment.spec.template.spec.engines.indexOf(engine);
  const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, 'scaling'] };
  const { what, hint } = lack.lacks === 'series' ? describeMissingSeries(lack) : describeMissingMetrics(lack);
  return errorAt('no-monitoring', at, what, hint);
}

interface Described {
  readonly what: string;
  readonly hint: string;
}

function describeMissingSeries({ clusters }: Lack): Described {
  const [name = '', ...others] = clusters;
  const of = others.length === 0 ? `cluster '${name}'` : `every cluster that can run it (${nameAll(clusters)})`;
  const what = `'monitoring.rules: false' of ${of} leaves out the series that it scales by`;
  return { what, hint: "Remove that line, or scale by queries of your own: 'prometheus'" };
}

function describeMissingMetrics({ clusters, min, placed }: Lack): Described {
  const [name = '', ...others] = clusters;
  const where =
    others.length === 0
      ? `cluster '${name}' declares none`
      : `no cluster that can run it (${nameAll(clusters)}) declares any`;
  const what = min === undefined ? 'scaling needs load metrics of Prometheus' : nameMinimum(min);
  const choices = [
    `set spec.monitoring of ${others.length === 0 ? 'the cluster' : 'one of them'}`,
    ...(min === undefined ? [] : [`${placed ? '' : 'or '}set copies.min: 0`]),
    ...(placed ? ['or exclude the cluster with clusterSelector'] : []),
  ];
  return { what: `${what}, and ${where}`, hint: capitalize(choices.join(', ')) };
}

function nameMinimum(min: number): string {
  return `copies.min ${min} needs load metrics of Prometheus, unlike min 0`;
}

function nameAll(clusters: readonly string[]): string {
  return joinNames(clusters.map((name) => `'${name}'`));
}
