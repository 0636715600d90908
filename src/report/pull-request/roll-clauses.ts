import { formatCount } from '../../base/figures';
import { groupBy, sortedBy } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import { isSwapped } from '../../diff/model-changes';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import {
  type Clause,
  countReplicas,
  describeClusterPace,
  describeDevices,
  describeDowntimes,
  joinClauses,
  joinDeployments,
  limitClauses,
  limitRanked,
  MAX_NAMES,
} from './clauses';
import { type DeploymentRow, isDown } from './deployment-rows';

/** Lists which replicas restart where they are: one clause for those that get the same image, or have the same cause. */
export function listRollClauses(rows: readonly DeploymentRow[]): Clause[] {
  const groups = groupBy(rows, (row) =>
    JSON.stringify([row.image?.pods, row.image?.after, row.model, row.atATime, isDown(row), row.clusters]),
  );
  // A change of the model is rare, and is not left out.
  const sorted = sortedBy(
    [...groups.values()],
    ([first]) => `${first?.model ? 0 : 1} ${first && isDown(first) ? 0 : 1}`,
  );
  const shared = groupBy(sorted, (group) => {
    const [first] = group;
    if (first?.image) return `${first.image.pods} ${first.image.after}`;
    if (first?.model && isSwapped(first.model)) return JSON.stringify([first.model, first.restartsFor]);
    return describeCause(group) || JSON.stringify(first);
  });
  const clauses = [...shared.values()].map((alike): Clause => {
    return { rank: alike.flat().some(isDown) ? 'down' : 'replicas', text: formatRolls(alike) };
  });
  return limitRanked(clauses, 'rolls other deployments');
}

/** `rolls ml/a to v2 with downtime and ml/b one replica at a time`, `restarts …, because class h100 changed`. */
function formatRolls(groups: readonly (readonly DeploymentRow[])[]): string {
  const [first = []] = groups;
  const image = first[0]?.image;
  const total = countDeployments(groups.flat());
  if (image && !image.pods && groups.length > 1 && total > MAX_NAMES) {
    const parts = limitClauses(groups.map(formatFate), 'others restart too');
    return `rolls ${formatCount(total)} deployments to ${formatCode(image.after)}: ${parts.join(', ')}`;
  }
  const cause = image ? '' : describeCause(first);
  const parts = groups.map((group, i) => formatRolled(group, i, cause !== ''));
  const few = limitClauses(parts, 'others');
  return `${image ? 'rolls' : 'restarts'} ${few.length === 2 ? few.join(' and ') : joinClauses(few)}${cause}`;
}

function countDeployments(rows: readonly DeploymentRow[]): number {
  return rows.reduce((sum, { deployments }) => sum + deployments.length, 0);
}

/** `67 of one replica each go **down**`, ``133 keep serving, of these `ml/a` with enforce-eager added``. */
function formatFate(group: readonly DeploymentRow[]): string {
  const count = countDeployments(group);
  const who =
    count > MAX_NAMES
      ? `${formatCount(count)}${group.every(hasOneReplicaEach) ? ' of one replica each' : ''}`
      : joinDeployments(group);
  const [down, kept] = count === 1 ? ['goes **down**', 'keeps serving'] : ['go **down**', 'keep serving'];
  const order = group.some(({ clusters }) => clusters === 'inTurn') ? ' if clusters follow each other' : '';
  const fate = group.some(isDown) ? down : `${kept}${order}`;
  return `${who} ${fate}${describeDevices(group)}${describeCause(group)}${describeModel(group[0])}${describeOddOnes(group)}`;
}

function hasOneReplicaEach({ replicas, deployments }: DeploymentRow): boolean {
  return replicas.before === deployments.length;
}

/** Which replicas restart and how, behind the verb. */
function formatRolled(group: readonly DeploymentRow[], position: number, hasCause: boolean): string {
  const image = group[0]?.image;
  const rolled = group.reduce((sum, { actions }) => sum + actions.roll, 0);
  const names = nameRolled(group, position > 0 ? 'other deployments' : 'deployments');
  const only = image?.pods ? `only the ${image.pods} of ` : '';
  const what = image ? `${only}${names}` : countReplicas(group, ({ actions }) => actions.roll);
  const to = image && position === 0 ? ` to ${formatCode(image.after)}` : '';
  const cause = image ? describeCause(group) : '';
  const how = `${describeDevices(group)}${describePace(group, rolled, image === undefined)}${cause}`;
  const isExplained = image !== undefined || hasCause || group[0]?.model !== undefined;
  return `${what}${to}${how}${describeModel(group[0])}${isExplained ? '' : describeSteps(group)}${describeOddOnes(group)}`;
}

