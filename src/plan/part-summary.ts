import { groupBy, sortedBy, sortUnique } from '../base/order';
import { pluralize } from '../base/text';
import { formatAmount } from '../base/money';
import type { Cost } from '../cost/cost';
import type { Sum } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { PartSummary } from '../fleet/part-summary';
import type { Decision } from './decision';
import { listReservedDevices } from './policy/check-policies';
import type { PolicyInput } from './policy/limits';

/**
 * Summarizes what a part of a split fleet uses once its plan is accepted, for the budgets and quotas that the other parts
 * check.
 *
 * @param part the name of the part
 */
export function summarizePart(
  part: string,
  { fleet, model, matcher, schedule, plan }: Pick<Decision, 'fleet' | 'model' | 'matcher' | 'schedule' | 'plan'>,
): PartSummary {
  const { cost } = plan;
  return {
    part,
    clusters: sortUnique(fleet.clusters.map(({ metadata }) => metadata.name)),
    replicas: schedule.placements.filter(({ draining }) => !draining).length,
    currency: cost.currency,
    ...knownOf(cost.total.most),
    namespaces: cost.namespaces.map(({ namespace, total }) => ({ namespace, ...knownOf(total) })),
    devices: sumDevices(listReservedDevices(model, matcher, schedule.placements)),
  };
}

function knownOf({ perMonth = 0, unknown }: Sum): Pick<PartSummary, 'perMonth' | 'unknown'> {
  return { perMonth, unknown };
}

function sumDevices(devices: PolicyInput['devices']): PartSummary['devices'] {
  const groups = groupBy(devices, ({ namespace, deviceClass }) => `${namespace} ${deviceClass}`);
  return sortedBy(groups, ([key]) => key).flatMap(([, all]) =>
    all.slice(0, 1).map(({ namespace, deviceClass }) => {
      return { namespace, deviceClass, count: all.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
}

/** Describes the whole of a split fleet: this part and the others. Empty for a fleet that names no other parts. */
export function describeOtherParts({ clusters, otherParts = [] }: Fleet, { total, currency }: Cost): string[] {
  if (otherParts.length === 0) return [];
  const own = knownOf(total.most);
  const sum = (of: (one: PartSummary) => number): number => otherParts.reduce((total, one) => total + of(one), 0);
  const unknown = own.unknown + sum((one) => one.unknown);
  const cost = formatAmount(own.perMonth + sum((one) => one.perMonth), currency);
  const others = `${pluralize(otherParts.length, 'other part')} (${pluralize(
    sum((one) => one.replicas),
    'replica',
  )})`;
  const all = pluralize(clusters.length + sum((one) => one.clusters.length), 'cluster');
  return [`With ${others}, the fleet has ${all} and costs ${unknown > 0 ? 'at least ' : ''}${cost} a month.`];
}
