import type { MoreNodes } from '../../analyze/survive/more-nodes';
import { findUnmetRequirement } from '../../api/label-matching';
import { qualifiedNameOf } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import { groupBy, sortUnique } from '../../base/order';
import type { EntryLostFinding } from '../../diff/entry-findings';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { GateFinding } from '../../diff/gate-findings';
import { losesItsPlace } from '../../diff/pool-disruption';
import { type Cause, dedupeCauses, isPlacementField, selectCauses } from '../../diff/replica-causes';
import { isEvicted } from '../../plan/replica-moves';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { DeclaredRemedy } from '../../plan/declared-remedy';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { Plan, ShortfallPlan } from '../../plan/plan';
import { toPermanentSelector } from '../../routing/checks/nearest-labels';
import { selectableLabelsOf } from '../../routing/selectable-items';
import type { Remedy } from '../../scheduler/remedy';
import { formatHomelessReason, type Homeless, homelessOf } from '../plan/homeless-text';
import { formatRemedyOf } from '../plan/remedy-text';
import { formatDecisiveReason, formatOtherReasons } from '../plan/shortfall-text';
import { causesOf } from './finding-descriptions';
import { listShortDeployments, type ShortDeployment } from './shortfall-changes';

/** A deployment of which replicas have no place. */
export interface UnplacedDeployment {
  /** `namespace/name`. */
  readonly id: string;

  /** The replicas without a place, of those that it declares, or has where its declaration has errors. */
  readonly missing: number;
  readonly of: number;

  /** Those that ran before and stop without another place. */
  readonly stopped: number;

  /** Whether some of them ran on a cluster that the change declares lost, which undoes nothing. Absent: none did. */
  readonly lost?: true;

  /** The cluster of each replica that is left, and of those of them that serve only until they are finalized. */
  readonly left: readonly string[];
  readonly old: readonly string[];

  /** The edits that cause it. */
  readonly causes: readonly Cause[];

  /** The one reason that decides. */
  readonly why: string;

  /** Why the other clusters have no place. Absent: that reason is about all of them. */
  readonly others?: string;

  /** Absent: its declaration has the error below. */
  readonly shortfall?: ShortfallPlan;
  readonly error?: Diagnostic;

  /** What is known of it, where its declaration has the error. */
  readonly homeless?: Homeless;
}

/** Deployments of which replicas have no place for one reason, with all that a gate says of the same replicas. */
export interface UnplacedFinding {
  readonly deployments: readonly [UnplacedDeployment, ...UnplacedDeployment[]];

  /** What the gate says of them: that none serves for a time, or that nothing answers. */
  readonly findings: readonly GateFinding[];
}

/** What a change comes to that declares remedies too. */
export interface RemedyOutcome {
  /** What the gate refuses. */
  readonly findings: readonly GateFinding[];

  /** How many of the replicas that the remedies are for have a place with them. */
  readonly helped: number;

  /** How many more replicas have no place than without the remedies. */
  readonly displaced: readonly { readonly deployment: string; readonly count: number }[];

  /** How many replicas of all deployments have no place with the remedies, apart from those that are given up. */
  readonly missing: number;
}

/** Tries what a change comes to that declares remedies too. Undefined: they were not tried. */
export type TryRemedies = (remedies: readonly DeclaredRemedy[]) => RemedyOutcome | undefined;

/** A change, and what is known to fail it. */
export interface RefusedChange {
  readonly diff: FleetDiff;
  readonly plan: Pick<Plan, 'deployments' | 'policies'>;

  /** The errors of resources that stay as they are. */
  readonly problems: readonly Diagnostic[];

  /** What the gate refuses. */
  readonly findings: readonly GateFinding[];

  /** The later declarations. */
  readonly fleet?: Pick<Fleet, 'deployments'> | undefined;

  /** The removal of most replicas, which is not accepted. Default: there is none. */
  readonly removal?: unknown;

  /** Tries what comes of it where the change declares remedies too. Default: that is not known. */
  readonly trialOf?: TryRemedies | undefined;

  /** Finds the nodes that give all replicas without a place one. Default: they are not known. */
  readonly findMoreNodes?: (() => MoreNodes | undefined) | undefined;
}

/** A finding that offers other remedies of its first deployment. */
export function withRemedies(
  { deployments, findings }: UnplacedFinding,
  select: (remedies: readonly Remedy[]) => Remedy[],
): UnplacedFinding {
  const [{ shortfall, ...first }, ...others] = deployments;
  if (!shortfall) return { deployments, findings };
  const remedies = select(shortfall.remedies);
  return { deployments: [{ ...first, shortfall: { ...shortfall, remedies } }, ...others], findings };
}