/** The names of deployments, or their number, and whether each has one replica. */
function nameRolled(rows: readonly DeploymentRow[], noun: string): string {
  const isEach = countDeployments(rows) > MAX_NAMES && rows.every(hasOneReplicaEach);
  return `${joinDeployments(rows, noun)}${isEach ? ' of one replica each' : ''}`;
}

/** ` (model a → b)`, where no clause of its own says it. */
function describeModel(row: DeploymentRow | undefined): string {
  const { model } = row ?? {};
  if (!model || isSwapped(model)) return '';
  return ` (model ${formatCode(model.before)} → ${formatCode(model.after)})`;
}

/** ` (max-model-len 8192 → 16384)`, where that is all that restarts the replicas of one deployment. */
function describeSteps([row, ...others]: readonly DeploymentRow[]): string {
  return row?.steps === undefined || others.length > 0 ? '' : ` (${escapeMarkdown(row.steps)})`;
}

/** `, of these ml/a with max-model-len 8192 → 2048`, for those that do not share a row with the others. */
function describeOddOnes(rows: readonly DeploymentRow[]): string {
  const odd = rows.filter(({ deployments }) => deployments.length === 1);
  if (odd.length === 0 || odd.length === rows.length) return '';
  if (odd.length > MAX_NAMES) return `, of these ${joinDeployments(odd)} with other edits too`;
  const named = odd.map((row) => `${joinDeployments([row])} with ${escapeMarkdown(row.steps ?? 'other edits')}`);
  return `, of these ${joinAnd(named)}`;
}

/** `, one copy down at a time`. Empty: new copies of some start before others stop. */
function describeCopyPace(rows: readonly DeploymentRow[]): string {
  return rows.every(({ copiesInTurn }) => copiesInTurn !== undefined) ? ', one copy down at a time' : '';
}

/** @param isCounted whether the number of replicas is said in front of it */
function describePace(rows: readonly DeploymentRow[], rolled: number, isCounted: boolean): string {
  if (rows.some(isDown)) {
    return ` with **downtime${describeDowntimes(rows)}**`;
  }
  const [first] = rows;
  const { atATime = 0 } = first ?? {};
  if (!first || atATime === 0) return ` without downtime${describeCopyPace(rows)}`;
  if (rolled === countDeployments(rows)) return '';
  const isOfEach = rows.some(({ deployments }) => deployments.length > 1) || rows.length > 1;
  const how = atATime === 1 && first.clusters === 'inTurn' ? 'after the other' : 'at a time';
  const pace = `${how}${describeClusterPace(first)}`;
  if (isOfEach && isCounted) return `, ${atATime === 1 ? 'one' : formatCount(atATime)} of each ${pace}`;
  return ` ${atATime === 1 ? 'one replica' : pluralize(atATime, 'replica')}${isOfEach ? ' of each' : ''} ${pace}`;
}

/**
 * ` (max-model-len 8192 → 16384)`, ``, because class `h100` changed (hardware a → b)``, where the same is the cause of all
 * restarts. Empty where that is not known.
 */
function describeCause(rows: readonly DeploymentRow[]): string {
  // The other model says why.
  if (rows.some(({ model }) => model)) return '';
  const [cause, ...others] = new Set(rows.map(({ restartsFor }) => restartsFor));
  const [steps, ...more] = new Set(rows.map((row) => row.steps));
  const what = steps === undefined || more.length > 0 ? '' : ` (${escapeMarkdown(steps)})`;
  const parsed = others.length > 0 ? undefined : /^(?<kind>[A-Z]\w+) (?<name>\S+)$/.exec(cause ?? '')?.groups;
  const word = CAUSE_WORDS[parsed?.['kind'] ?? ''];
  if (word === undefined) return what;
  return `, because ${word} ${formatCode(parsed?.['name'] ?? '')} changed${what}`;
}

/** How a sentence names a kind that replicas refer to. */
const CAUSE_WORDS: Readonly<Record<string, string>> = {
  InferenceClass: 'class',
  InferenceCluster: 'cluster',
  ModelCache: 'cache',
  ModelService: 'service',
};
