import { pluralize } from '../../../base/text';
import type { ChangeItem, RejectionData, ShortfallData } from '../map-data';
import { createSwatch } from './color-swatch';
import { MARK_WORDS } from './display-text';
import { createElement, createFold, fillList } from './dom';
import type { FleetView } from './fleet-view';
import { listChanges, type StatusChange, summarizeChanges } from './replica-changes';
import { buildDemandDetails } from './selection-details';

export function buildUnplacedPanel(fleet: FleetView): Node[] {
  const { shortfalls } = fleet.data;
  if (shortfalls.length === 0) return [createElement('p', {}, 'Every replica has a place.')];
  return fillList(createElement('div'), shortfalls, (one) => createShortfall(fleet, one));
}

function createShortfall(
  fleet: FleetView,
  { deployment, missing, accepted, refusals, remedies }: ShortfallData,
): HTMLElement {
  const view = fleet.deployments[deployment];
  if (!view) return createElement('div');
  const count = `${pluralize(missing, 'replica')} without a place${accepted ? ', as accepted' : ''}`;
  const reasons = fleet.data.refusals[refusals] ?? [];
  const cheapest = fleet.data.shortfalls.length > 1 ? 'Cheapest for it alone' : 'Cheapest';
  const make = (): Node[] => [
    ...remedies.map((ref, i) => createElement('p', {}, `${i === 0 ? cheapest : 'Or'}: ${fleet.text(ref)}.`)),
    ...(reasons.length === 0 ? [createElement('p', {}, 'The fleet declares no cluster.')] : []),
    ...reasons.map((reason) => createRejection(fleet, reason)),
    buildDemandDetails(fleet, view),
  ];
  return createFold([createSwatch(view), ` ${view.id}: ${count}`], make, fleet.data.shortfalls.length === 1);
}

function createRejection(fleet: FleetView, [filter, reason, places]: RejectionData): HTMLElement {
  const title = `${fleet.text(filter)}: ${fleet.text(reason)} (${countPlaces(places.map(fleet.text))})`;
  return createFold([title], () =>
    fillList(createElement('ul'), places, (place) => createElement('li', {}, fleet.text(place))),
  );
}

/** `3 pools`, `1 cluster`: a rejection is of whole clusters or of their pools. */
function countPlaces(places: readonly string[]): string {
  const pools = places.filter((place) => place.includes(' / ')).length;
  return pluralize(places.length, pools === 0 ? 'cluster' : pools === places.length ? 'pool' : 'place');
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
  const changes = listChanges(fleet);
  const unplaced = fleet.data.shortfalls.filter(({ accepted }) => !accepted);
  const missing = new Map(unplaced.map((one) => [one.deployment, one.missing]));
  const places = [...new Set([...changes.keys(), ...missing.keys()])].sort((a, b) => a - b);
  if (places.length === 0) return [createElement('p', {}, 'No replica changes.')];
  return fillList(createElement('div'), places, (place) => {
    const deployment = fleet.deployments[place];
    if (!deployment) return createElement('div');
    const [replicas, without = 0] = [changes.get(place) ?? [], missing.get(place)];
    const title = [createSwatch(deployment), ` ${deployment.id}: ${summarizeChanges(replicas, without)}`];
    return createFold(title, () => {
      const { change } = deployment.data;
      return [
        ...(change === undefined ? [] : [createElement('p', {}, fleet.text(change))]),
        ...(without > 0 ? [createElement('p', {}, 'The tab Unplaced has the reasons.')] : []),
        ...fillList(createElement('ul', { class: 'replicas' }), replicas, createChangeItem),
      ];
    });
  });
}

function createChangeItem({ where, mark, why, move }: StatusChange): HTMLElement {
  const title = createElement('strong', {}, `${MARK_WORDS[mark].sign} ${move ?? where}`);
  return createElement('li', { class: mark }, title, ...why.map((sentence) => createElement('p', {}, sentence)));
}
