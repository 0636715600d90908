import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, removeRepeated } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { sortedBy } from '../base/order';
import { formatCommandArguments } from '../base/text';
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
import type { Plan } from '../plan/plan';
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
import { HomelessDeployments } from './homeless-deployments';
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
  flags: LockSource & OnlyFlags & DecisionFlags,
  io: Io,
  read = readLock,
): ValidDecision {
  const given = readInputs(target, flags, io, read);
  const restored = restoreFiles(target, flags, given);
  const inputs = { ...given, input: restored.value };
  const { input } = inputs;
  const ids = listDeployments(inputs);
  const scope = createScope(flags, [...ids, ...listNamed(input, restored)]);
  const homeless = new HomelessDeployments(formatCommandArguments(target, flags.lock));
  const step = createStep(target, flags, io, { inputs, others: ids.filter((id) => !scope(id)), homeless });
  const recall = createRecall(target, flags, inputs, homeless);
  const { value, problems: found, aside } = setAsideFaults(step, recall, restored);
  const problems = homeless.explain(found);
  const own = problems.filter(({ subject = '' }) => listSubjects(subject, restored).some(scope));
  const counted = countFaulty(value.plan, listFaulty(inputs, aside));
  const plan = flags.only ? narrowPlan(counted, scope) : counted;
  return {
    ...value,
    plan,
    problems: new FleetwrightError(own).diagnostics,
    others: removeRepeated(problems.filter((one) => !own.includes(one))).length,
    aside,
    written: listWritten(input, { aside, problems }),
  };
}

type DecisionFlags = RebalanceFlags &
  RefitFlags &
  AcceptFlags &
  PlanFlags & {
    readonly lock?: string;

    /** What the decision is compared with: what has errors stays as it is there. */
    readonly against?: string;
  };

interface StepContext {
  readonly inputs: Inputs;

  /** The deployments that the run is not about. */
  readonly others: readonly string[];
  readonly homeless: HomelessDeployments;
}

/** Creates the function that decides a fleet without the resources that are set aside. */
function createStep(target: string, flags: DecisionFlags, io: Io, { inputs, others, homeless }: StepContext) {
  const { input, lock } = inputs;
  return (aside: SetAside): DecidedFleet => {
    const decided = decideInput(target, flags, io, {
      input: replaceSetAside(input, aside),
      lock,
      held: new Set([...heldDeploymentsOf(aside), ...others]),
      faulty: listFaulty(inputs, aside),
      refit: flags.refit === true,
      absent: [...aside].flatMap(([id, earlier]) => (earlier === undefined ? [id] : [])),
    });
    if (!flags.acceptUnplaced) homeless.refuse(decided, aside);
    return decided;
  };
}

/** The `namespace/name` of all resources that have a namespace, those that cannot be read included. */
function listNamed({ resources, unread }: Inputs['input'], { aside }: RestoredFiles): string[] {
  const namespaced = resources.filter(({ metadata }) => metadata.namespace !== undefined);
  const named = [...unread.map(({ id = '' }) => id), ...aside.keys()];
  return [...namespaced.map(qualifiedNameOf), ...named.map(qualifiedNameIn)];
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

/** The deployments among resources that are set aside, by `namespace/name`. */
export function heldDeploymentsOf(aside: SetAside): ReadonlySet<string> {
  return new Set([...aside.keys()].filter(isDeploymentId).map(qualifiedNameIn));
}

/** The deployments of a fleet, sorted by ID. Those with errors are as they are written, if they can be read. */
export function listDeclaredDeployments({ fleet, written, aside }: ValidDecision): ModelDeployment[] {
  const valid = fleet.deployments.filter((one) => !aside.has(resourceIdOf(one)));
  const faulty = written.resources.flatMap((one) =>
    one.kind === 'ModelDeployment' && aside.has(resourceIdOf(one)) ? [one] : [],
  );
  return sortedBy([...valid, ...faulty], qualifiedNameOf);
}

/** The IDs of all deployments that are declared or in the lock. */
function listDeployments({ input, lock }: Inputs): string[] {
  const declared = input.resources.flatMap((one) => (one.kind === 'ModelDeployment' ? [qualifiedNameOf(one)] : []));
  const locked = lock.placements.map(({ deployment }) => deployment);
  return [...new Set([...declared, ...locked, ...lock.unplaced.keys()])];
}

/** The plan of a fleet whose size includes deployments with errors. Their replicas run on, though the plan knows none. */
function countFaulty(plan: Plan, faulty: readonly ModelDeployment[]): Plan {
  const { deployments, replicas } = plan.fleet;
  const more = faulty.reduce((sum, { spec }) => sum + spec.replicas, 0);
  return { ...plan, fleet: { ...plan.fleet, deployments: deployments + faulty.length, replicas: replicas + more } };
}

/** The number of commits that are searched for the last declaration of a resource without errors. */
const MAX_COMMITS = 20;

/** The number of declarations that are tried for a resource. */
const MAX_TRIES = 3;

/** Creates a function that finds earlier declarations in git. Commits are read when the first one is asked for. */
function createRecall(
  target: string,
  flags: LockSource & Pick<DecisionFlags, 'against'>,
  { input, lock }: Inputs,
  homeless: HomelessDeployments,
): FindEarlierDeclaration {
  let commits: string[] | undefined;
  const states = new Map<string, readonly Resource[]>();
  const tried = new Map<string, Set<string>>();
  return homeless.preferFitting((id) => {
    if (input.source !== 'files' || !mayRun(id, lock)) return undefined;
    const known = tried.get(id) ?? new Set<string>();
    tried.set(id, known);
    if (known.size >= MAX_TRIES) return undefined;
    // An edit with an error may be committed: what it is compared with is what stays.
    const revisions = [...(flags.against === undefined ? [] : [flags.against]), flags.from ?? 'HEAD'];
    commits ??= [...new Set(revisions.flatMap((one) => listCommitsSafely(one, target, MAX_COMMITS)))];
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
  });
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
