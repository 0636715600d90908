import { pluralize } from '../../../base/text';
import type { ClusterData, GroupData, NodeKind, PoolData, ShapeData } from '../map-data';
import { createSegment } from './color-swatch';
import { formatAmounts, MARK_WORDS, NODE_WORDS, nodeKindOf } from './display-text';
import { createElement } from './dom';
import { type FleetView, type GroupPod, groupPodsOf, poolShapeOf } from './fleet-view';
import { type FreeKind, freeKindOf } from './free-devices';
import { rememberCaption } from './segment-captions';

interface NodeLocation {
  readonly fleet: FleetView;
  readonly cluster: ClusterData;
  readonly pool: PoolData;
}

/** Creates the cell of a group of nodes, which shows the pods on each node device by device. */
export function createNodeCell(location: NodeLocation, group: GroupData, place: number): HTMLElement {
  const { fleet, cluster, pool } = location;
  const [count, kindPlace] = group;
  const shape = poolShapeOf(fleet, pool);
  const groupPods = groupPodsOf(fleet, cluster, group);
  const kind = nodeKindOf(kindPlace);
  const empty = groupPods.length === 0;
  const cell = createElement('div', {
    role: 'gridcell',
    tabindex: -1,
    class: `node ${kind}${empty ? ' empty' : ''}`,
    'data-group': place,
    'aria-label': labelOf(group, groupPods, shape),
  });
  const inside = createElement('div', { class: 'bays', 'aria-hidden': true });
  const rows = deviceRows(shape);
  const free = freeKindOf(group);
  rows.forEach((row, nth) => inside.append(createBay(row, { groupPods, shape, free, thin: nth > 0 })));
  if (empty)
    inside.append(createElement('span', { class: 'state' }, createElement('span', {}, NODE_WORDS[kind].short)));
  cell.append(inside);
  if (count > 1) cell.append(createElement('span', { class: 'times', 'aria-hidden': true }, `×${count}`));
  const widest = Math.max(1, ...rows.map((row) => shape.kinds[row]?.count ?? 0));
  cell.style.setProperty('--devices', String(widest));
  return cell;
}

/** Returns the kinds of devices that pods claim, by descending memory, so that GPUs come before other devices. */
function deviceRows({ kinds }: ShapeData): number[] {
  const claimed = kinds.flatMap((kind, at) => (kind.claimedAs === undefined ? [] : [{ ...kind, at }]));
  claimed.sort((a, b) => (b.memory ?? 0) - (a.memory ?? 0));
  return claimed.map(({ at }) => at);
}

/** The context of a row of devices. A thin row has no names. */
interface Bay {
  readonly groupPods: readonly GroupPod[];
  readonly shape: ShapeData;
  readonly free: FreeKind;
  readonly thin: boolean;
}

/** Creates the row of the devices of one kind: a segment for each pod, and a segment for free devices. */
function createBay(kind: number, { groupPods, shape, free, thin }: Bay): HTMLElement {
  const row = createElement('div', { class: thin ? 'bay thin' : 'bay' });
  let left = shape.kinds[kind]?.count ?? 0;
  for (const pod of groupPods) {
    const taken = pod.data[2][kind] ?? 0;
    if (taken === 0) continue;
    left -= taken;
    row.append(createPodSegment(pod, taken, thin));
  }
  if (left > 0) row.append(sized(createElement('span', { class: `free ${free}` }), left));
  return row;
}

function createPodSegment({ deployment, data, at, mark, phase }: GroupPod, taken: number, thin: boolean): HTMLElement {
  const surge = data[3] === 1;
  const sign = surge ? '' : MARK_WORDS[mark].sign;
  const segment = createSegment(deployment.look, `${mark}${surge ? ' surge' : ''}${taken === 1 ? ' one' : ''}`, {
    'data-deployment': deployment.place,
    'data-pod': at,
    title: `${deployment.id}${phase === '' ? '' : `, ${phase.toLowerCase()}`}`,
  });
  if (!thin) rememberCaption(segment, { deployment, sign, phase });
  return sized(segment, taken);
}

function sized(element: HTMLElement, devices: number): HTMLElement {
  element.style.setProperty('--n', String(devices));
  return element;
}

function labelOf(group: GroupData, groupPods: readonly GroupPod[], shape: ShapeData): string {
  const [count, kind] = group;
  const nodes = count === 1 ? '1 node' : `${count} nodes, on each`;
  if (groupPods.length === 0) return `${pluralize(count, 'node')}, ${EMPTY[nodeKindOf(kind)]}`;
  const pods = groupPods.map(({ deployment, data, mark, phase }) => {
    const how = data[3] === 1 ? ', for rollouts only' : mark === 'keep' ? '' : `, ${MARK_WORDS[mark].text}`;
    const does = phase === '' ? '' : ` ${phase.toLowerCase()},`;
    return `${deployment.id}${does} ${formatAmounts(shape, data[2])}${how}`;
  });
  return `${nodes}: ${pods.join('; ')}`;
}

const EMPTY: Readonly<Record<NodeKind, string>> = {
  always: 'free as whole nodes',
  autoscaled: 'autoscaled, and not running',
  shared: 'empty, but placed pods may run on it',
  lost: 'lost',
};
