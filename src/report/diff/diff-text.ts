import { groupBy } from '../../base/order';
import { formatChange, idText, placeText, pluralize } from '../../base/text';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { FleetDiff, ObjectChangeWithCauses } from '../../diff/fleet-diff';
import type { Plan } from '../../plan/plan';
import { formatCostChanges } from '../cost/cost-changes-text';
import { describeUncounted } from '../cost/cost-notes';
import { formatCost, listUnpriced } from '../cost/cost-summary';
import { type Block, faint, indent, type Item, CHANGE_MARKS, section, strong, styledLines } from '../document/document';
import { formatFindings, formatRequirements, type PlanView } from '../plan/plan-text';
import { formatTotal } from '../plan/total-line';
import {
  formatBecause,
  type FormatCauses,
  formatCacheChange,
  formatElsewhere,
  formatObjectTotals,
  formatReplicaChange,
  formatServing,
} from './change-sentences';
import { formatCloudChanges } from './cloud-changes-text';
import { formatCopiesChange } from './copies-changes-text';
import { formatFieldChange } from './field-changes-text';
import { describeOutages } from './outage-sentences';
import { formatRouteChanges } from './route-changes-text';

/** What the plan of the later state adds to a comparison. */
export interface DiffView {
  /** The command that lists each object. Absent: each is listed. */
  readonly all?: string | undefined;

  /** What needs attention: shown before objects and costs, which can be long. */
  readonly findings?: readonly Block[];

  /** What the later state needs, shown before the cost. */
  readonly needs?: readonly Block[];

  /** Lines about the cost. */
  readonly costNotes?: readonly Item[];

  /** The price sources of other sums that are shown. */
  readonly prices?: readonly string[];
}

/**
 * Formats a comparison as a document: declarations, replicas with their causes, what needs attention, caches, routes,
 * cloud resources, objects and cost.
 */
export function diffBlocks(diff: FleetDiff, view: DiffView = {}): Block[] {
  const { against, declarations, deployments, copies, caches, routes, cloud, objects, cost, idleAccelerators } = diff;
  const { all, findings = [], needs = [], costNotes = [], prices = [] } = view;
  const outages = describeOutages(diff).map((one) => `warning: ${one}`);
  return [
    { text: [strong(`Against ${against}:`), ` ${pluralize(declarations.length, 'declaration')} changed`] },
    ...indent(declarations.map(formatDeclaration)),
    '',
    ...indent(deployments.flatMap((deployment) => [formatDeployment(deployment), ''])),
    ...section(styledLines('warn', outages)),
    ...findings,
    ...section(indent(copies.map((change) => `${change.deployment}   ${formatCopiesChange(change)}`))),
    ...section(indent(caches.map((change) => `cache ${formatCacheChange(change)}`))),
    ...section(formatRouteChanges(routes)),
    ...section(formatCloudChanges(cloud)),
    ...indent([...groupBy(objects, ({ cluster }) => cluster)].flatMap((group) => formatObjects(group, all))),
    ...section(indent(styledLines('faint', all !== undefined && objects.length > 0 ? [`Each object: '${all}'.`] : []))),
    ...needs,
    ...(cost
      ? formatCostChanges(cost, {
          notes: [...formatIdle(idleAccelerators), ...describeUncounted(cloud), ...costNotes],
          prices,
        })
      : indent(formatIdle(idleAccelerators))),
  ];
}

/** Formats a comparison with the plan of its later state. What needs attention comes before objects and cost. */
export function comparisonBlocks(plan: Plan, view: PlanView & { readonly diff: FleetDiff }, all?: string): Block[] {
  const { diff, prices = [] } = view;
  return [
    ...diffBlocks(diff, {
      all,
      findings: formatFindings(plan, view),
      needs: formatRequirements(plan, view),
      costNotes: styledLines('warn', listUnpriced(plan.cost)),
      prices,
    }),
    ...(diff.cost ? [] : formatCost(plan.cost, prices)),
    ...styledLines('strong', [formatTotal(plan, diff)]),
  ];
}

function formatIdle({ before, after }: FleetDiff['idleAccelerators']): string[] {
  return before === after ? [] : [`idle GPUs: ${formatChange(before, after)}`];
}

function formatDeclaration({ id, action, where, fields }: DeclarationChange): Item {
  return {
    mark: CHANGE_MARKS[action],
    text: [`${id}   `, faint(where)],
    // What has another name has the same fields once more, as what is new.
    below: (action === 'removed' ? [] : fields).map((field) => ({
      text: [`${formatFieldChange(field)}   `, faint(field.where)],
    })),
  };
}

function formatDeployment(diff: DeploymentDiff): Item {
  const below = diff.changes.map((change) => ({
    mark: CHANGE_MARKS[change.action],
    cells: [placeText(change)],
    text: formatReplicaChange(change),
  }));
  const text = [strong(diff.deployment), `   ${formatServing(diff)}`];
  return { text, below: [...below, ...styledLines('faint', formatElsewhere(diff))] };
}

/** Formats the objects of a cluster. Causes that all of them have are named once. */
function formatObjects([cluster, changes]: [string, ObjectChangeWithCauses[]], all: string | undefined): Block[] {
  const [because = '', ...others] = new Set(changes.map(({ causes }) => formatBecause(causes)));
  const isShared = others.length === 0;
  const text = [strong(`objects on ${cluster}`), `   ${formatObjectTotals(changes)}${isShared ? because : ''}`];
  if (all !== undefined) return [{ text }];
  return [{ text, below: changes.map((change) => formatObject(change, isShared ? () => '' : undefined)) }, ''];
}

export function formatObject(
  { action, kind, namespace, name, causes, fields }: ObjectChangeWithCauses,
  because: FormatCauses = formatBecause,
): Item {
  return {
    mark: CHANGE_MARKS[action],
    text: `${kind} ${idText(namespace, name)}${because(causes)}`,
    below: fields.map(formatFieldChange),
  };
}
