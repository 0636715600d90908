import { groupBy } from '../../base/order';
import { joinChoices, joinNames, pluralize } from '../../base/text';
import { combineDowntimes, downtimeAsApplied } from '../../diff/downtime';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { WorseTool } from '../../diff/gate-findings';
import type { Cause } from '../../diff/replica-causes';
import { type ApplyMode, countNeeded, isOutage, needsDrain } from '../../diff/serving-during-change';
import { formatDownFor } from './change-sentences';

/** An exit code that is not that of a gate: `1`, `the input has errors`. */
export interface OtherExit {
  readonly code: number;
  readonly meaning: string;
}

/** What a gate says of a change: for one way to apply it, and of others. */
export interface JudgedChange {
  readonly diff: Pick<FleetDiff, 'deployments' | 'declarations'>;

  /** The number of problems that fail the change: errors, findings, violations of policies, replicas without a place. */
  readonly problems: number;

  /** The number of replicas without a place, which are among the problems. Default: none */
  readonly unplaced?: number;

  /** The exit code, and what it means, where it is not that of a gate. */
  readonly exit?: OtherExit | undefined;
  readonly applied: ApplyMode;
  readonly worse: readonly WorseTool[];

  /** Whether it passes only because `--accept-removals` is set. */
  readonly acceptsRemovals?: boolean;
}

/**
 * The last line of a gate: `Gate: refused, 3 problems; 2 replicas do not fit.`, `Gate: passed.`, `Gate: passed for Pulumi, which applies clusters
 * in waves; with Argo CD 1 deployment would go down: see --independent-clusters.`.
 */
export function formatGateVerdict({ problems, unplaced = 0, ...judged }: JudgedChange): string {
  if (problems > 0) return `Gate: ${formatRefused(problems, formatExit(judged))}${formatUnplaced(unplaced)}.`;
  const recreated = listRecreated(judged);
  const have = recreated.length === 1 ? 'has' : 'have';
  const asked = `${pluralize(recreated.length, 'deployment')} with 'rollout: Recreate' ${have} downtime${formatLength(recreated, judged.applied)}`;
  const passed = `passed${describeDrain(judged)}${judged.worse.length > 0 ? ` for ${IN_WAVES}` : ''}`;
  const accepted = judged.acceptsRemovals ? ['--accept-removals accepts what it would refuse'] : [];
  const parts = [passed, ...(recreated.length === 0 ? [] : [asked]), ...accepted, ...describeWorse(judged.worse)];
  return `Gate: ${parts.join('; ')}.`;
}

/** `refused, 2 problems`, or with the reason for an exit code that is not that of a gate: `(the input has errors)`. */
export function formatRefused(problems: number, meaning: string | undefined): string {
  return `refused, ${pluralize(problems, 'problem')}${meaning === undefined ? '' : ` (${meaning})`}`;
}

/** `exit 1: the input has errors`. */
function formatExit({ exit }: Pick<JudgedChange, 'exit'>): string | undefined {
  return exit && `exit ${exit.code}: ${exit.meaning}`;
}

/** What of the problems has no line of its own behind this one. */
function formatUnplaced(count: number): string {
  return count === 0 ? '' : `; ${describeUnplacedCount(count)}`;
}

/** `2 replicas do not fit`. */
export function describeUnplacedCount(count: number): string {
  return `${pluralize(count, 'replica')} ${count === 1 ? 'does' : 'do'} not fit`;
}

const IN_WAVES = 'Pulumi, which applies clusters in waves';

/**
 * The verdict of a gate as a heading says it: `refused, 1 problem (the input has errors)`, `the gate passes,
 * because edit 2 accepts downtime`.
 *
 * @param nameEdits names edits: `edit 2`
 * @param but what a gate that passes leaves to do: `, but the lock is out of date`
 */
export function summarizeVerdict(
  { problems, ...judged }: JudgedChange,
  nameEdits: (causes: readonly Cause[]) => string | undefined,
  but = '',
): string {
  if (problems > 0) return formatRefused(problems, judged.exit?.meaning);
  const recreated = listRecreated(judged);
  const edits = nameEdits(recreated.flatMap((one) => listStrategyEdits(one, judged.diff)));
  const by = edits ?? "'rollout: Recreate'";
  const accepted = [
    ...(recreated.length === 0
      ? []
      : [`${by} ${by.startsWith('edits') ? 'accept' : 'accepts'} downtime${formatLength(recreated, judged.applied)}`]),
    ...(judged.acceptsRemovals ? ['--accept-removals accepts what it would refuse'] : []),
  ];
  const why = accepted.length === 0 ? '' : `, because ${accepted.join(' and ')}`;
  const tools = judged.worse.length > 0 ? `, except with ${nameWorseTools(judged.worse)}` : '';
  return `the gate passes${nameOnlyTool(judged)}${describeDrain(judged)}${why}${tools}${but}`;
}

/** ` for Argo CD`, where clusters are applied independently and all at once would leave too few replicas. */
function nameOnlyTool({ diff, applied }: Omit<JudgedChange, 'problems'>): string {
  const isOnly = diff.deployments.some(({ serving: { before, after, recreate, minAvailable, atOnce } }) => {
    return before > 0 && after > 0 && !recreate && atOnce < countNeeded(before, minAvailable);
  });
  return applied === 'perCluster' && isOnly ? ` for ${TOOLS.perCluster.names}` : '';
}

/** ` if nodes are drained first`, as the warning `fewer-nodes` says. Empty: nothing is to be drained, or enough serve without. */
function describeDrain({ diff, applied }: Omit<JudgedChange, 'problems'>): string {
  return diff.deployments.some(({ serving }) => needsDrain(serving, applied)) ? ' if nodes are drained first' : '';
}

/** ` of about 3 to 17 minutes`: how long deployments are down. Empty: that is not known. */
function formatLength(deployments: readonly DeploymentDiff[], applied: ApplyMode): string {
  const downtime = combineDowntimes(deployments.map((one) => one.downtime));
  return downtime ? ` ${formatDownFor(downtimeAsApplied(downtime, applied), 'of')}` : '';
}

/** The deployments of which no replica serves for a time, which their strategy accepts. */
function listRecreated({ diff, applied }: Omit<JudgedChange, 'problems'>): DeploymentDiff[] {
  return diff.deployments.filter(({ serving }) => isOutage({ ...serving, recreate: false }, applied));
}

/** The edits that make `Recreate` the strategy of a deployment. */
function listStrategyEdits({ deployment }: DeploymentDiff, { declarations }: JudgedChange['diff']): Cause[] {
  return declarations
    .filter(({ id }) => id === `ModelDeployment ${deployment}`)
    .flatMap(({ id, action, fields }) =>
      fields
        .filter(({ field }) => /^spec\.rollout(\.strategy)?$/.test(field))
        .map((field) => ({ id, action, field, where: field.where })),
    );
}

const TOOLS: Readonly<Record<ApplyMode, { readonly names: string; readonly flag: string }>> = {
  withWaves: { names: 'Pulumi', flag: '' },
  perCluster: { names: 'Argo CD', flag: '--independent-clusters' },
  atOnce: { names: 'Flux or kubectl', flag: '--no-waves' },
};

/** `Argo CD, Flux, or kubectl`: the tools with which the gate would refuse what it passes with Pulumi. */
function nameWorseTools(worse: readonly WorseTool[]): string {
  return joinChoices(worse.flatMap(({ applied }) => TOOLS[applied].names.split(' or ')));
}

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
