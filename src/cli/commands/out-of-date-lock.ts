import { dirname, isAbsolute, relative } from 'node:path';
import { formatCommandArguments, joinNames, quoteShellWord } from '../../base/text';
import { INVENTORY_FILE } from '../../files/output-inventory';
import { hasBlockingShortfall } from '../../plan/apply-blockers';
import { isChangedDeployment } from '../../plan/deployment-plans';
import { findUnrefusedRemoval } from '../../plan/large-removals';
import type { NextCommands } from '../../report/pull-request/lock-steps';
import type { OutOfDateLock } from '../../report/pull-request/refusal-lines';
import { findLargeRemoval } from '../../scheduler/lock/removals';
import type { DecidedFleet } from '../decide-fleet';
import type { ValidDecision } from '../decide-valid-resources';
import { listTracked } from '../git/repository';
import { hasLock, lockPathOf } from '../read-inputs';
import type { PlanFlags } from './plan-flags';

/** Says that the lock is out of date where the replicas do not show it. A comment always says it. */
export function formatUnnoticedLock(
  { plan, given, lock, outOfDate, changed }: ValidDecision,
  target: string,
  flags: PlanFlags,
): string[] {
  const isShown = flags.markdown === true || flags.from !== undefined || plan.deployments.some(isChangedDeployment);
  if (!outOfDate || isShown || !hasLock(target, flags)) return [];
  const chosen = changed.filter((id) => given.layouts?.get(id) !== lock.layouts?.get(id));
  const why = chosen.length > 0 ? `: spec.model, or the engines next to it, changed in ${joinNames(chosen)}` : '';
  const command = `fleetwright lock ${formatCommandArguments(target, flags.lock)}`;
  return [`${lockPathOf(target, flags)} is out of date, although no replica changes${why}. Run '${command}'.`];
}

/** The lock that a comment asks to update. Undefined where the plan is decided from the lock of a revision. */
export function outOfDateLockOf(
  target: string,
  flags: PlanFlags,
  { plan, previous: { placements }, lock }: DecidedFleet,
): OutOfDateLock | undefined {
  if (flags.from !== undefined) return undefined;
  return {
    ...nextCommandsOf(target, flags),
    path: lockPathOf(target, flags),
    missing: !hasLock(target, flags),
    short: hasBlockingShortfall(plan),
    removes: findUnrefusedRemoval(placements, lock.placements, plan) !== undefined,
    givesUpMost: findLargeRemoval(placements, lock.placements) !== undefined,
  };
}

/** The commands that a comment names as next steps. */
export function nextCommandsOf(target: string, flags: PlanFlags): NextCommands {
  const synth = findSynthCommand(target, flags);
  const fleet = formatCommandArguments(target, flags.lock);
  return {
    ...(synth !== undefined && { synth }),
    command: `fleetwright lock ${fleet}`,
    status: `fleetwright status ${fleet}`,
    doctorOf: (cluster) => `fleetwright doctor ${cluster} ${fleet}`,
  };
}

/** The command that wrote manifests to git. Of several folders, it is not known which the fleet has. */
function findSynthCommand(target: string, flags: PlanFlags): string | undefined {
  const [folder, ...others] = listTracked(target, INVENTORY_FILE).map((path) => dirname(path));
  if (folder === undefined) return undefined;
  const shown = isAbsolute(target) ? folder : relative('.', folder);
  const out = others.length > 0 ? 'DIR' : quoteShellWord(shown);
  return `fleetwright synth ${formatCommandArguments(target, flags.lock)} --out ${out}`;
}
