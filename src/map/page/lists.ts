import type { RefusalData, ShortfallData } from '../map-data';
import { asks } from './details';
import { el, fill } from './dom';
import { type Fleet, type Standing, standingOf } from './fleet';
import { swatch } from './swatch';
import { MARK_WORDS, plural } from './words';

/** Replicas that have no place, and why not on any cluster or pool. */
export function unplacedPanel(fleet: Fleet): Node[] {
  const { shortfalls } = fleet.data;
  if (shortfalls.length === 0) return [el('p', {}, 'Every replica has a place.')];
  const list = el('div');
  const more = fill(list, shortfalls, (one) => shortfall(fleet, one));
  return [list, more];
}

/** Boxes are filled when they are opened: a large fleet has ten thousand reasons against each deployment. */
function folded(title: readonly (Node | string)[], make: () => readonly Node[]): HTMLElement {
  const box = el('details', {}, el('summary', {}, ...title));
  box.addEventListener('toggle', () => box.append(...make()), { once: true });
  return box;
}

function shortfall(
  fleet: Fleet,
  { deployment, missing, accepted, refusals, remedies }: ShortfallData,
): HTMLElement {
  const own = fleet.deployments[deployment];
  if (!own) return el('div');
  const count = `${plural(missing, 'replica')} without a place${accepted ? ', as accepted' : ''}`;
  const reasons = fleet.data.refusals[refusals] ?? [];
  return folded([swatch(own), ` ${own.id}: ${count}`], () => [
    ...remedies.map((ref, i) => el('p', {}, `${i === 0 ? 'Nearest' : 'Or'}: ${fleet.text(ref)}.`)),
    ...(reasons.length === 0 ? [el('p', {}, 'The fleet declares no cluster.')] : []),
    ...reasons.map((reason) => refusal(fleet, reason)),
    asks(fleet, own),
  ]);
}

function refusal(fleet: Fleet, [filter, reason, places]: RefusalData): HTMLElement {
  const title = `${fleet.text(filter)}: ${fleet.text(reason)} (${places.length})`;
  return folded([title], () => {
    const list = el('ul', {});
    return [list, fill(list, places, (place) => el('li', {}, fleet.text(place)))];
  });
}

/** Replicas to which something happens, by deployment. */
export function changesPanel(fleet: Fleet): Node[] {
  const lines = el('div', { class: 'lines' });
  const rest = fill(lines, fleet.data.changes, (line) => el('p', {}, line));
  return [...replicaChanges(fleet), lines, rest];
}

function replicaChanges(fleet: Fleet): Node[] {
  const changes = changesOf(fleet);
  if (changes.size === 0) return [el('p', {}, 'No replica on the map changes.')];
  const list = el('div');
  const more = fill(list, [...changes], ([place, own]) => {
    const deployment = fleet.deployments[place];
    if (!deployment) return el('div');
    const title = [swatch(deployment), ` ${deployment.id}: ${plural(own.length, 'replica')}`];
    return folded(title, () => {
      const items = el('ul', { class: 'replicas' });
      const more = fill(items, own, (change) => changeItem(change));
      const { change } = deployment.data;
      return [...(change === undefined ? [] : [el('p', {}, fleet.text(change))]), items, more];
    });
  });
  return [list, more];
}

interface ReplicaChange extends Standing {
  readonly where: string;
}

function changeItem({ where, mark, why }: ReplicaChange): HTMLElement {
  const reasons = why.map((sentence) => el('p', {}, sentence));
  return el('li', { class: mark }, el('strong', {}, `${where} ${MARK_WORDS[mark].sign}`), ...reasons);
}

/** A replica that is in both states changes once. */
function changesOf(fleet: Fleet): Map<number, ReplicaChange[]> {
  const found = new Map<number, Map<string, ReplicaChange>>();
  for (const { name, states } of fleet.clusters) {
    for (const replica of states.flatMap((state) => state?.replicas ?? [])) {
      const [deployment, , index] = replica;
      const standing = standingOf(fleet, replica);
      if (standing.mark === 'keep') continue;
      const own = found.get(deployment) ?? new Map<string, ReplicaChange>();
      found.set(deployment, own);
      own.set(`${name}/${index}`, { ...standing, where: `${name}/${index}` });
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([deployment, own]) => [deployment, [...own.values()]]));
}

/** What else the plan says. */
export function remarksPanel({ data: { remarks } }: Fleet): Node[] {
  if (remarks.length === 0) return [el('p', {}, 'Nothing to say.')];
  const list = el('ul', { class: 'remarks' });
  const more = fill(list, remarks, ({ kind, text }) =>
    el('li', { class: kind }, el('strong', {}, `${kind}: `), text),
  );
  return [list, more];
}
