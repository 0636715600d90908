import type { Engine } from '../../api/engine';
import { type Locate, locateAll, type ResourcePath } from '../../api/kinds';
import { listMissingForScaling, loadNeedOf, type MissingForScaling, scalingSupportOf } from '../../api/load-metrics';
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
export interface ScheduledReplicas {
  readonly replicas: readonly ComputedReplica[];
  readonly shortfalls: Schedule['shortfalls'];
  readonly held: Pick<HeldDeployments, 'requested'>;
}

/**
 * Rejects engines that scale where the cluster lacks what they need for it: on clusters that lost it, and where no
 * cluster could run them but those without it.
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

function findUnmonitored({ deployment, cluster, engines, former }: ComputedReplica): Diagnostic<ResourcePath>[] {
  const clusters = [cluster.metadata.name];
  return engines.flatMap(({ engine }) => {
    const need = loadNeedOf(engine);
    const missing = need ? listMissingForScaling(need, scalingSupportOf(cluster)) : [];
    const lacking = former ? missing.filter((lacks) => lacks !== 'kedaHttpAddOn') : missing;
    return lacking.map((lacks) => describeLack({ ...need, lacks, clusters, placed: true }, deployment, engine));
  });
}

type MonitoringReason = Extract<Reason, { filter: 'monitoring' }>;

/** What the first cluster lacks for scaling, and those that lack the same, of clusters that lack nothing else. */
function findUnmonitorable(deployment: ModelDeployment, rejections: readonly Rejection[]): Diagnostic<ResourcePath>[] {
  const alone = rejections.flatMap(({ cluster, reason, also = [] }) => {
    const reasons = [reason, ...also.map((one) => one.reason)].flatMap((one) =>
      one.filter === 'monitoring' ? [one] : [],
    );
    const lacks = reasons.map((one) => one.lacks).join(' ');
    return reasons.length === also.length + 1 ? [{ cluster, reasons, lacks }] : [];
  });
  const [first] = alone.toSorted((a, b) => a.reasons.length - b.reasons.length);
  const clusters = sortUnique(alone.flatMap(({ cluster, lacks }) => (lacks === first?.lacks ? [cluster] : [])));
  return (first?.reasons ?? []).flatMap((reason) => {
    const engine = deployment.spec.template.spec.engines.find(({ name }) => name === reason.engine);
    return engine ? [describeLack({ ...reason, clusters, placed: false }, deployment, engine)] : [];
  });
}

/** A lack of clusters, and whether replicas are there, so that other clusters may take them. */
interface Lack extends Pick<MonitoringReason, 'lacks' | 'min'> {
  readonly clusters: readonly string[];
  readonly placed: boolean;
}

/** Says what an engine needs that clusters lack. */
function describeLack(lack: Lack, deployment: ModelDeployment, engine: Engine): Diagnostic<ResourcePath> {
  const e = deployment.spec.template.spec.engines.indexOf(engine);
  const { code, path, describe } = LACKS[lack.lacks];
  const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, ...path] };
  const { what, hint } = describe(lack);
  return errorAt(code, at, what, hint);
}

interface LackOf {
  readonly code: 'no-monitoring' | 'scale-to-zero';
  readonly path: readonly string[];
  readonly describe: (lack: Lack) => Described;
}

/** How each lack is reported. */
const LACKS: Readonly<Record<MissingForScaling, LackOf>> = {
  metrics: { code: 'no-monitoring', path: ['scaling'], describe: describeMissingMetrics },
  series: { code: 'no-monitoring', path: ['scaling'], describe: describeMissingSeries },
  kedaHttpAddOn: { code: 'scale-to-zero', path: ['copies', 'min'], describe: describeMissingAddOn },
};

/** Nothing but the add-on holds requests: Envoy Gateway answers 503 on a route without ready endpoints. */
function describeMissingAddOn({ clusters, placed }: Lack): Described {
  const [name = '', ...others] = clusters;
  const alone = others.length === 0;
  const where = alone ? `cluster '${name}'` : `the clusters with room for it (${nameAll(clusters)})`;
  const what = `without a copy, requests fail: nothing on ${where} holds them until the first copy serves`;
  const set = `Set 'servingStack: { kedaHttpAddOn: { install: true } }' of ${alone ? 'the cluster' : 'one of them'} for a Pulumi program to install the HTTP add-on of KEDA, or 'install: false' where you install it`;
  const exclude = placed ? ', or exclude the cluster with clusterSelector' : '';
  return { what, hint: `${set}. Otherwise set min to 1${exclude}` };
}

interface Described {
  readonly what: string;
  readonly hint: string;
}

function describeMissingSeries({ clusters }: Lack): Described {
  const [name = '', ...others] = clusters;
  const of = others.length === 0 ? `cluster '${name}'` : `every cluster with room for it (${nameAll(clusters)})`;
  const what = `'monitoring.rules: false' of ${of} leaves out the series that it scales by`;
  return { what, hint: "Remove that line, or scale by queries of your own: 'prometheus'" };
}

function describeMissingMetrics({ clusters, min, placed }: Lack): Described {
  const [name = '', ...others] = clusters;
  const where =
    others.length === 0
      ? `cluster '${name}'${placed ? '' : ', the only one with room for it,'} declares none`
      : `no cluster with room for it (${nameAll(clusters)}) declares any`;
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
