import { clusterLabelsOf, resolveDomainLabel } from '../api/cluster-labels';
import { copyBoundsOf } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatCount } from '../base/figures';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import { REQUEST_FEATURES } from '../catalog/engines/request-features';
import { type ContainerSettings, findSetting } from '../engine/container-settings';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { findWorstLoss } from '../plan/moved-minimums';
import { findAnsweringEngine } from '../routing/health-checks';
import type { RoutedService, RouteMember } from '../routing/routing';
import { servedNamesOf } from '../routing/served-models';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import { parseTokenCount } from '../sizing/token-count';
import type { DeploymentDiff } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { placeOfLeaving } from './left-clusters';
import { findLostMinimums } from './lost-minimums';
import { REMOVING_ACTIONS } from './replica-causes';
import type { ApplyMode } from './serving-during-change';
import { findSingleReplicas } from './single-replicas';
import { createSpreadHint, type HintToSpread } from './spread-hint';

/** The two states of a change, and its place, for what no declaration causes. */
interface ChangedDeployments {
  readonly before: Pick<PlacedFleet, 'fleet' | 'schedule'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'routing' | 'schedule'>;
  readonly at: string;

  /** How changes are applied. Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/** What clients of deployments that keep replicas lose: longer requests, features, a second replica. */
export function findDeploymentWarnings(
  diff: FleetDiff,
  { before, after, at, applied = 'withWaves' }: ChangedDeployments,
): Diagnostic[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const hintToSpread = createSpreadHint(after, before.schedule.placements);
  const deployments = diff.deployments.flatMap((change) => {
    const { deployment: id, serving, changes } = change;
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is || serving.before === 0 || serving.after === 0) return [];
    const causes = changes.flatMap((one) => one.causes);
    const where = causes[0]?.where ?? at;
    const argument = causes.find(({ field }) => field?.path.includes('args'))?.where ?? where;
    return [
      ...findSwappedModel(change, servedBy(was, before), servedBy(is, after)).map((what) => {
        return warningAt(
          'model-swapped',
          argument,
          what,
          'Give the new model a name of its own, unless that is intended',
        );
      }),
      ...findLostFeatures(was, is).map((what) => {
        return warningAt('feature-lost', argument, what, 'Check what clients request, or keep the setting');
      }),
      ...findLostSpread(is, { before, after, hintToSpread }).map(({ what, hint, left }) =>
        warningAt('lost-redundancy', placeOfLeaving(diff, [id], left) ?? where, what, hint),
      ),
      ...findLastReplica(change, is, after).map((what) => warningAt('lost-redundancy', where, what, KEEP_TWO)),
      ...findSingleReplicas(is, { before, after }).map((what) => {
        const removed = changes.filter(({ action }) => REMOVING_ACTIONS.has(action)).flatMap((one) => one.causes);
        return warningAt('lost-redundancy', removed[0]?.where ?? where, what, KEEP_TWO);
      }),
    ];
  });
  const states = { before, after, at };
  return [...deployments, ...findLostMinimums(diff, { ...states, applied }), ...findLastCopies(diff, states)];
}

const KEEP_TWO = 'Keep two replicas, or two copies of its engines';

/** Finds engines of which the only replica keeps one copy of several, so that no PodDisruptionBudget protects them. */
function findLastCopies({ declarations }: FleetDiff, { before, after }: ChangedDeployments): Diagnostic[] {
  const [former, lines] = [before, after].map(({ schedule }) => groupByDeployment(schedule.placements.filter(stays)));
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  return declarations.flatMap(({ id: resource, where, fields }) => {
    const [kind, id = ''] = resource.split(' ');
    const [was, is] = [earlier?.get(id), later?.get(id)];
    const isOne = former?.get(id)?.length === 1 && lines?.get(id)?.length === 1;
    if (kind !== 'ModelDeployment' || !was || !is || !isOne) return [];
    return is.spec.template.spec.engines.flatMap((engine): Diagnostic[] => {
      const old = was.spec.template.spec.engines.find(({ name }) => name === engine.name);
      const [most, least] = [old ? copyBoundsOf(old).min : 0, copyBoundsOf(engine).min];
      if (most < 2 || least !== 1) return [];
      const field = fields.find(({ field: name }) => name.includes(`[${engine.name}].copies`));
      const what = `${id} has ${least} copy of engine ${engine.name} instead of ${formatCount(most)}, in one replica: it does not serve while its pod restarts or its node is drained`;
      return [warningAt('lost-redundancy', field?.where ?? where, what, KEEP_TWO)];
    });
  });
}

