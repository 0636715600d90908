import { locateAll, locateOne, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { sortUnique } from '../base/order';
import { type FindEarlierDeclaration, qualifiedNameIn, type SetAside } from '../files/set-aside';
import { checkDeviceCounts } from '../fleet/checks/devices';
import { indexDeploymentsById } from '../fleet/fleet';
import type { DeploymentPlan, ShortfallPlan } from '../plan/plan';
import { type Homeless, homelessOf, toHomelessError } from '../report/plan/homeless-text';
import type { DecidedFleet } from './decide-fleet';

/**
 * Deployments that ask for what no cluster has and would lose their replicas: either what they ask for changed, or the
 * cluster or pool that they run on. An earlier declaration with which the replicas keep their place says which.
 */
export class HomelessDeployments {
  /** Those with a selector that their pools do not meet, which may have changed. By resource ID. */
  private readonly selecting = new Set<string>();

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
      return homeless ? toHomelessError(one, { ...homeless, selector: 'changed' }) : one;
    });
  }

  /** Whether it was refused, and an earlier declaration may fit. */
  private isOpen(id = ''): boolean {
    return this.selecting.has(id) && !this.misplaced.has(id);
  }

  private refuseOne(
    { deployment: id, replicas, shortfall, changes }: DeploymentPlan,
    resource: ModelDeployment,
    { fleet, locate }: DecidedFleet,
  ): Diagnostic[] {
    if (!shortfall?.impossible || changes.length === 0) return [];
    const counts = [...checkDeviceCounts({ ...fleet, deployments: [resource] })];
    if (counts.length > 0) return locateAll(counts, locate);
    const selector = findSelector(resource, shortfall, changes);
    const losesPool = changes.some(losesHardware);
    const homeless: Homeless = {
      deployment: id,
      replicas,
      shortfall,
      lost: listLostPlaces(changes),
      losesHardware: losesPool,
      selector: selector && losesPool ? 'undecided' : undefined,
      command: this.command,
    };
    if (selector) this.selecting.add(resourceIdOf(resource));
    const at = { resource, path: selector ?? ['spec', 'replicas'] };
    return [toHomelessError(locateOne(errorAt('unplaced', at, '', ''), locate), homeless)];
  }
}

type DeploymentChange = DeploymentPlan['changes'][number];

/** Whether a replica loses its place because its pool does not have the devices that it asks for. */
function losesHardware(change: DeploymentChange): boolean {
  return change.action === 'remove' && change.reason.kind === 'rejected';
}

/** The path of the selector that the devices of a pool do not meet on which its replicas run. Undefined: there is none. */
function findSelector(
  { spec }: ModelDeployment,
  { rejections }: ShortfallPlan,
  changes: readonly DeploymentChange[],
): (string | number)[] | undefined {
  const own = new Set(changes.flatMap((one) => (one.action === 'remove' ? placesOf(one.from) : [])));
  const misfits = rejections.flatMap(({ cluster, pool = '', reason }) =>
    own.has(`${cluster} / ${pool}`) && reason.filter === 'devices' && reason.misfit === 'no-match' ? [reason] : [],
  );
  const [misfit] = misfits;
  if (!misfit) return undefined;
  const { request, selector, where = false } = misfit;
  const paths = spec.template.spec.engines.flatMap(({ members }, e) =>
    members.flatMap(({ nodeSelector }, m) =>
      (nodeSelector?.devices ?? []).flatMap(({ name }, d) =>
        name === request
          ? [['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector', 'devices', d]]
          : [],
      ),
    ),
  );
  const field = where && selector === 0 ? ['where'] : ['selectors', selector - (where ? 1 : 0)];
  return paths.length === 1 ? [...(paths[0] ?? []), ...field] : undefined;
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
