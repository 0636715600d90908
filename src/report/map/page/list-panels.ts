import { pluralize } from '../../../base/text';
import type { ChangeItem, PlanMessageData, RejectionData, ShortfallData } from '../map-data';
import { createSwatch } from './color-swatch';
import { MARK_WORDS } from './display-text';
import { createElement, fillList } from './dom';
import { type FleetView, type ReplicaStatusView, statusOf } from './fleet-view';
import { buildDemandDetails } from './selection-details';

export function buildUnplacedPanel(fleet: FleetView): Node[] {
  const { shortfalls } = fleet.data;
  if (shortfalls.length === 0) return [createElement('p', {}, 'Every replica has a place.')];
  return fillList(createElement('div'), shortfalls, (one) => createShortfall(fleet, one));
}

/** Creates a box that is filled when opened, because a large fleet has ten thousand reasons per deployment. */
function createFold(title: readonly (Node | string)[], make: () => readonly Node[]): HTMLElement {
  const box = createElement('details', {}, createElement('summary', {}, ...title));
  box.addEventListener('toggle', () => box.append(...make()), { once: true });
  return box;
}

function createShortfall(
  fleet: FleetView,
  { deployment, missing, accepted, refusals, remedies }: ShortfallData,
): HTMLElement {
  const view = fleet.deployments[deployment];
  if (!view) return createElement('div');
  const count = `${pluralize(missing, 'replica')} without a place${accepted ? ', as accepted' : ''}`;
  const reasons = fleet.data.refusals[refusals] ?? [];
  return createFold([createSwatch(view), ` ${view.id}: ${count}`], () => [
    ...remedies.map((ref, i) => createElement('p', {}, `${i === 0 ? 'Nearest' : 'Or'}: ${fleet.text(ref)}.`)),
    ...(reasons.length === 0 ? [createElement('p', {}, 'The fleet declares no cluster.')] : []),
    ...reasons.map((reason) => createRejection(fleet, reason)),
    buildDemandDetails(fleet, view),
  ]);
}

function createRejection(fleet: FleetView, [filter, reason, places]: RejectionData): HTMLElement {
  const title = `${fleet.text(filter)}: ${fleet.text(reason)} (${places.length})`;
  return createFold([title], () =>
    fillList(createElement('ul'), places, (place) => createElement('li', {}, fleet.text(place))),
  );
}

export function buildChangesPanel(fleet: FleetView): Node[] {
  const sections = fleet.data.changes.flatMap(({ title, items }) => [
    createElement('h3', {}, title),
    ...fillList(createElement('ul', { class: 'changes-list' }), items, createChangeLine),
  ]);
  return [createElement('h3', {}, 'Replicas'), ...createReplicaChanges(fleet), ...sections];
}

function createChangeLine({ text, below = [] }: ChangeItem): HTMLElement {
  const list = below.length === 0 ? undefined : createElement('ul', {}, ...below.map(createChangeLine));
  return createElement('li', {}, text, list);
}

function createReplicaChanges(fleet: FleetView): Node[] {
  const changes = changesOf(fleet);
  if (changes.size === 0) return [createElement('p', {}, 'No replica changes.')];
  return fillList(createElement('div'), [...changes], ([place, replicas]) => {
    const deployment = fleet.deployments[place];
    if (!deployment) return createElement('div');
    const title = [createSwatch(deployment), ` ${deployment.id}: ${pluralize(replicas.length, 'replica')}`];
    return createFold(title, () => {
      const { change } = deployment.data;
      return [
        ...(change === undefined ? [] : [createElement('p', {}, fleet.text(change))]),
        ...fillList(createElement('ul', { class: 'replicas' }), replicas, createChangeItem),
      ];
    });
  });
}

interface StatusChange extends ReplicaStatusView {
  readonly where: string;
}

function createChangeItem({ where, mark, why }: StatusChange): HTMLElement {
  const title = createElement('strong', {}, `${where} ${MARK_WORDS[mark].sign}`);
  return createElement('li', { class: mark }, title, ...why.map((sentence) => createElement('p', {}, sentence)));
}

/** Returns the changed replicas by deployment. A replica in both states is one entry. */
function changesOf(fleet: FleetView): Map<number, StatusChange[]> {
  const found = new Map<number, Map<string, StatusChange>>();
  for (const { name, states } of fleet.clusters) {
    for (const replica of states.flatMap((state) => state?.replicas ?? [])) {
      const [deployment, , index] = replica;
      const status = statusOf(fleet, replica);
      if (status.mark === 'keep') continue;
      const changes = found.get(deployment) ?? new Map<string, StatusChange>();
      found.set(deployment, changes);
      changes.set(`${name}/${index}`, { ...status, where: `${name}/${index}` });
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([deployment, changes]) => [deployment, [...changes.values()]]));
}

export function buildMessagesPanel({ data: { remarks } }: FleetView): Node[] {
  if (remarks.length === 0) return [createElement('p', {}, 'No warnings.')];
  return fillList(createElement('ul', { class: 'remarks' }), remarks, ({ kind, text }) =>
    createElement('li', { class: kind }, createElement('strong', {}, `${MESSAGE_WORDS[kind]}: `), text),
  );
}

const MESSAGE_WORDS: Readonly<Record<PlanMessageData['kind'], string>> = {
  denied: 'denied',
  warning: 'warning',
  drain: 'draining',
  note: 'note',
};
