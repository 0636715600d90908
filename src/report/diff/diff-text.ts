import { groupBy } from '../../base/order';
import { capitalize, idText, pluralize } from '../../base/text';
import type { CacheChange } from '../../diff/cache-changes';
import type { CopiesChange } from '../../diff/copies-changes';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { FleetDiff, ObjectChangeWithCauses } from '../../diff/fleet-diff';
import type { ApplyMode } from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import { formatCostChanges, listsOfCosts } from '../cost/cost-changes-text';
import { describeUncounted } from '../cost/cost-notes';
import { formatCost, listUnpriced } from '../cost/cost-summary';
import { type Block, faint, indent, type Item, CHANGE_MARKS, section, strong, styledLines } from '../document/document';
import { showFirstOfAlike, templateOf } from '../document/group-alike';
import { formatFindings, formatRequirements, type PlanView } from '../plan/plan-text';
import { formatTotal } from '../plan/total-line';
import {
  describeNotPruned,
  formatBecause,
  formatCacheChange,
  type FormatCauses,
  formatElsewhere,
  formatServing,
} from './change-sentences';
import { formatCloudChanges } from './cloud-changes-text';
import { countWaves } from './cluster-waves';
import { formatCopiesChange } from './copies-changes-text';
import { countUnhelpful } from '../../diff/idle-nodes';
import { formatStep } from './change-steps';
import { formatIdle } from './idle-text';
import { describeProtectedClusters } from './protected-text';
import { describeJoiningClusters } from './joining-clusters';
import { describeNodeOrder } from './node-order';
import { describeNewReleases } from './scaling-text';
import { describeRaisedSurges } from './reserved-text';
import { formatFieldChange } from './field-changes-text';
import {
  type ClusterObjects,
  formatDeploymentRow,
  formatObjectCount,
  formatObjectGroups,
  groupCloud,
  groupDeclarations,
  groupDeployments,
  groupRoutes,
  listsOfReplicas,
  listsOfRoutes,
  pointToAll,
  sharedCausesOf,
} from './grouped-changes';
import { describeOutages } from './outage-sentences';
import { listPolicyEdits } from '../../diff/policy-changes';
import { describePriceChanges } from '../cost/price-change-text';
import { describePolicyChanges } from '../plan/policy-text';
import { formatReplicaRow, mergeReplicaRows } from './replica-rows';
import { formatRouteChanges } from './route-changes-text';

/** What the plan of the later state adds to a comparison. */
export interface DiffView {
  /** How the change is applied, by which waves are counted. Default: wave by wave. */
  readonly applied?: ApplyMode | undefined;

  /** The command that lists each object. Absent: each is listed. */
  readonly all?: string | undefined;

  /** What needs attention: shown before objects and costs, which can be long. */
  readonly findings?: readonly Block[];

  /** What the later state needs, shown before the cost. */
  readonly needs?: readonly Block[];

  /** Lines about the cost. */
  readonly costNotes?: readonly Item[];

  /** The warnings of the later plan. */
  readonly warnings?: Plan['warnings'];

  /** How many added nodes stay idle, by pool. Default: that is not known. */
  readonly idle?: ReadonlyMap<string, number>;

  /** The price sources of other sums that are shown. */
  readonly prices?: readonly string[];
}

/**
 * Formats a comparison as a document: declarations, replicas with their causes, what needs attention, caches, routes,
 * cloud resources, objects and cost.
 */
export function diffBlocks(diff: FleetDiff, view: DiffView = {}): Block[] {
  const { against, declarations, policies = [], surges, prices: priced, cloud, cost, idleAccelerators } = diff;
  const { all, findings = [], needs = [], costNotes = [], prices = [], warnings = [], idle = new Map() } = view;
  const shown = all === undefined ? listEach(diff, view.applied) : listGrouped(diff, view.applied);
  return [
    { text: [strong(`Against ${against}:`), ` ${pluralize(declarations.length, 'declaration')} changed`] },
    ...indent(shown.declarations),
    ...indent(describePolicyChanges(policies).map(capitalize)),
    ...indent(listPolicyEdits(policies, declarations).map(formatDeclaration)),
    ...indent([...describePriceChanges(priced, cost?.currency ?? ''), ...describeRaisedSurges(surges)].map(capitalize)),
    '',
    ...indent(shown.deployments.flatMap((deployment) => [deployment, ''])),
    ...section(shown.outages),
    ...findings,
    ...section(indent(shown.copies)),
    ...section(indent(shown.caches)),
    ...section(shown.routes),
    ...section(shown.cloud),
    ...section(indent(styledLines('warn', describeProtectedClusters(diff.protectedClusters).map(formatStep)))),
    ...section(
      indent(
        [
          ...describeJoiningClusters(diff),
          ...describeNewReleases(diff.newReleases),
          ...describeNodeOrder(diff, String, { warnings, idle }),
        ].map(formatStep),
      ),
    ),
    ...indent(shown.objects),
    ...section(indent(styledLines('faint', formatCommand(diff, all)))),
    ...needs,
    ...(cost
      ? formatCostChanges(cost, {
          isMerged: all !== undefined,
          notes: [...formatIdle(idleAccelerators), ...describeUncounted(cloud), ...costNotes],
          prices,
        })
      : indent(formatIdle(idleAccelerators))),
  ];
}