/** Whether clients get another model by the name that they request. */
function findSwappedModel({ model, deployment }: DeploymentDiff, was?: string, is?: string): string[] {
  if (!model || was !== is) return [];
  const by = model.name === undefined ? 'the same name as before' : `the name '${model.name}'`;
  return [`clients of ${deployment} get ${model.after} instead of ${model.before} by ${by}`];
}

function servedBy(deployment: ModelDeployment, { fleet }: Pick<PlacedFleet, 'fleet'>): string | undefined {
  return servedNamesOf(deployment, fleet.caches).model;
}

/** What engines of the same runtime no longer accept. Settings that only the container knows are not compared. */
function findLostFeatures(before: ModelDeployment, after: ModelDeployment): string[] {
  const [was, is] = [before, after].map((one) => containerSettingsOf(one, findAnsweringEngine(one)));
  const known = was && REQUEST_FEATURES[was.profile.runtime];
  if (!was || !is || !known || was.profile.runtime !== is.profile.runtime || !is.complete) return [];
  const id = qualifiedNameOf(after);
  const lost = known.features.filter((one) => findSetting(was, one) && !findSetting(is, one));
  const features = [...groupBy(lost, ({ name }) => name)].map(([name, settings]) => {
    const flags = joinNames(settings.map(({ flags: [flag = ''] }) => flag));
    return `clients of ${id} no longer get ${name}: ${flags} ${settings.length === 1 ? 'is' : 'are'} removed`;
  });
  return [...listShorterRequests(id, was, is), ...features];
}

function listShorterRequests(id: string, was: ContainerSettings, is: ContainerSettings): string[] {
  const [most, limit] = [was, is].map(readContext);
  if (limit === undefined || most === undefined || limit >= most) return [];
  const former = most === Infinity ? 'no limit but that of the model' : formatCount(most);
  return [`${id} refuses requests of more than ${formatCount(limit)} tokens, with their answers; before: ${former}`];
}

/** The longest request that is declared. Infinity: that of the model. Undefined: not known. */
function readContext(settings: ContainerSettings): number | undefined {
  const { memory, runtime } = settings.profile;
  const found = findSetting(settings, REQUEST_FEATURES[runtime]?.context ?? memory?.context);
  if (!found) return settings.complete ? Infinity : undefined;
  return found.value === undefined ? undefined : parseTokenCount(found.value);
}

/**
 * Whether the replicas of a deployment end in one cluster or domain of `spreadBy` that were in several, once old ones
 * are finalized. A single cluster of what services select is a finding of these services.
 */
