import { commandArguments } from '../command-arguments';
import type { FleetDiff } from '../diff/fleet-diff';
import { formatGate } from '../diff/gate-text';
import { formatMarkdown, type StaleLock } from '../diff/markdown';
import { formatDiff } from '../diff/text';
import { diffTotals } from '../diff/words';
import { formatGraph } from '../plan/graph';
import { formatVerdict } from '../plan/policies-of';
import type { Style } from '../plan/style';
import { formatPlan, formatRemarks, formatTotals } from '../plan/text';
import type { Decided } from './context';
import { costTables, costTotal } from './cost-view';
import { fitted } from './fitted';
import { hasLock, lockPath } from './inputs';
import { type Io, jsonDocument, styleFor } from './output';
import { planFields } from './plan-document';
import type { PlanFlags } from './plan-flags';

/** A run of `fleetwright plan`. */
export interface PlanRun {
  readonly target: string;
  readonly flags: PlanFlags;
  readonly io: Io;
}

/** What is asked for: JSON, a graph, a comment of a pull request, tables of costs, one line, or text for a person. */
export function viewOf(
  decided: Decided,
  diff: FleetDiff | undefined,
  { target, flags, io }: PlanRun,
): string {
  const style = styleFor(io, flags);
  if (flags.json) return jsonDocument('Plan', planFields(decided, diff));
  if (flags.graph) return formatGraph(decided.plan);
  const verdicts = verdictsOf(decided, diff, flags);
  if (diff && flags.markdown) {
    const stale = decided.stale ? staleLock(target, flags) : undefined;
    return formatMarkdown(diff, decided.plan, { name: target, stale, verdicts });
  }
  if (flags.quiet) return `${[...totalsOf(decided, diff, flags), ...verdicts].join('\n')}\n`;
  const lines = flags.cost
    ? [...costTables(decided.plan, diff, { style, width: io.width }), ...(verdicts.length > 0 ? [''] : [])]
    : linesOf(decided, diff, target, style);
  return `${fitted([...lines, ...verdicts.map(style.strong)].join('\n'), io.width)}\n`;
}

/** All of it, for a person. */
function linesOf({ plan }: Decided, diff: FleetDiff | undefined, target: string, style: Style): string[] {
  if (!diff) return [formatPlan(plan, target, style)];
  return [formatDiff(diff, style), '', ...formatRemarks(plan, style)];
}

/** The same in a line or two. */
function totalsOf({ plan }: Decided, diff: FleetDiff | undefined, { cost }: PlanFlags): string[] {
  if (cost) return [costTotal(plan, diff)];
  return [...(diff ? [`Changes of ${diffTotals(diff)}`] : []), formatTotals(plan)];
}

/** What rules of the fleet, and the gate, say of a plan. */
function verdictsOf({ fleet, plan }: Decided, diff: FleetDiff | undefined, flags: PlanFlags): string[] {
  const { gate, waves = true } = flags;
  return [...formatVerdict(fleet, plan.policies), ...(diff && gate ? [formatGate(diff, waves)] : [])];
}

/** The lock that a comment asks to write; none where the plan is made from that of a revision. */
function staleLock(target: string, flags: PlanFlags): StaleLock | undefined {
  if (flags.from !== undefined) return undefined;
  return {
    path: lockPath(target, flags),
    command: `fleetwright lock ${commandArguments(target, flags.lock)}`,
    missing: !hasLock(target, flags),
  };
}