/** The changes of a comparison, without what needs attention and costs. */
type ShownChanges = Readonly<
  Record<
    'declarations' | 'deployments' | 'outages' | 'copies' | 'caches' | 'routes' | 'cloud' | 'objects',
    readonly Block[]
  >
>;

function listEach(diff: FleetDiff, applied: ApplyMode | undefined): ShownChanges {
  return {
    declarations: diff.declarations.map(formatDeclaration),
    deployments: countWaves(diff.deployments, applied).map((one) =>
      formatDeployment(
        one,
        one.changes.map((change) => formatReplicaRow(change)),
      ),
    ),
    outages: describeOutages(diff).flatMap(formatOutage),
    copies: diff.copies.map(formatCopies),
    caches: diff.caches.map(formatCache),
    routes: formatRouteChanges(diff.routes),
    cloud: formatCloudChanges(diff.cloud),
    objects: [...groupBy(diff.objects, ({ cluster }) => cluster)].flatMap(formatObjects),
  };
}

/** The same, with one line for changes that are equal, where there are too many to read. */
function listGrouped(diff: FleetDiff, applied: ApplyMode | undefined): ShownChanges {
  const deployments = countWaves(diff.deployments, applied);
  const rows = groupDeployments({ ...diff, deployments });
  const inRows = new Set(rows.flatMap((row) => row.deployments));
  const single = deployments.filter(({ deployment }) => !inRows.has(deployment));
  return {
    declarations: groupDeclarations(diff.declarations, formatDeclaration),
    deployments: [
      ...single.map((one) => formatDeployment(one, mergeReplicaRows(one.changes))),
      ...rows.map(formatDeploymentRow),
    ],
    outages: showFirstOfAlike(describeOutages(diff), {
      keyOf: (text) => templateOf([text], [firstWordOf(text)]),
      nameOf: firstWordOf,
      blocksOf: formatOutage,
    }),
    copies: showFirstOfAlike(diff.copies, {
      keyOf: (one) => formatCopiesChange(one),
      nameOf: ({ deployment }) => deployment,
      blocksOf: (one) => [formatCopies(one)],
    }),
    caches: showFirstOfAlike(diff.caches, {
      keyOf: ({ action, sizeGiB }) => `${action} ${sizeGiB}`,
      nameOf: ({ cache, cluster }) => `${cache} on ${cluster}`,
      blocksOf: (one) => [formatCache(one)],
    }),
    routes: groupRoutes(diff.routes),
    cloud: groupCloud(diff.cloud),
    objects: formatObjectGroups(diff.objects),
  };
}

/** The command that lists what is counted. */
function formatCommand({ objects, ...diff }: FleetDiff, all: string | undefined): string[] {
  if (all === undefined) return [];
  const { declarations, copies, caches, routes, cloud, cost } = diff;
  const lists = [
    declarations,
    copies,
    caches,
    cloud,
    ...listsOfReplicas(diff),
    ...listsOfRoutes(routes),
    ...(cost ? listsOfCosts(cost) : []),
  ];
  const pointer = pointToAll(all, lists);
  if (pointer.length > 0) return pointer;
  return objects.length > 0 ? [`Each object: '${all}'.`] : [];
}

/** What of a comparison is shown, and of the plan of its later state. */
type ComparisonView = PlanView & Pick<DiffView, 'applied'> & { readonly diff: FleetDiff };

/** Formats a comparison with the plan of its later state. What needs attention comes before objects and cost. */
export function comparisonBlocks(plan: Plan, view: ComparisonView, all?: string): Block[] {
  const { diff, applied, prices = [] } = view;
  return [
    ...diffBlocks(diff, {
      applied,
      all,
      findings: formatFindings(plan, view),
      needs: formatRequirements(plan, view),
      warnings: plan.warnings,
      idle: countUnhelpful(plan, diff),
      costNotes: styledLines('warn', listUnpriced(plan.cost)),
      prices,
    }),
    ...(diff.cost ? [] : formatCost(plan.cost, prices, view.estimate)),
    ...styledLines('strong', [formatTotal(plan, diff)]),
  ];
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

function formatDeployment(diff: DeploymentDiff, replicas: readonly Item[]): Item {
  const text = [strong(diff.deployment), `   ${formatServing(diff)}`];
  return { text, below: [...replicas, ...styledLines('faint', formatElsewhere(diff))] };
}

function formatOutage(text: string): Item[] {
  return styledLines('warn', [`warning: ${text}`]);
}

/** The deployment that a sentence begins with. */
function firstWordOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}

function formatCopies(change: CopiesChange): string {
  return `${change.deployment}   ${formatCopiesChange(change)}`;
}

function formatCache(change: CacheChange): string {
  return `cache ${formatCacheChange(change)}`;
}

/** Formats the objects of a cluster. Causes that all of them have are named once. */
function formatObjects(group: ClusterObjects): Block[] {
  const [, changes] = group;
  const isShared = sharedCausesOf(changes) !== '';
  const below = changes.map((change) => formatObject(change, isShared ? () => '' : undefined));
  return [{ ...formatObjectCount(group), below }, ''];
}

export function formatObject(change: ObjectChangeWithCauses, because: FormatCauses = formatBecause): Item {
  const { action, kind, namespace, name, causes, fields } = change;
  return {
    mark: CHANGE_MARKS[action],
    text: `${kind} ${idText(namespace, name)}${describeNotPruned(change)}${because(causes)}`,
    below: fields.map(formatFieldChange),
  };
}
