import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { combineDowntimes } from '../../diff/downtime';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { WorseTool } from '../../diff/gate-findings';
import { type ApplyMode, isOutage } from '../../diff/serving-during-change';
import { formatDowntime } from './change-sentences';

/** What fails a change, by number: findings of the gate, and what fails it without the gate. */
interface Failures {
  readonly findings: number;

  /** Errors of resources. */
  readonly errors: number;

  /** Replicas without a place. */
  readonly unplaced: number;

  /** Findings of policies that deny the change. */
  readonly denied: number;
}

/** How the gate judges a change: for one way to apply it, and what it would say of others. */
interface Judged {
  readonly applied: ApplyMode;
  readonly worse: readonly WorseTool[];
}

/**
 * The last line of a gate: `Gate: refused, 3 problems: 2 errors, 1 finding.`, `Gate: passed.`, `Gate: passed for Pulumi,
 * which applies clusters in waves; with Argo CD 1 deployment would go down: see
 * --independent-clusters.`.
 */
export function formatGateVerdict(failures: Failures, diff: FleetDiff, { applied, worse }: Judged): string {
  const { findings, errors, unplaced, denied } = failures;
  const failing = [
    { count: errors, text: pluralize(errors, 'error') },
    { count: findings, text: pluralize(findings, 'finding') },
    { count: denied, text: `${pluralize(denied, 'violation')} of policies` },
    { count: unplaced, text: `${pluralize(unplaced, 'replica')} without a place` },
  ].filter(({ count }) => count > 0);
  const total = failing.reduce((sum, { count }) => sum + count, 0);
  const sum = failing.length > 1 ? `${pluralize(total, 'problem')}: ` : '';
  if (failing.length > 0) return `Gate: refused, ${sum}${failing.map(({ text }) => text).join(', ')}.`;
  const accepted = diff.deployments.filter(({ serving }) => isOutage({ ...serving, recreate: false }, applied));
  const allowed = accepted.length;
  const downtime = combineDowntimes(accepted.map((one) => one.downtime));
  const howLong = downtime ? ` of ${formatDowntime(downtime)}` : '';
  const asked = `${pluralize(allowed, 'deployment')} with 'rollout: Recreate' ${allowed === 1 ? 'has' : 'have'} downtime${howLong}`;
  const tool = worse.length > 0 ? ' for Pulumi, which applies clusters in waves' : '';
  return `Gate: ${[`passed${tool}`, ...(allowed === 0 ? [] : [asked]), ...describeWorse(worse)].join('; ')}.`;
}

const TOOLS: Readonly<Record<ApplyMode, { readonly names: string; readonly flag: string }>> = {
  withWaves: { names: 'Pulumi', flag: '' },
  perCluster: { names: 'Argo CD', flag: '--independent-clusters' },
  atOnce: { names: 'Flux or kubectl', flag: '--no-waves' },
};

/** `with Argo CD 2 deployments would go down: see --independent-clusters`. */
function describeWorse(worse: readonly WorseTool[]): string[] {
  const groups = groupBy(worse, ({ deployments, down }) => {
    const count = pluralize(deployments.length, 'deployment');
    return down ? `${count} would go down` : `too few replicas of ${count} would serve`;
  });
  return [...groups].map(([what, all]) => {
    const tools = all.map(({ applied }) => TOOLS[applied]);
    const flags = joinNames(tools.map(({ flag }) => flag));
    return `with ${joinNames(tools.map(({ names }) => names))} ${what}: see ${flags}`;
  });
}