function findLostSpread(
  deployment: ModelDeployment,
  { before, after, hintToSpread }: Omit<ChangedDeployments, 'at'> & { readonly hintToSpread: HintToSpread },
): LostSpread[] {
  const id = qualifiedNameOf(deployment);
  const [former = [], lines = []] = [before, after].map(({ schedule }) => {
    return groupByDeployment(schedule.placements).get(id) ?? [];
  });
  const [old, now] = [former, lines].map((all) => all.filter(stays));
  const [was, is] = [old, now].map((all) => sortUnique((all ?? []).map(({ cluster }) => cluster)));
  if (!was || !is || was.length < 2 || is.length === 0) return [];
  const { spreadBy } = deployment.spec.placement;
  const key = spreadBy === undefined ? undefined : resolveDomainLabel(spreadBy, after.fleet.settings);
  const labels = new Map(after.fleet.clusters.map((one) => [one.metadata.name, clusterLabelsOf(one)]));
  const domainsOf = (clusters: readonly string[]): string[] =>
    key === undefined ? [] : sortUnique(clusters.flatMap((cluster) => labels.get(cluster)?.[key] ?? []));
  const left = was.filter((one) => !is.includes(one));
  const replicas = now?.length ?? 0;
  const hint = hintToSpread({ deployments: [id], left, isDraining: lines.length > replicas, replicas });
  if (is.length === 1) {
    const isRouted = after.routing.services.some(({ rules }) =>
      rules.some(({ members }) => members.some((one) => targetIdOf(one) === id)),
    );
    const minimum = describeMinimum(
      deployment,
      (old ?? []).map(({ cluster }) => cluster),
      is[0],
    );
    return isRouted ? [] : [{ what: `${id} ends on ${is[0]} only (before: ${was.join(', ')})${minimum}`, hint, left }];
  }
  const [domains, domain] = [domainsOf(was), domainsOf(is)];
  const where = `${domain[0]} only (before: ${domains.join(', ')}), although it spreads by ${spreadBy}`;
  return domains.length > 1 && domain.length === 1 ? [{ what: `${id} ends in ${where}`, hint, left }] : [];
}

/**
 * `, below minAvailable: 2 while us is down`. Empty where it is a finding of its own: any other cluster could fail before.
 *
 * @param former the clusters of replicas before, one entry for each
 */
function describeMinimum({ spec }: ModelDeployment, former: readonly string[], cluster = ''): string {
  const { minAvailable = 0 } = spec;
  const isNotMet = (findWorstLoss(former)?.left ?? 0) < minAvailable;
  return isNotMet ? `, below minAvailable: ${formatCount(minAvailable)} while ${cluster} is down` : '';
}

/** ` (all requests of ml/chat go to ml/saas, billed by use, meanwhile)`, where no other member of tier 0 serves. */
function describeFallback(services: readonly RoutedService[], id: string): string {
  const found = services.flatMap(({ namespace, name, rules }) =>
    rules.flatMap(({ members }) => {
      const first = members.filter(({ tier }) => tier === 0);
      const others = members.filter(({ tier }) => tier === 1);
      if (others.length === 0 || !first.every((one) => targetIdOf(one) === id)) return [];
      const targets = sortUnique(others.map(targetIdOf));
      const billed = others.every(({ kind }) => kind === 'External') ? ', billed by use' : '';
      return [`all requests of ${namespace}/${name} go to ${joinNames(targets)}${billed}`];
    }),
  );
  return found.length > 0 ? ` (${joinNames(sortUnique(found))})` : '';
}

function targetIdOf({ target }: RouteMember): string {
  return `${target.namespace}/${target.name}`;
}

interface LostSpread {
  readonly what: string;
  readonly hint: string;

  /** The clusters that all its replicas leave. */
  readonly left: readonly string[];
}

function stays({ draining }: Placement): boolean {
  return draining !== true;
}

/** Whether a deployment keeps one replica of several, and each of its engines has one copy to serve alone. */
function findLastReplica(
  { deployment: id, serving }: DeploymentDiff,
  { spec }: ModelDeployment,
  { fleet, routing }: ChangedDeployments['after'],
): string[] {
  const isAlone = spec.template.spec.engines.some((engine) => copyBoundsOf(engine).min <= 1);
  if (serving.before < 2 || serving.after !== 1 || !isAlone) return [];
  const serves = routing.services.filter(({ rules }) =>
    rules.some(({ members }) => members.some((one) => targetIdOf(one) === id)),
  );
  const routed = new Set(serves.map(({ namespace, name }) => `${namespace}/${name}`));
  const aims = fleet.services.flatMap((service) => {
    const name = qualifiedNameOf(service);
    const aim = service.spec.slo?.availability;
    return aim !== undefined && routed.has(name) ? [`the SLO of ${name} is ${aim} %`] : [];
  });
  const slo = aims.length > 0 ? `; ${joinNames(aims)}` : '';
  return [
    `${id} has 1 replica instead of ${formatCount(serving.before)}: it does not serve while its pods restart or its nodes are drained${describeFallback(serves, id)}${slo}`,
  ];
}