/** Finds the replicas that have no place although nothing accepts that, by what keeps them from one. */
export function findUnplaced(change: RefusedChange): UnplacedFinding[] {
  const { diff, plan, problems } = change;
  const short = listShortDeployments(plan, diff).filter(({ shortfall }) => !shortfall.accepted);
  const homeless = problems.flatMap((error) => toHomeless(error, diff));
  const groups = [
    ...groupBy(homeless, ({ causes }) => causes.map(({ where }) => where).join('\n')).values(),
    ...groupBy(
      short.map((one) => toUnplaced(one, diff)),
      keyOfReasons,
    ).values(),
  ];
  return groups.flatMap(([first, ...others]) => {
    if (!first) return [];
    const deployments = [first, ...others] as const;
    const findings = change.findings.filter((one) => isSaidOf(one, deployments, change));
    return [{ deployments, findings }];
  });
}

/** Finds the deployments that a change adds although replicas of them have no place, which the change itself accepts. */
export function findAcceptedNew(diff: FleetDiff, plan: Pick<Plan, 'deployments'>): UnplacedFinding[] {
  const added = new Set(
    diff.declarations.flatMap(({ id, action, renamed }) => (action === 'added' && !renamed ? [id] : [])),
  );
  return listShortDeployments(plan, diff)
    .filter(({ shortfall, deployment }) => shortfall.accepted && added.has(`ModelDeployment ${deployment}`))
    .map((one) => ({ deployments: [toUnplaced(one, diff)] as const, findings: [] }));
}

function keyOfReasons({ id, why, shortfall, stopped, missing }: UnplacedDeployment): string {
  const remedies = shortfall?.remedies.map((remedy) => formatRemedyOf(withoutScope(remedy, id), shortfall)) ?? [];
  return [why, stopped === missing, ...remedies].join('\n');
}

/** A remedy without the deployment that it is for. */
function withoutScope({ minimums, ...rest }: Remedy, id: string): Remedy {
  const named = minimums?.map((one) => (one.deployment === id ? { ...one, deployment: '' } : one));
  const remedy = { ...rest, ...(named && { minimums: named }) } as Remedy;
  if (remedy.kind === 'limit') return { ...remedy, deployment: '' };
  if (remedy.kind !== 'move') return remedy;
  const { before: _, ...others } = remedy;
  return others;
}

function toUnplaced(short: ShortDeployment, diff: FleetDiff): UnplacedDeployment {
  const { deployment: id, replicas, shortfall } = short;
  const changes = changesOf(id, diff);
  const stopped = changes.filter(isEvicted);
  const left = listReplicasAfter(short);
  const lost = listLostPools(stopped);
  const others = formatOtherReasons(shortfall, lost);
  return {
    id,
    missing: shortfall.missing,
    of: replicas,
    stopped: stopped.length,
    ...(changes.some(({ action }) => action === 'lost') && { lost: true }),
    left: left.map(({ placement }) => placement.cluster),
    old: left.flatMap(({ placement: { draining, cluster } }) => (draining ? [cluster] : [])),
    causes: findCauses(id, changes, diff),
    why: formatDecisiveReason(shortfall, lost),
    ...(others !== '' && { others }),
    shortfall,
  };
}

/** A deployment that keeps its declaration, because nothing has what it asks for any more. */
function toHomeless(error: Diagnostic, diff: FleetDiff): UnplacedDeployment[] {
  const homeless = homelessOf(error);
  const change = diff.deployments.find(({ deployment }) => deployment === homeless?.deployment);
  const stopped = (change?.changes ?? []).filter(losesItsPlace);
  if (!homeless || !change || stopped.length === 0) return [];
  const causes = dedupeCauses(stopped.flatMap((one) => one.causes));
  const counts = { missing: stopped.length, of: change.serving.before, stopped: stopped.length, left: [], old: [] };
  return [{ id: homeless.deployment, ...counts, causes, why: formatHomelessReason(homeless), error, homeless }];
}

function changesOf(id: string, { deployments }: FleetDiff): readonly ReplicaChangeWithCauses[] {
  return deployments.find(({ deployment }) => deployment === id)?.changes ?? [];
}

/**
 * The edits for which replicas go, wait or are lost, and those that ask for more of them; else those of what decides the
 * number and the place of replicas.
 */
function findCauses(id: string, changes: readonly ReplicaChangeWithCauses[], { declarations }: FleetDiff): Cause[] {
  const gone = changes.filter((one) => isEvicted(one) || one.action === 'draining' || one.action === 'lost');
  const causes = gone.flatMap((one) => one.causes);
  const changed = new Map(declarations.map((one) => [one.id, one]));
  const own = [`ModelDeployment ${id}`];
  const scaling = selectCauses(changed, own, ({ field }) => field === 'spec.replicas');
  if (causes.length > 0) return dedupeCauses([...causes, ...scaling.filter(isRaise)]);
  const placing = scaling.length > 0 ? scaling : selectCauses(changed, own, isPlacementField);
  return placing.length > 0 ? placing : selectCauses(changed, own);
}

