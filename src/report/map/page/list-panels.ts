import type { RejectionData, ShortfallData } from '../map-data';
import { createSwatch } from './color-swatch';
import { MARK_WORDS, pluralize } from './display-text';
import { createElement, fillList } from './dom';
import { type FleetView, type ReplicaStatusView, statusOf } from './fleet-view';
import { buildDemandDetails } from './selection-details';

/** Replicas that have no place, and why not on any cluster or pool. */
export function buildUnplacedPanel(fleet: FleetView): Node[] {
  const { shortfalls } = fleet.data;
  if (shortfalls.length === 0) return [createElement('p', {}, 'Every replica has a place.')];
  const list = createElement('div');
  const more = fillList(list, shortfalls, (one) => createShortfall(fleet, one));
  return [list, more];
}

/** Boxes are filled when they are opened: a large fleet has ten thousand reasons against each deployment. */
function createFold(title: readonly (Node | string)[], make: () => readonly Node[]): HTMLElement {
  const box = createElement('details', {}, createElement('summary', {}, ...title));
  box.addEventListener('toggle', () => box.append(...make()), { once: true });
  return box;
}

function createShortfall(
  fleet: FleetView,
  { deployment, missing, accepted, refusals, remedies }: ShortfallData,
): HTMLElement {
  const own = fleet.deployments[deployment];
  if (!own) return createElement('div');
  const count = `${pluralize(missing, 'replica')} without a place${accepted ? ', as accepted' : ''}`;
  const reasons = fleet.data.refusals[refusals] ?? [];
  return createFold([createSwatch(own), ` ${own.id}: ${count}`], () => [
    ...remedies.map((ref, i) => createElement('p', {}, `${i === 0 ? 'Nearest' : 'Or'}: ${fleet.text(ref)}.`)),
    ...(reasons.length === 0 ? [createElement('p', {}, 'The fleet declares no cluster.')] : []),
    ...reasons.map((reason) => createRejection(fleet, reason)),
    buildDemandDetails(fleet, own),
  ]);
}

function createRejection(fleet: FleetView, [filter, reason, places]: RejectionData): HTMLElement {
  const title = `${fleet.text(filter)}: ${fleet.text(reason)} (${places.length})`;
  return createFold([title], () => {
    const list = createElement('ul', {});
    return [list, fillList(list, places, (place) => createElement('li', {}, fleet.text(place)))];
  });
}

/** Replicas to which something happens, by deployment. */
export function buildChangesPanel(fleet: FleetView): Node[] {
  const lines = createElement('div', { class: 'lines' });
  const rest = fillList(lines, fleet.data.changes, (line) => createElement('p', {}, line));
  return [...createReplicaChanges(fleet), lines, rest];
}

function createReplicaChanges(fleet: FleetView): Node[] {
  const changes = changesOf(fleet);
  if (changes.size === 0) return [createElement('p', {}, 'No replica on the map changes.')];
  const list = createElement('div');
  const more = fillList(list, [...changes], ([place, own]) => {
    const deployment = fleet.deployments[place];
    if (!deployment) return createElement('div');
    const title = [createSwatch(deployment), ` ${deployment.id}: ${pluralize(own.length, 'replica')}`];
    return createFold(title, () => {
      const items = createElement('ul', { class: 'replicas' });
      const more = fillList(items, own, (change) => createChangeItem(change));
      const { change } = deployment.data;
      return [...(change === undefined ? [] : [createElement('p', {}, fleet.text(change))]), items, more];
    });
  });
  return [list, more];
}

interface StatusChange extends ReplicaStatusView {
  readonly where: string;
}

function createChangeItem({ where, mark, why }: StatusChange): HTMLElement {
  const reasons = why.map((sentence) => createElement('p', {}, sentence));
  return createElement(
    'li',
    { class: mark },
    createElement('strong', {}, `${where} ${MARK_WORDS[mark].sign}`),
    ...reasons,
  );
}

/** A replica that is in both states changes once. */
function changesOf(fleet: FleetView): Map<number, StatusChange[]> {
  const found = new Map<number, Map<string, StatusChange>>();
  for (const { name, states } of fleet.clusters) {
    for (const replica of states.flatMap((state) => state?.replicas ?? [])) {
      const [deployment, , index] = replica;
      const standing = statusOf(fleet, replica);
      if (standing.mark === 'keep') continue;
      const own = found.get(deployment) ?? new Map<string, StatusChange>();
      found.set(deployment, own);
      own.set(`${name}/${index}`, { ...standing, where: `${name}/${index}` });
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([deployment, own]) => [deployment, [...own.values()]]));
}

/** What else the plan says. */
export function buildMessagesPanel({ data: { remarks } }: FleetView): Node[] {
  if (remarks.length === 0) return [createElement('p', {}, 'Nothing to say.')];
  const list = createElement('ul', { class: 'remarks' });
  const more = fillList(list, remarks, ({ kind, text }) =>
    createElement('li', { class: kind }, createElement('strong', {}, `${kind}: `), text),
  );
  return [list, more];
}
