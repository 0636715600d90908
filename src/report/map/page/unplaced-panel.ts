import { pluralize } from '../../../base/text';
import type { RejectionData, ShortfallData } from '../map-data';
import { createSwatch } from './color-swatch';
import { createElement, createFold, fillList } from './dom';
import type { FleetView } from './fleet-view';
import { buildDemandDetails } from './selection-details';

export function buildUnplacedPanel(fleet: FleetView): Node[] {
  const { shortfalls } = fleet.data;
  if (shortfalls.length === 0) return [createElement('p', {}, 'Every replica has a place.')];
  return fillList(createElement('div'), shortfalls, (one) => createShortfall(fleet, one));
}

function createShortfall(
  fleet: FleetView,
  { deployment, missing, accepted, waits, refusals, remedies }: ShortfallData,
): HTMLElement {
  const view = fleet.deployments[deployment];
  if (!view) return createElement('div');
  const count = `${pluralize(missing, 'replica')} without a place${waits ? ' yet' : accepted ? ', as accepted' : ''}`;
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
