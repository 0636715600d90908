import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { qualifiedNameOf } from '../api/resource';
import { attempt, problemsOf } from '../base/attempt';
import { type Diagnostic, relocate } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { suggestObjectName } from '../base/name-suggestion';
import { formatCommandArguments, pluralize, quoteShellWord } from '../base/text';
import { expandModels } from '../engine/expand/expand-models';
import { diagnoseOutOfDateLock } from '../plan/apply-blockers';
import { decide } from '../plan/decide';
import type { DecideOptions, Decision } from '../plan/decision';
import type { Lock } from '../scheduler/lock/lock';
import type { RebalanceOptions } from '../scheduler/schedule';
import { commandError, meantHint } from './command-error';
import { findPreviousRevisions } from './git/previous-revisions';
import type { Io, OutputFlags } from './output';
import {
  type DeclaredFleet,
  type DeclaredInput,
  describeLockSource,
  hasLock,
  type InputFlags,
  lockPathOf,
  type LockSource,
  readInput,
  readLock,
  refuseLockBelow,
  resolveInput,
} from './read-inputs';

export interface CommonFlags extends InputFlags, OutputFlags {
  readonly quiet?: boolean;
}

export interface RebalanceFlags {
  /** Whether replicas of the lock may move for those without a place. A name: only replicas of this deployment. */
  readonly rebalance?: string | boolean;
}

/** What commands set that do not show the plan. */
export type PlanFlags = Pick<DecideOptions, 'placesOnly' | 'untriedRemedies' | 'explainsScaling'>;

/** Those of commands that show neither warnings nor remedies. */
export const PLACES: PlanFlags = { placesOnly: true, untriedRemedies: true };

export interface DecidedFleet extends DeclaredFleet, Decision {}

/** @throws FleetwrightError with all problems of the fleet and of its lock */
export function decideFleet(
  target: string,
  flags: LockSource & RebalanceFlags & PlanFlags,
  io: Io,
  read = readLock,
): DecidedFleet {
  const { input, lock } = readInputs(target, flags, io, read);
  return decideInput(target, flags, io, { input, lock });
}

/** The declarations and the lock that a command decides from. */
export interface Inputs {
  readonly input: DeclaredInput;
  readonly lock: Lock;
}

/** @throws FleetwrightError with all problems of the fleet and of its lock, if one of them cannot be read */
export function readInputs(target: string, flags: LockSource & RebalanceFlags, io: Io, read: typeof readLock): Inputs {
  refuseFolderToRebalance(target, flags);
  const input = attempt(() => readInput(target, flags, io));
  const lock = attempt(() => read(target, flags));
  if ('value' in input) refuseLockBelow(target, flags, input.value);
  if ('value' in input && 'value' in lock) return { input: input.value, lock: lock.value };
  const declared = 'value' in input ? attempt(() => resolveInput(input.value)) : input;
  throw new FleetwrightError([...problemsOf(declared), ...problemsOf(lock)]);
}

/**
 * @throws FleetwrightError with all problems of the fleet
 */
export function decideInput(
  target: string,
  flags: LockSource & RebalanceFlags & PlanFlags,
  io: Io,
  {
    input,
    lock,
    held = new Set(),
    faulty = [],
    refit = false,
    absent = [],
  }: Inputs & Pick<DecideOptions, 'held' | 'faulty' | 'refit' | 'absent'>,
): DecidedFleet {
  const resolved = resolveInput(input);
  io.progress?.(`deciding: ${describeSize(resolved.fleet)}`);
  // Earlier engines are compared with the expanded ones. `decide` leaves models that are expanded as they are.
  const declared = { ...resolved, fleet: expandModels(resolved.fleet, { layouts: lock.layouts, refit }) };
  rejectOtherLock(target, flags, declared);
  const { former, notes } = findPreviousRevisions(target, flags, declared, lock);
  const rebalance = toRebalanceOptions(flags, [...declared.fleet.deployments.map(qualifiedNameOf), ...held]);
  const started = describeLockSource(target, flags);
  const remarks = {
    ...declared,
    notes: [...started, ...declared.notes, ...notes],
    former,
    held,
    faulty,
    rebalance,
    refit,
    absent,
    placesOnly: flags.placesOnly === true,
    untriedRemedies: flags.untriedRemedies === true,
    explainsScaling: flags.explainsScaling === true,
  };
  return { ...declared, ...decide(declared.fleet, declared.locate, lock, remarks) };
}

