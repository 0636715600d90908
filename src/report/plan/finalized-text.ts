import { joinNames } from '../../base/text';
import { type Placement, placementKeyOf } from '../../scheduler/placement';
import { type CountedPlan, formatTotal } from './total-line';

/** What `lock --finalize` does with draining replicas. */
export interface Finalization {
  /** Those that it removes. */
  readonly removed: readonly Placement[];

  /** Those that stay. */
  readonly kept: readonly Placement[];

  /** The ids of deployments that have fewer replicas than they declare. */
  readonly short: ReadonlySet<string>;

  /** Those of them that get a place where replicas are removed, with the next lock. */
  readonly waiting: readonly string[];
}

/** Formats the total of a plan that is finalized: removed replicas do not drain any more. */
export function formatFinalizedTotal(plan: CountedPlan, { removed }: Finalization): string {
  const places = new Set(removed.map(placementKeyOf));
  const deployments = plan.deployments.map((one) => ({
    ...one,
    changes: one.changes.filter(
      (change) => change.action !== 'draining' || !places.has(placementKeyOf(change.replica.placement)),
    ),
  }));
  return formatTotal({ ...plan, deployments }, undefined, { old: false });
}

/**
 * Formats which replicas are removed, which ones stay for what reason, and which have a place now.
 *
 * @param command what places them
 */
export function formatFinalization({ removed, kept, short, waiting }: Finalization, command: string): string[] {
  return [
    ...removed.map((one) => `Finalized: ${one.deployment} is removed from ${one.cluster}/${one.index}.`),
    ...kept.map((one) => {
      const why = short.has(one.deployment)
        ? 'it has no replacement. Add capacity, or lower the number of replicas'
        : "its replacement may not serve yet. Run 'lock --finalize' again when it does";
      return `Not finalized: ${one.deployment} stays on ${one.cluster}/${one.index}, because ${why}.`;
    }),
    ...(waiting.length > 0
      ? [`Next: '${command}' gives replicas of ${joinNames(waiting)} their place. Commit both as one change.`]
      : []),
  ];
}
