import { locateAll, locateOne, type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, removeRepeated, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { sortUnique } from '../base/order';
import { formatCommandArguments, joinNames, pluralize } from '../base/text';
import {
  isDeploymentId,
  qualifiedNameIn,
  type FindEarlierDeclaration,
  replaceSetAside,
  type SetAside,
  setAsideFaults,
  listWritten,
  type WrittenDeclarations,
} from '../files/set-aside';
import { checkDeviceCounts } from '../fleet/checks/devices';
import { indexDeploymentsById } from '../fleet/fleet';
import type { DeploymentPlan } from '../plan/plan';
import { formatRemedyOf, formatShortfallLine, listNearest } from '../report/plan/shortfall-text';
import type { Lock } from '../scheduler/lock/lock';
import { shapeDigestOf } from '../scheduler/shape-digest';
import {
  type DecidedFleet,
  decideInput,
  type Inputs,
  type PlanFlags,
  readInputs,
  type RebalanceFlags,
} from './decide-fleet';
import { readResourcesAt } from './git/earlier-declarations';
import { listCommitsSafely } from './git/repository';
import { createScope, narrowPlan, type OnlyFlags } from './narrow-plan';
import type { Io } from './output';
import { type LockSource, readLock } from './read-inputs';
import { type RestoredFiles, restoreFiles } from './restore-files';

/** A decision about everything without errors. */
export interface ValidDecision extends DecidedFleet {
  /** What is wrong with the resources that the decision leaves as they are. Empty if nothing is. */
  readonly problems: readonly Diagnostic[];
  readonly aside: SetAside;
  readonly written: WrittenDeclarations;

  /** The number of errors of resources that the run is not about. */
  readonly others: number;
}

export interface RefitFlags {
  /** Whether the layouts of models are chosen again. */
  readonly refit?: boolean;
}

export interface AcceptFlags {
  /** Whether replicas may leave the lock although no cluster has a place for them. */
  readonly acceptUnplaced?: boolean;
}

/**
 * Decides a fleet in which some deployments, caches and services may have errors. Their replicas stay as the lock has
 * them. An earlier declaration from git takes the place of a resource with errors, so that what runs is rendered and
 * routed as before.
 *
 * @throws FleetwrightError with all problems, if some of them concern the fleet, a cluster, a class, a gateway, the
 *   lock, or a file of which it is not known what it declares
 */
export function decideValidResources(
  target: string,
  flags: LockSource & OnlyFlags & RebalanceFlags & RefitFlags & AcceptFlags & PlanFlags,
  io: Io,
  read = readLock,
): ValidDecision {
  const given = readInputs(target, flags, io, read);
  const restored = restoreFiles(target, flags, given);
  const inputs = { ...given, input: restored.value };
  const { input, lock } = inputs;
  const ids = listDeployments(inputs);
  const named = [...input.unread.map(({ id = '' }) => id), ...restored.aside.keys()].map(qualifiedNameIn);
  const namespaced = input.resources.filter(({ metadata }) => metadata.namespace !== undefined);
  const scope = createScope(flags, [...ids, ...namespaced.map(qualifiedNameOf), ...named]);
  const unrelated = ids.filter((id) => !scope(id));
  const step = (aside: SetAside): DecidedFleet => {
    const held = new Set([...heldDeploymentsOf(aside), ...unrelated]);
    const decided = decideInput(target, flags, io, {
      input: replaceSetAside(input, aside),
      lock,
      held,
      faulty: listFaulty(inputs, aside),
      refit: flags.refit === true,
      absent: [...aside].flatMap(([id, earlier]) => (earlier === undefined ? [id] : [])),
    });
    if (!flags.acceptUnplaced) refuseHomeless(decided, formatCommandArguments(target, flags.lock));
    return decided;
  };
  const { value, problems, aside } = setAsideFaults(step, createRecall(target, flags, inputs), restored);
  const own = problems.filter(({ subject = '' }) => listSubjects(subject, restored).some(scope));
  const plan = flags.only ? narrowPlan(value.plan, scope) : value.plan;
  return {
    ...value,
    plan,
    problems: new FleetwrightError(own).diagnostics,
    others: removeRepeated(problems.filter((one) => !own.includes(one))).length,
    aside,
    written: listWritten(input, { aside, problems }),
  };
}

/** The `namespace/name` of the resources that an error is about: one, or those of a file. */
function listSubjects(subject: string, { members }: RestoredFiles): string[] {
  return (members.get(subject) ?? [subject]).map(qualifiedNameIn);
}

/** The declarations of removed deployments, or the earlier ones that the lock has, for what their replicas take. */
function listFaulty({ input, lock }: Inputs, aside: SetAside): ModelDeployment[] {
  return [...aside].flatMap(([id, earlier]) => {
    if (earlier !== undefined || !isDeploymentId(id)) return [];
    const declared = input.resources.find((one) => resourceIdOf(one) === id);
    if (declared?.kind === 'ModelDeployment') return [declared];
    return lock.shapes
      .filter(({ deployment }) => deployment === qualifiedNameIn(id))
      .slice(0, 1)
      .map((one) => one.declared);
  });
}

/**
 * Rejects a deployment that asks for what no cluster has and would lose its replicas, because their cluster or pool is
 * removed. Without replicas it is a shortfall. More devices of a node than any class has are named as `validate` does.
 *
 * @param command the arguments of the command that accepts the loss
 * @throws FleetwrightError with every such deployment
 */
function refuseHomeless({ plan, fleet, locate }: DecidedFleet, command: string): void {
  const declared = indexDeploymentsById(fleet.deployments);
  const problems = plan.deployments.flatMap(({ deployment: id, replicas, shortfall, changes }): Diagnostic[] => {
    const resource = declared.get(id);
    if (!resource || !shortfall?.impossible || changes.length === 0) return [];
    const counts = [...checkDeviceCounts({ ...fleet, deployments: [resource] })];
    if (counts.length > 0) return locateAll(counts, locate);
    const verb = shortfall.missing === 1 ? 'does' : 'do';
    const count = `${shortfall.missing} of ${pluralize(replicas, 'replica')}`;
    const what = `${count} of ${id} ${verb} not fit any more (${formatShortfallLine(shortfall)})`;
    const hint = [
      [...hintToKeep(changes), ...listNearest(shortfall.remedies).map((one) => formatRemedyOf(one, shortfall))].join(
        ', or ',
      ),
      ...(changes.some(losesHardware) ? [REPLACE_HARDWARE] : []),
      `To give up the replicas, run 'fleetwright lock ${command} --accept-unplaced'`,
    ];
    const sentences = hint.filter((sentence) => sentence !== '').join('. ');
    return [locateOne(errorAt('unplaced', { resource, path: ['spec', 'replicas'] }, what, sentences), locate)];
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
}

const REPLACE_HARDWARE =
  'To replace the hardware, declare the new one as another pool, let the deployment ask for it, and remove the old pool when the replicas have moved';

type DeploymentChange = DeploymentPlan['changes'][number];

/** Whether a replica loses its place because its pool has other devices than before. */
function losesHardware(change: DeploymentChange): boolean {
  return change.action === 'remove' && change.reason.kind === 'rejected';
}

/** Names the clusters and pools that replicas lose. */
function hintToKeep(changes: readonly DeploymentChange[]): string[] {
  const names = changes.flatMap((change): string[] => {
    if (change.action !== 'remove') return [];
    const { cluster, pools } = change.from;
    if (change.reason.kind === 'cluster-gone') return [`cluster ${cluster}`];
    return Object.values(pools).map((pool) => `${cluster} / ${pool}`);
  });
  return names.length === 0
    ? []
    : [`Undo the change of ${joinNames(sortUnique(names), MAX_NAMED)}, where its replicas run`];
}

const MAX_NAMED = 4;

/** The deployments among resources that are set aside, by `namespace/name`. */
export function heldDeploymentsOf(aside: SetAside): ReadonlySet<string> {
  return new Set([...aside.keys()].filter(isDeploymentId).map(qualifiedNameIn));
}

/** The IDs of all deployments that are declared or in the lock. */
function listDeployments({ input, lock }: Inputs): string[] {
  const declared = input.resources.flatMap((one) => (one.kind === 'ModelDeployment' ? [qualifiedNameOf(one)] : []));
  const locked = lock.placements.map(({ deployment }) => deployment);
  return [...new Set([...declared, ...locked, ...lock.unplaced.keys()])];
}

/** The number of commits that are searched for the last declaration of a resource without errors. */
const MAX_COMMITS = 20;

/** The number of declarations that are tried for a resource. */
const MAX_TRIES = 3;

/** Creates a function that finds earlier declarations in git. Commits are read when the first one is asked for. */
function createRecall(target: string, flags: LockSource, { input, lock }: Inputs): FindEarlierDeclaration {
  let commits: string[] | undefined;
  const states = new Map<string, readonly Resource[]>();
  const tried = new Map<string, Set<string>>();
  return (id) => {
    if (input.source !== 'files' || !mayRun(id, lock)) return undefined;
    const known = tried.get(id) ?? new Set<string>();
    tried.set(id, known);
    if (known.size >= MAX_TRIES) return undefined;
    commits ??= listCommitsSafely(flags.from ?? 'HEAD', target, MAX_COMMITS);
    for (const commit of commits) {
      const state = states.get(commit) ?? readResourcesAt(commit, target);
      states.set(commit, state);
      const found = state.find((resource) => resourceIdOf(resource) === id && isInLock(resource, lock));
      const text = JSON.stringify(found);
      if (!found || known.has(text)) continue;
      known.add(text);
      return found;
    }
    return undefined;
  };
}

/** Whether something of a resource may run. A deployment without a line in the lock has nothing that could stay. */
function mayRun(id: string, { placements }: Lock): boolean {
  return !isDeploymentId(id) || placements.some(({ deployment }) => deployment === qualifiedNameIn(id));
}

/** Whether the lock has replicas of these engines. Always for resources without replicas. */
function isInLock(resource: Resource, { placements }: Lock): boolean {
  if (resource.kind !== 'ModelDeployment') return true;
  const id = qualifiedNameOf(resource);
  // The layouts of a model are not in its declaration.
  const shape = resource.spec.model ? undefined : shapeDigestOf(resource);
  return placements.some((line) => line.deployment === id && (shape === undefined || line.shape === shape));
}
