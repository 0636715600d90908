import { basename, resolve } from 'node:path';
import type { FleetDiff } from '../diff/fleet-diff';
import { outageProblems } from '../diff/outage-problems';
import { outages, outageText, takenOver } from '../diff/words';
import { writeFileAtomic } from '../files/write-file';
import { mapDataOf } from '../map/map-data-of';
import { mapPage } from '../map/map-page';
import { type Annotation, asErrors } from '../plan/annotations';
import { planAnnotations } from '../plan/plan-annotations';
import { policiesOf } from '../plan/policies-of';
import { diffAgainst } from './against';
import { type Decided, decideFleet, policyCodes, shortfallCodes } from './context';
import { EXIT, type ExitCode, exitCode } from './exit-code';
import { readLock } from './inputs';
import { staleInFile } from './lock';
import { annotate, type Io } from './output';
import { type PlanFlags, refuseTwoViews, refuseWithoutAgainst } from './plan-flags';
import { type PlanRun, viewOf } from './plan-view';
import { formatSavedPlan } from './saved-plan';

/** `fleetwright plan`: shows what accepting the declarations would do. Writes nothing but what `--save` and `--html` name. */
export function plan(target: string, flags: PlanFlags, io: Io): ExitCode {
  refuseTwoViews(target, flags);
  refuseWithoutAgainst(target, flags);
  const alone = decideFleet(target, flags, io, readLock);
  const comparison =
    flags.against === undefined
      ? undefined
      : diffAgainst(flags.against, target, flags, { decided: alone, io });
  const diff = comparison?.diff;
  const decided = diff ? judgedSince(alone, diff) : alone;
  if (flags.html !== undefined) {
    writeFileAtomic(flags.html, mapPage(mapDataOf(decided, fleetName(target), comparison)));
  }
  if (flags.save !== undefined) writeFileAtomic(flags.save, formatSavedPlan(decided, decided.lock));
  io.out(viewOf(decided, diff, { target, flags, io }));
  annotate(() => annotationsOf(decided, diff, { target, flags, io }), flags, io);
  const pending = flags.detailedExitcode && decided.stale ? [EXIT.pending] : [];
  return exitCode([
    ...shortfallCodes(decided),
    ...policyCodes(decided),
    ...pending,
    ...gate(diff, flags, io),
  ]);
}

/**
 * A decision whose rules count all that moves since the state that it is compared with: against a lock that is written
 * already nothing does.
 */
function judgedSince(decided: Decided, diff: FleetDiff): Decided {
  const { plan, schedule, locate } = decided;
  const move = takenOver(diff);
  if (move <= plan.totals.move) return decided;
  const judged = { ...decided, cost: plan.cost, placements: schedule.placements, totals: { move } };
  return { ...decided, plan: { ...plan, policies: policiesOf(judged, locate) } };
}

/** A page is read far from the folder that it was made in, so that it names the folder alone. */
function fleetName(target: string): string {
  return target === '-' ? 'from standard input' : basename(resolve(target));
}

/** What a change is refused for, as a comment of it says, and what is to see to. */
function annotationsOf(
  decided: Decided,
  diff: FleetDiff | undefined,
  { target, flags }: PlanRun,
): Annotation[] {
  const { gate, waves = true } = flags;
  const isStale = diff && decided.stale && flags.from === undefined;
  return [
    ...asErrors(isStale ? [staleInFile(target, flags)] : []),
    ...asErrors(diff && gate ? outageProblems(diff, waves, decided) : []),
    ...planAnnotations(decided),
  ];
}

function gate(diff: FleetDiff | undefined, { gate, waves = true }: PlanFlags, io: Io): ExitCode[] {
  const refused = diff && gate ? outages(diff, waves) : [];
  for (const one of refused) io.err(`refused: ${outageText(one)}.\n`);
  return refused.length > 0 ? [EXIT.refused] : [];
}
