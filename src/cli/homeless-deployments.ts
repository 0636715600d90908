import { locateAll, locateOne, resourceIdOf } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { ModelDeployment } from '../api/model-deployment';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { sortUnique } from '../base/order';
import { type FindEarlierDeclaration, qualifiedNameIn, type SetAside } from '../files/set-aside';
import { checkDeviceCounts } from '../fleet/checks/devices';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { DeploymentPlan, Plan, ShortfallPlan } from '../plan/plan';
import { type Homeless, homelessOf, toHomelessError } from '../report/plan/homeless-text';
import { listServicesOfOne } from '../routing/checks/empty-entries';
import { findLargeRemoval } from '../scheduler/lock/removals';
import type { Rejection } from '../scheduler/reason';
import type { DecidedFleet } from './decide-fleet';

/**
 * Deployments that ask for what no cluster has and would lose their replicas: either what they ask for changed, or the
 * cluster or pool that they run on. An earlier declaration with which the replicas keep their place says which.
 */
export class HomelessDeployments {
  /** Those with a field that their pools do not meet, which may have changed. By resource ID. */
  private readonly asking = new Set<string>();

  /** The newest earlier declaration of each. */
  private readonly newest = new Map<string, ReturnType<FindEarlierDeclaration>>();

  /** Those whose replicas keep their place with no earlier declaration. */
  private readonly misplaced = new Set<string>();

  /** @param command the arguments of the command that accepts the loss */
  constructor(private readonly command: string) {}

  /**
   * Rejects such deployments. Without replicas it is a shortfall. More devices of a node than any class has are named as
   * `validate` does.
   *
   * @throws FleetwrightError with every such deployment, and those whose earlier declaration does not fit either
   */
  refuse(decided: DecidedFleet, aside: SetAside): void {
    const declared = indexDeploymentsById(decided.fleet.deployments);
    const problems = decided.plan.deployments.flatMap((plan) => {
      const resource = declared.get(plan.deployment);
      return resource ? this.refuseOne(plan, resource, decided) : [];
    });
    const lost = new Set(decided.held.unknown.map(({ deployment }) => deployment));
    const unfit = [...aside].filter(([id, earlier]) => earlier && this.isOpen(id) && lost.has(qualifiedNameIn(id)));
    const retried = unfit.map(([subject]) => ({
      ...errorAt('unplaced', '', 'its replicas have no place', ''),
      subject,
    }));
    if (problems.length + retried.length > 0) throw new FleetwrightError([...problems, ...retried]);
  }

  /** Goes back to the newest earlier declaration if the replicas keep their place with none. */
  preferFitting(recall: FindEarlierDeclaration): FindEarlierDeclaration {
    return (id) => {
      const found = recall(id);
      if (!this.isOpen(id)) return found;
      const newest = this.newest.get(id) ?? found;
      this.newest.set(id, newest);
      if (!found) this.misplaced.add(id);
      return found ?? newest;
    };
  }

  /** Drops advice about hardware from errors of deployments that changed themselves. */
  explain(problems: readonly Diagnostic[]): Diagnostic[] {
    return problems.map((one) => {
      const homeless = this.isOpen(one.subject) ? homelessOf(one) : undefined;
      return homeless ? toHomelessError(one, { ...homeless, changed: true }) : one;
    });
  }

  /** Whether it was refused, and an earlier declaration may fit. */
  private isOpen(id = ''): boolean {
    return this.asking.has(id) && !this.misplaced.has(id);
  }

  private refuseOne(
    { deployment: id, replicas, shortfall, changes }: DeploymentPlan,
    resource: ModelDeployment,
    { fleet, locate, previous, schedule, plan }: DecidedFleet,
  ): Diagnostic[] {
    if (!shortfall?.impossible || changes.length === 0) return [];
    const counts = [...checkDeviceCounts({ ...fleet, deployments: [resource] })];
    if (counts.length > 0) return locateAll(counts, locate);
    const field = findAskingField(resource, shortfall, changes);
    const { excerpt, ...meant } = field?.asked === 'selector' ? findMeant(resource, plan) : {};
    const homeless: Homeless = {
      deployment: id,
      replicas,
      shortfall,
      lost: listLostPlaces(changes),
      losesHardware: changes.some((change) => losesHardware(change, fleet)),
      asked: field?.asked,
      ...meant,
      services: listServicesOfOne(resource, fleet).map(qualifiedNameOf),
      command: this.command,
      removes: findLargeRemoval(previous.placements, schedule.placements) !== undefined,
    };
    if (field) this.asking.add(resourceIdOf(resource));
    const at = { resource, path: field?.path ?? ['spec', 'replicas'] };
    const located = locateOne(errorAt('unplaced', at, '', ''), locate);
    return [toHomelessError({ ...located, ...(excerpt && { excerpt }) }, homeless)];
  }
}

