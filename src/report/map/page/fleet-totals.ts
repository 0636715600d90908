import { formatCount, formatRoundPercent } from '../../../base/figures';
import { pluralize } from '../../../base/text';
import { formatWithoutPrice } from '../../../cost/unpriced-text';
import type { StateData } from '../map-data';
import { askAboutSigns, formatChangeCounts, formatMonth, formatTrafficChange, holdSigns } from './display-text';
import { createElement } from './dom';
import { countGpus, countPoolNodes, formatNodeBounds, fullnessOf, type GpuUse, hasScaledCopies } from './fleet-figures';
import { type FleetView, isDraining } from './fleet-view';

/** Builds the totals of the fleet: one tile a figure, with the figure before if there is a comparison. */
export function buildTotals(fleet: FleetView, openPanel: (id: 'cost' | 'changes') => void): HTMLElement[] {
  const { states } = fleet.data;
  const [last, before] = [states.at(-1), states.length > 1 ? states[0] : undefined];
  if (!last) return [];
  return [
    gpuTile(fleet, last, before),
    nodeTile(fleet, last, before),
    costTile(last, before, openPanel),
    replicaTile(fleet, last, before),
    changeTile(fleet, openPanel),
  ];
}

function tile(title: string, figure: string, ...notes: readonly (Node | string | undefined)[]): HTMLElement {
  return createElement(
    'div',
    { class: 'tile' },
    createElement('h2', {}, title),
    createElement('p', { class: 'figure' }, holdSigns(figure)),
    ...notes.map((note) => (typeof note === 'string' ? createElement('p', { class: 'muted' }, holdSigns(note)) : note)),
  );
}

function createLink(text: string, open: () => void): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'link' }, text);
  button.addEventListener('click', open);
  return button;
}

function poolsOf({ data }: FleetView, { clusters }: StateData) {
  return clusters.flatMap((place) => data.clusters[place]?.pools ?? []);
}

/** The parts of the GPUs in the order of the bar, each with the words of its note. The bar has what runs. */
const GPU_PARTS: readonly (readonly [part: keyof GpuUse, text: string])[] = [
  ['used', 'in use'],
  ['rollouts', 'for rollouts'],
  ['whole', 'free as whole nodes'],
  ['shared', 'free on other nodes'],
  ['addable', 'can be added'],
  ['lost', 'lost'],
];

function gpuTile(fleet: FleetView, last: StateData, before: StateData | undefined): HTMLElement {
  const gpus = countGpus(fleet.data, poolsOf(fleet, last));
  const was = before && countGpus(fleet.data, poolsOf(fleet, before));
  const figure = `${formatCount(gpus.used)} of ${formatCount(gpus.total)} in use`;
  const earlier = was && (was.used !== gpus.used || was.total !== gpus.total);
  const note = earlier ? `before: ${formatCount(was.used)} of ${formatCount(was.total)}` : '';
  const element = tile(
    'GPUs',
    figure,
    createGpuBar(gpus),
    createGpuKey(gpus),
    hasScaledCopies(fleet.data) ? 'engines that scale count with their most copies' : undefined,
    note === '' ? undefined : note,
  );
  element.classList.add('wide');
  return element;
}

function createGpuBar(gpus: GpuUse): HTMLElement {
  const bar = createElement('div', { class: 'gpu-bar', 'aria-hidden': true });
  for (const [part] of GPU_PARTS) {
    if (gpus[part] === 0 || part === 'addable') continue;
    const piece = createElement('span', { class: `gpu ${part}` });
    piece.style.setProperty('--n', String(gpus[part]));
    bar.append(piece);
  }
  return bar;
}

function createGpuKey(gpus: GpuUse): HTMLElement {
  const items = GPU_PARTS.flatMap(([part, text]) => {
    if (gpus[part] === 0 && part !== 'whole') return [];
    const swatch = createElement('span', { class: `gpu ${part}`, 'aria-hidden': true });
    const percent = part === 'used' ? ` (${formatRoundPercent(fullnessOf({ ...gpus, rollouts: 0 }))})` : '';
    return [createElement('li', {}, swatch, `${formatCount(gpus[part])} ${text}${percent}`)];
  });
  return createElement('ul', { class: 'gpu-key' }, ...items);
}

function nodeTile(fleet: FleetView, last: StateData, before: StateData | undefined): HTMLElement {
  const nodes = countPoolNodes(fleet.data, poolsOf(fleet, last));
  const was = before && formatNodeBounds(countPoolNodes(fleet.data, poolsOf(fleet, before)));
  const figure = formatNodeBounds(nodes);
  const added = nodes.most - nodes.least;
  return tile(
    'Nodes',
    figure,
    added > 0 ? `${added === 1 ? '1 runs' : `${formatCount(added)} run`} only while autoscalers need them` : undefined,
    was !== undefined && was !== figure ? `before: ${was}` : undefined,
  );
}

function costTile({ cost }: StateData, before: StateData | undefined, openPanel: (id: 'cost') => void): HTMLElement {
  const { total, currency, unpriced, change, notes } = cost;
  const was = before && formatMonth(before.cost.total, before.cost.currency);
  return tile(
    'Cost a month',
    formatMonth(total, currency),
    change === 'unknown' ? 'difference: unknown' : change,
    change === undefined || was === undefined ? undefined : `before: ${was}`,
    // The notes name pools, of which a large fleet has hundreds.
    notes.length === 0 ? undefined : createLink(askAboutSigns(notes), () => openPanel('cost')),
    notes.length === 0 && unpriced.length > 0 ? formatWithoutPrice(unpriced.length) : undefined,
  );
}

function replicaTile(fleet: FleetView, last: StateData, before: StateData | undefined): HTMLElement {
  const { shortfalls } = fleet.data;
  const count = countReplicas(fleet, last);
  const was = before && countReplicas(fleet, before);
  const missing = shortfalls.reduce((sum, one) => sum + one.missing, 0);
  return tile(
    'Replicas',
    formatCount(count),
    was !== undefined && was !== count ? `before: ${formatCount(was)}` : undefined,
    missing > 0 ? createElement('p', { class: 'bad' }, `${formatCount(missing)} without a place`) : undefined,
  );
}

/** Counts the replicas of a state, without draining ones. */
function countReplicas({ data }: FleetView, { clusters }: StateData): number {
  const replicas = clusters.flatMap((place) => data.clusters[place]?.replicas ?? []);
  return replicas.filter((replica) => !isDraining(replica)).length;
}

function changeTile(fleet: FleetView, openPanel: (id: 'changes') => void): HTMLElement {
  const { counts, traffic = [] } = fleet.data;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const figure = total > 0 ? pluralize(total, 'replica') : traffic.length > 0 ? 'no replica' : 'none';
  const isChanged = total > 0 || fleet.data.changes.length > 0;
  return tile(
    'Changes',
    figure,
    total === 0 ? undefined : formatChangeCounts(counts),
    traffic.length === 0 ? undefined : formatTrafficChange(traffic.map(fleet.text)),
    isChanged ? createLink('Show changes', () => openPanel('changes')) : undefined,
  );
}
