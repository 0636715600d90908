import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { type Cause, toCauses } from '../../diff/replica-causes';
import type { ApplyMode } from '../../diff/serving-during-change';
import type { CiteEdits } from '../diff/change-sentences';
import type { ChangeStep } from '../diff/change-steps';
import { formatCode } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';
import { ANY_FLEET, type NextCommands } from './lock-steps';
import { isLostMove } from './loss-clauses';

/** The most clusters to name. */
const MAX_NAMED = 5;

type LosingRow = Pick<DeploymentRow, 'moves' | 'lostOn'>;

/** How a change is applied and cited, and the commands of its fleet. */
interface LosingChange {
  readonly applied: ApplyMode | undefined;
  readonly cite: Pick<CiteEdits, 'nameEdits'>;

  /** Default: those of any fleet. */
  readonly commands?: NextCommands | undefined;
}

/**
 * What happens on clusters that a change declares lost once they answer again, where Argo CD applies manifests, and
 * how to use them again. Empty with other tools, which may not wait for a cluster.
 */
export function listLostSteps(
  rows: readonly LosingRow[],
  { objects, declarations }: Pick<FleetDiff, 'objects' | 'declarations'>,
  { applied, cite, commands = ANY_FLEET }: LosingChange,
): ChangeStep[] {
  if (applied !== 'perCluster') return [];
  const moves = rows.flatMap((row) => row.moves.filter(isLostMove));
  const changed = listLost(rows).filter((name) => objects.some(({ cluster }) => cluster === name));
  return changed.map((name) => {
    const moved = moves.filter(({ drains }) => drains === name).length;
    const edits = cite.nameEdits(listLosingEdits(name, declarations)) ?? 'these edits';
    const check = `check it with ${formatCode(commands.doctorOf(name))}, and undo ${edits} in a change of its own`;
    const left = rows.flatMap(({ lostOn = [] }) => lostOn.filter((one) => one === name)).length;
    const applies = `Argo CD applies the change there${describeStopped(moved)}`;
    const what = `${describeReturning(left)}${applies}. To use the cluster in full again, ${check}.`;
    return { time: 'later', when: `when ${formatCode(name)} answers again`, what };
  });
}

/** Says of which clusters no column of the table counts replicas. Empty: all count. */
export function noteLost(rows: readonly LosingRow[]): string[] {
  const lost = listLost(rows).map(formatCode);
  if (lost.length === 0) return [];
  const [are, columns] = [lost.length === 1 ? 'is' : 'are', 'neither before nor after the change'];
  return [`${joinNames(lost, MAX_NAMED)} ${are} lost: replicas there count ${columns}.`];
}

/** The clusters that a change declares lost, by what it does with their replicas. */
function listLost(rows: readonly LosingRow[]): string[] {
  const moves = rows.flatMap((row) => row.moves.filter(isLostMove));
  return sortUnique([...moves.flatMap(({ drains }) => drains ?? []), ...rows.flatMap(({ lostOn = [] }) => lostOn)]);
}

/** `the 3 replicas that do not move serve again at once, before any check. `: they pass the health checks of gateways. */
function describeReturning(left: number): string {
  if (left === 0) return '';
  const [move, serve] = left === 1 ? ['does not move', 'serves'] : ['do not move', 'serve'];
  return `the ${pluralize(left, 'replica')} that ${move} ${serve} again at once, before any check. `;
}

/** `, and stops the old copies of the 2 replicas that moved`. */
function describeStopped(moved: number): string {
  if (moved === 0) return '';
  return `, and stops the old ${moved === 1 ? 'copy' : 'copies'} of the ${pluralize(moved, 'replica')} that moved`;
}

/** What takes a cluster out of use: its taints, and that gateways no longer list it. */
function listLosingEdits(cluster: string, declarations: FleetDiff['declarations']): Cause[] {
  return declarations.flatMap(toCauses).filter(({ id, field }) => {
    if (field === undefined) return false;
    if (id === `InferenceCluster ${cluster}`) return field.field.startsWith('spec.taints');
    return id.startsWith('InferenceGateway ') && field.field === 'spec.clusters' && isTakenOut(cluster, field);
  });
}

function isTakenOut(cluster: string, { before, after }: NonNullable<Cause['field']>): boolean {
  const [was, is] = [before, after].map((value) => Array.isArray(value) && value.includes(cluster));
  return was === true && is === false;
}