function isRaise({ field }: Cause): boolean {
  return Number(field?.after) > Number(field?.before);
}

function listLostPools(changes: readonly ReplicaChangeWithCauses[]): string[] {
  return sortUnique(
    changes.flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => `${cluster} / ${pool}`)),
  );
}

/** Whether it helps to undo the edits that cause it: there are some, and none states that a cluster is lost. */
export function mayUndo({ causes, lost }: UnplacedDeployment): boolean {
  return causes.length > 0 && lost !== true;
}

/** Whether none of the replicas of a deployment is left, of those that it had. */
export function isEmptied({ stopped, of, left }: UnplacedDeployment): boolean {
  return stopped > 0 && left.length === 0 && stopped === of;
}

/** The clusters on which old replicas serve in place of all that have no other place. Undefined: some do not serve. */
export function listKeptOn(unplaced: readonly UnplacedFinding[]): string[] | undefined {
  const deployments = unplaced.flatMap((one) => one.deployments);
  const isKept = deployments.every(({ old, missing, shortfall }) => shortfall && old.length >= missing);
  return isKept && deployments.length > 0 ? sortUnique(deployments.flatMap(({ old }) => old)) : undefined;
}

/** Whether a finding is about replicas without a place, and follows from the same edits. */
function isSaidOf(
  finding: GateFinding,
  deployments: readonly UnplacedDeployment[],
  { fleet }: Pick<RefusedChange, 'fleet'>,
): boolean {
  const emptied = new Set(deployments.filter(isEmptied).map(({ id }) => id));
  if (finding.kind === 'none-left') return emptied.has(finding.change.deployment);
  if (finding.kind === 'outage' || finding.kind === 'too-few-serving')
    return isOfSameEdits(finding.change, deployments);
  if (finding.kind === 'service-silent') return finding.deployments.every((id) => emptied.has(id));
  return finding.kind === 'entry-lost' && fleet !== undefined && selectsOnly(finding, emptied, fleet);
}

function isOfSameEdits(change: DeploymentDiff, deployments: readonly UnplacedDeployment[]): boolean {
  const own = deployments.find(({ id }) => id === change.deployment);
  const edits = new Set(own?.causes.map(({ where }) => where));
  return own !== undefined && causesOf(change).every(({ where }) => edits.has(where));
}

/** Whether an entry is lost only because what it selects has no replica left. */
function selectsOnly(
  { service, entry, lost, scaledToZero, shadowedBy }: EntryLostFinding,
  emptied: ReadonlySet<string>,
  { deployments }: Pick<Fleet, 'deployments'>,
): boolean {
  if (lost.length > 0 || scaledToZero || shadowedBy) return false;
  const selector = toPermanentSelector(service.spec.endpoints[entry]?.selector ?? { matchLabels: {} });
  const selected = deployments.filter((one) => !findUnmetRequirement(selector, selectableLabelsOf(one)));
  return selected.length > 0 && selected.every((one) => emptied.has(qualifiedNameOf(one)));
}

/** The clusters that the change removes and that replicas without a place run on. Scenarios and outages aside. */
export function listRemovedClusters({ deployments }: UnplacedFinding, diff: FleetDiff): string[] {
  const stopped = deployments.flatMap(({ id }) => changesOf(id, diff).filter(isEvicted));
  return sortUnique(stopped.flatMap(({ cluster, reason }) => (reason?.kind === 'cluster-gone' ? [cluster] : [])));
}

/** The services of which no request is answered once the replicas are gone. */
export function listSilentServices({ findings }: UnplacedFinding): string[] {
  return sortUnique(
    findings.flatMap((one) => {
      const isSilent = one.kind === 'service-silent' || (one.kind === 'entry-lost' && !one.others);
      return isSilent ? [qualifiedNameOf(one.service)] : [];
    }),
  );
}

/** Where an unplaced deployment is declared, of its edits first. */
export function whereOfUnplaced(
  { causes, id, error }: UnplacedDeployment,
  {
    fleet,
    locate,
  }: { readonly fleet: Fleet; readonly locate: (resource: Fleet['deployments'][number], path: string[]) => string },
): string | undefined {
  const declared = indexDeploymentsById(fleet.deployments).get(id);
  return (
    error?.at ?? causes.find(({ field }) => field?.after !== undefined)?.where ?? (declared && locate(declared, []))
  );
}