/** What warnings say that a selector of a deployment may mean, with the part of it. */
function findMeant(
  resource: ModelDeployment,
  { warnings }: Pick<Plan, 'warnings'>,
): Pick<Homeless, 'misspelled' | 'nearest'> & Pick<Diagnostic, 'excerpt'> {
  const own = warnings.filter(({ subject }) => subject === resourceIdOf(resource));
  const misspelled = own.find(({ code }) => code === 'unlisted-value');
  const nearest = own.find(({ code }) => code === 'no-device');
  const excerpt = (misspelled ?? nearest)?.excerpt;
  return { misspelled: misspelled?.hint, nearest: nearest?.hint, ...(excerpt && { excerpt }) };
}

type DeploymentChange = DeploymentPlan['changes'][number];

/** Whether a replica loses its place because its pool does not have the devices that it asks for. */
function losesHardware(change: DeploymentChange, fleet: Fleet): boolean {
  if (change.action !== 'remove' || change.reason.kind !== 'rejected') return false;
  return !isReserved(change.reason.rejection, fleet);
}

/** Whether nodes may have what is too little of it but for what other workloads get: then no hardware is new. */
function isReserved({ cluster, pool, reason }: Rejection, { clusters }: Fleet): boolean {
  if (reason.filter !== 'devices' || (reason.misfit !== 'too-few' && reason.misfit !== 'too-large')) return false;
  const pools = clusters.find(({ metadata }) => metadata.name === cluster)?.spec.nodePools ?? [];
  const { devices, ...amounts } = pools.find(({ name }) => name === pool)?.reserved ?? { devices: {} };
  return reason.misfit === 'too-few' ? Object.keys(devices).length > 0 : reason.resource in amounts;
}

type FieldPath = readonly (string | number)[];

/** A field of a deployment that says what it asks for. */
interface AskingField {
  readonly asked: NonNullable<Homeless['asked']>;
  readonly path: FieldPath;
}

type DeviceReason = Extract<ShortfallPlan['rejections'][number]['reason'], { readonly filter: 'devices' }>;

/** The field that a pool does not meet on which replicas of a deployment run. Undefined: no field alone is it. */
function findAskingField(
  resource: ModelDeployment,
  { rejections }: ShortfallPlan,
  changes: readonly DeploymentChange[],
): AskingField | undefined {
  const own = new Set(changes.flatMap((one) => (one.action === 'remove' ? placesOf(one.from) : [])));
  const fields = rejections.flatMap(({ cluster, pool = '', reason }) =>
    own.has(`${cluster} / ${pool}`) && reason.filter === 'devices' ? listAskingFields(resource, reason) : [],
  );
  return fields[0];
}

/** The field behind a reason of a pool. Empty: several fields may be it, or none. */
function listAskingFields(resource: ModelDeployment, reason: DeviceReason): AskingField[] {
  if (reason.misfit === 'no-match') {
    const { request, selector, where = false } = reason;
    const field = where && selector === 0 ? ['where'] : ['selectors', selector - (where ? 1 : 0)];
    const paths = listRequestPaths(resource, request).map((path) => [...path, ...field]);
    return paths.length === 1 ? paths.map((path) => ({ asked: 'selector', path })) : [];
  }
  if (reason.misfit !== 'too-large') return [];
  const paths = listAmountPaths(resource, reason);
  return paths.length === 1 ? paths.map((path) => ({ asked: 'request', path })) : [];
}

/** The device requests of a name. */
function listRequestPaths(resource: ModelDeployment, request: string): FieldPath[] {
  return listMembers(resource).flatMap(({ member: { nodeSelector }, path }) =>
    (nodeSelector?.devices ?? []).flatMap(({ name }, d) =>
      name === request ? [[...path, 'nodeSelector', 'devices', d]] : [],
    ),
  );
}

/** The amounts of CPU or memory that containers of an engine request. */
function listAmountPaths(
  resource: ModelDeployment,
  { engine, resource: name }: Extract<DeviceReason, { readonly misfit: 'too-large' }>,
): FieldPath[] {
  return listMembers(resource).flatMap(({ member, path, of }) =>
    (of === engine ? member.template.spec.containers : []).flatMap(({ resources: { requests, limits } }, c) => {
      const field = [requests, limits].findIndex((amounts) => amounts[name] !== undefined);
      const container = [...path, 'template', 'spec', 'containers', c, 'resources'];
      return field < 0 ? [] : [[...container, field === 0 ? 'requests' : 'limits', name]];
    }),
  );
}

function listMembers({ spec }: ModelDeployment) {
  return spec.template.spec.engines.flatMap(({ name: of, members }, e) =>
    members.map((member, m) => ({ of, member, path: ['spec', 'template', 'spec', 'engines', e, 'members', m] })),
  );
}

function placesOf({ cluster, pools }: { readonly cluster: string; readonly pools: Readonly<Record<string, string>> }) {
  return Object.values(pools).map((pool) => `${cluster} / ${pool}`);
}

/** Names the clusters and pools that replicas lose. */
function listLostPlaces(changes: readonly DeploymentChange[]): string[] {
  const names = changes.flatMap((change): string[] => {
    if (change.action !== 'remove') return [];
    return change.reason.kind === 'cluster-gone' ? [`cluster ${change.from.cluster}`] : placesOf(change.from);
  });
  return sortUnique(names);
}
