import { formatCount } from '../../../base/figures';
import type { CauseData, ChangeItem } from '../map-data';
import { createSwatch } from './color-swatch';
import { MARK_WORDS } from './display-text';
import { createElement, createFold, fillList } from './dom';
import type { FleetView } from './fleet-view';
import { listChanges, type StatusChange, summarizeChanges } from './replica-changes';
import { createChangedShares } from './services-view';

/** Builds what changes: of replicas, then of all else, with the edits that cause it below. */
export function buildChangesPanel(fleet: FleetView): Node[] {
  const sections = fleet.data.changes.flatMap(({ title, items }) => [
    createElement('h3', {}, title),
    ...fillList(createElement('ul', { class: 'changes-list' }), items, (item) => createChangeLine(fleet, item)),
  ]);
  return [
    createElement('h3', {}, 'Replicas'),
    ...createReplicaChanges(fleet),
    ...sections,
    ...createCauses(fleet.data.causes ?? []),
  ];
}

function createChangeLine(fleet: FleetView, { text, service, causes = [], below = [] }: ChangeItem): HTMLElement {
  const list =
    below.length === 0 ? undefined : createElement('ul', {}, ...below.map((one) => createChangeLine(fleet, one)));
  const shares = service === undefined ? [] : createChangedShares(fleet, service);
  return createElement('li', {}, text, ...citeCauses(causes), list, ...shares);
}

/** The most causes that a line cites. */
const MAX_CITED = 4;

/** `because of edits 1 and 2`, each number a link to the edit. */
function citeCauses(causes: readonly number[]): (Node | string)[] {
  if (causes.length === 0) return [];
  const links = causes
    .slice(0, MAX_CITED)
    .flatMap((at, nth) => [nth === 0 ? '' : ', ', createElement('a', { href: `#${causeIdOf(at)}` }, String(at + 1))]);
  const more = causes.length - MAX_CITED;
  const end = more > 0 ? ` and ${formatCount(more)} more` : '';
  return [
    createElement('span', { class: 'cited' }, ` because of ${causes.length === 1 ? 'edit' : 'edits'} `, ...links, end),
  ];
}

function createCauses(causes: readonly CauseData[]): HTMLElement[] {
  if (causes.length === 0) return [];
  const items = causes.map(({ text, at }, nth) =>
    createElement(
      'li',
      { id: causeIdOf(nth) },
      text,
      ...at.map((place) => createElement('p', { class: 'place' }, place)),
    ),
  );
  return [createElement('h3', {}, 'Edits'), createElement('ol', { class: 'causes' }, ...items)];
}

function causeIdOf(at: number): string {
  return `edit-${at + 1}`;
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