/** `12,000 replicas of 800 deployments, 200 clusters`: what there is to decide, on which its time depends. */
function describeSize({ deployments, clusters }: DeclaredFleet['fleet']): string {
  const replicas = deployments.reduce((sum, { spec }) => sum + spec.replicas, 0);
  const placed = `${pluralize(replicas, 'replica')} of ${pluralize(deployments.length, 'deployment')}`;
  return `${placed}, ${pluralize(clusters.length, 'cluster')}`;
}

/** @throws FleetwrightError where the folder of the fleet became the value of `--rebalance` */
function refuseFolderToRebalance(target: string, { rebalance }: RebalanceFlags): void {
  if (target !== '.' || typeof rebalance !== 'string' || !existsSync(rebalance)) return;
  const what = `'${rebalance}' is a folder or file, and the flag takes a deployment`;
  const hint = `Write it before the flag: fleetwright lock ${quoteShellWord(rebalance)} --rebalance`;
  throw commandError('unknown-deployment', '--rebalance', what, hint);
}

/** @throws FleetwrightError where `--rebalance` names a deployment that is not declared */
function toRebalanceOptions({ rebalance }: RebalanceFlags, ids: readonly string[]): RebalanceOptions | undefined {
  if (rebalance === undefined || rebalance === false) return undefined;
  if (rebalance === true) return {};
  if (ids.includes(rebalance)) return { only: rebalance };
  const near = suggestObjectName(rebalance, ids);
  const hint = meantHint(
    near,
    'Name it NAMESPACE/NAME. Write the folder before the flag: fleetwright lock . --rebalance',
  );
  throw commandError('unknown-deployment', '--rebalance', `no deployment has the name '${rebalance}'`, hint);
}

/** The program and the command line must read the lock that the other writes, unless the user selects one. */
function rejectOtherLock(target: string, flags: InputFlags, { programLock }: DeclaredFleet): void {
  if (programLock === undefined || flags.lock !== undefined || flags.ephemeral) return;
  const path = lockPathOf(target, flags);
  if (toRealPath(path) === toRealPath(programLock)) return;
  const meant = relative('.', programLock);
  const what = `the program reads lock file ${meant}, and this command would use ${path}`;
  throw commandError('other-lock', target, what, `Run it with --lock ${meant}`);
}

/** The absolute path of a file that need not exist. Links in its folder are resolved. */
export function toRealPath(path: string): string {
  const folder = dirname(resolve(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}

/** Creates the error of a command that needs an up-to-date lock. */
export function createOutOfDateLockError(
  target: string,
  flags: CommonFlags,
  decided: OutOfDateFleet,
): FleetwrightError {
  return new FleetwrightError([toOutOfDateProblem(target, flags, decided)]);
}

/** Creates the annotation for a lock that is out of date, at the start of the lock file if it exists. */
export function createOutOfDateLockAnnotation(target: string, flags: CommonFlags, decided: OutOfDateFleet): Diagnostic {
  const problem = toOutOfDateProblem(target, flags, decided);
  return hasLock(target, flags) ? relocate(problem, (path) => `${path}:1:1`) : problem;
}

type OutOfDateFleet = Pick<DecidedFleet, 'changed'>;

function toOutOfDateProblem(target: string, flags: CommonFlags, { changed }: OutOfDateFleet): Diagnostic {
  const where = { lock: lockPathOf(target, flags), command: formatCommandArguments(target, flags.lock) };
  return diagnoseOutOfDateLock(where, !hasLock(target, flags), changed);
}
