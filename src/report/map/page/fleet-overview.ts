import { formatCount, formatRoundPercent } from '../../../base/figures';
import { pluralize } from '../../../base/text';
import { costOf, rankByCost } from './cluster-filter';
import { formatClusterCost, formatMonth, holdSigns } from './display-text';
import { createElement, fillList } from './dom';
import { countMessages } from './fleet-figures';
import type { PlanMessageData } from '../map-data';
import type { ClusterView, FleetView } from './fleet-view';

/** The most clusters in a list of the overview. */
const MAX_LISTED = 5;

/** What the buttons of the overview do. */
export interface OverviewActions {
  readonly goTo: (cluster: ClusterView) => void;
  readonly open: (tab: string) => void;
  readonly showServices: () => void;
}

/** Builds what the pane of details shows while no node is selected. */
export function buildOverview(fleet: FleetView, actions: OverviewActions): HTMLElement[] {
  const { total, changes, shortfalls, remarks, services } = fleet.data;
  const missing = shortfalls.reduce((sum, one) => sum + one.missing, 0);
  const others = changes.map(({ title }) => title.toLowerCase()).join(', ');
  return [
    createElement(
      'ul',
      { class: 'findings' },
      createFinding(total, '', () => actions.open('changes')),
      ...(others === '' ? [] : [createFinding(`Also changes: ${others}`, '', () => actions.open('changes'))]),
      missing > 0
        ? createFinding(`${pluralize(missing, 'replica')} without a place`, 'bad', () => actions.open('unplaced'))
        : createElement('li', {}, 'Every replica has a place'),
      ...listMessages(remarks, actions),
      ...(services.length > 0 ? [createFinding(pluralize(services.length, 'service'), '', actions.showServices)] : []),
    ),
    ...listClusters(fleet, actions),
    ...listRemoved(fleet, actions),
    createElement(
      'p',
      { class: 'muted hint' },
      'Point at a node or tap it to see its pods, or go there with Tab and the arrow keys. Click or press Enter to keep it selected, Escape to return here.',
    ),
  ];
}

/** What the plan reports, by how serious it is. */
function listMessages(remarks: FleetView['data']['remarks'], { open }: OverviewActions): HTMLElement[] {
  const countOf = (kind: PlanMessageData['kind']): number => countMessages(remarks.filter((one) => one.kind === kind));
  const [denied, warned, known] = [countOf('denied'), countOf('warning'), countOf('known')];
  const noted = countMessages(remarks) - denied - warned - known;
  const found: readonly (readonly [count: number, text: string, className: string])[] = [
    [denied, `Denied by ${pluralize(denied, 'policy rule')}`, 'bad'],
    [warned, pluralize(warned, 'warning'), 'warn'],
    [known, `${pluralize(known, 'warning')} that this change does not bring`, ''],
    [noted, pluralize(noted, 'note'), ''],
  ];
  return found.flatMap(([count, text, className]) =>
    count > 0 ? [createFinding(text, className, () => open('remarks'))] : [],
  );
}

function createFinding(text: string, className: string, action: () => void): HTMLElement {
  const button = createElement('button', { type: 'button', class: `link ${className}` }, text);
  button.addEventListener('click', action);
  return createElement('li', {}, button);
}

function byCost(a: ClusterView, b: ClusterView): number {
  return costOf(b) - costOf(a);
}

function listClusters({ clusters, data: { states } }: FleetView, { goTo }: OverviewActions): HTMLElement[] {
  const currency = states.at(-1)?.cost.currency ?? '';
  const existing = clusters.filter(({ removed }) => !removed);
  const costText = ({ costs, unpriced }: ClusterView): string =>
    formatClusterCost({ amount: costs.at(-1), unpriced }, currency);
  const costs = ({ costs: amounts }: ClusterView): string => `${formatMonth(amounts.at(-1), currency)} a month`;
  const others = existing.filter(({ unpriced }) => unpriced.length > 0);
  const lists: [
    title: string,
    tag: 'ol' | 'ul',
    of: readonly ClusterView[],
    order: (a: ClusterView, b: ClusterView) => number,
    figure: (one: ClusterView) => string,
  ][] = [
    ['Fullest clusters', 'ol', existing, (a, b) => b.fullness - a.fullness, gpuText],
    ['Most expensive clusters', 'ol', rankByCost(existing), byCost, costs],
    ['Clusters with a missing price', 'ul', others, byCost, costText],
  ];
  return lists.flatMap(([title, tag, of, order, figure]) => {
    const listed = of.toSorted(order).slice(0, MAX_LISTED);
    const items = listed.map((cluster) => clusterItem(cluster, figure(cluster), goTo));
    if (listed.length === 0) return [];
    return [createElement('h3', {}, title), createElement(tag, { class: 'ranking' }, ...items)];
  });
}

/** Lists the clusters that the change removes: they have no rank. */
function listRemoved({ clusters, data: { states } }: FleetView, { goTo }: OverviewActions): HTMLElement[] {
  const removed = clusters.filter((cluster) => cluster.removed);
  if (removed.length === 0) return [];
  const currency = states[0]?.cost.currency ?? '';
  const [list, more] = fillList(createElement('ul', { class: 'ranking' }), removed, (cluster) =>
    clusterItem(cluster, `was ${formatMonth(cluster.costs[0], currency)} a month`, goTo),
  );
  return [createElement('h3', {}, 'Removed clusters'), list, more];
}

function clusterItem(cluster: ClusterView, figure: string, goTo: OverviewActions['goTo']): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'link' }, cluster.name);
  button.addEventListener('click', () => goTo(cluster));
  return createElement('li', {}, button, createElement('span', { class: 'muted' }, holdSigns(figure)));
}

function gpuText({ gpus, fullness }: ClusterView): string {
  const last = gpus.at(-1);
  if (!last) return '';
  return `${formatCount(last.used + last.rollouts)} of ${pluralize(last.total, 'GPU')}, ${formatRoundPercent(fullness)}`;
}
