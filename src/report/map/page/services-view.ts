import { formatPercent } from '../../../base/figures';
import { joinNames, pluralize } from '../../../base/text';
import type { GatewayData, RouteData, ServiceData, ShareData } from '../map-data';
import { createSwatch } from './color-swatch';
import { breakAfterNamespace, createElement, fillList, getElement } from './dom';
import type { DeploymentView, FleetView } from './fleet-view';

/** Fills the view of services: the ingress gateways of each, and which part of its requests goes where. */
export function fillServicesView(fleet: FleetView): void {
  const { services } = fleet.data;
  const box = getElement('services');
  if (services.length === 0) {
    box.replaceChildren(createElement('p', {}, 'The fleet declares no service with routes.'));
    return;
  }
  const known = knownOf(fleet);
  box.replaceChildren(...fillList(createElement('div'), services, (one) => serviceCard(known, one)));
}

/** Creates tables of the shares of a service that change, with a row for each target: before and after. */
export function createChangedShares(fleet: FleetView, id: string): HTMLElement[] {
  const known = knownOf(fleet);
  const service = fleet.data.services.find((one) => fleet.text(one.id) === id);
  return [...groupRoutes(service?.routes ?? [], ({ match }) => match)].flatMap(([match, routes]) => {
    const rows = [...groupRoutes(routes, ({ target }) => target).values()].flatMap((members) => {
      const route = sumOf(members);
      return route && isChanged(route) ? [createTargetRow(known, route)] : [];
    });
    return rows.length === 0 ? [] : [createTable(['requests to', 'before', 'after'], captionOf(fleet, match), rows)];
  });
}

function createTargetRow(known: Known, route: RouteData): HTMLElement {
  const outside = route.cluster === undefined ? createElement('small', { class: 'muted' }, ' outside the fleet') : '';
  const name = createElement('th', { scope: 'row' }, ...nameTarget(known, route), outside);
  return createElement('tr', { class: 'all changed' }, name, ...route.shares.map(shareCell));
}

interface Known {
  readonly fleet: FleetView;

  /** By `namespace/name`. */
  readonly deployments: ReadonlyMap<string, DeploymentView>;
}

function knownOf(fleet: FleetView): Known {
  return { fleet, deployments: new Map(fleet.deployments.map((deployment) => [deployment.id, deployment])) };
}

function groupRoutes(routes: readonly RouteData[], keyOf: (route: RouteData) => number): Map<number, RouteData[]> {
  const groups = new Map<number, RouteData[]>();
  for (const route of routes) groups.set(keyOf(route), [...(groups.get(keyOf(route)) ?? []), route]);
  return groups;
}

function captionOf(fleet: FleetView, match: number): string {
  const text = fleet.text(match);
  return text === '' ? 'All requests' : `Requests with ${text}`;
}

function serviceCard(known: Known, { id, gateways, routes }: ServiceData): HTMLElement {
  const { fleet } = known;
  const rules = groupRoutes(routes, ({ match }) => match);
  const word = changeWord(gateways, routes);
  const header = createElement(
    'header',
    {},
    createElement('h3', {}, fleet.text(id)),
    word === '' ? undefined : createElement('span', { class: 'chip' }, word),
  );
  return createElement(
    'section',
    { class: 'service', 'aria-label': `service ${fleet.text(id)}` },
    header,
    createElement('ul', { class: 'gateways' }, ...gatewayItems(fleet, gateways)),
    ...[...rules].map(([match, members]) => ruleTable(known, captionOf(fleet, match), members)),
  );
}

/** Returns what happens to a service between two states. Empty: nothing. */
function changeWord(gateways: readonly GatewayData[], routes: readonly RouteData[]): string {
  const states = routes[0]?.shares.length ?? 1;
  if (states < 2) return '';
  if (routes.every(({ shares }) => shares[0] === null)) return 'new';
  if (routes.every(({ shares }) => shares.at(-1) === null)) return 'removed';
  const same = routes.every(({ shares }) => JSON.stringify(shares[0]) === JSON.stringify(shares.at(-1)));
  return same && gateways.every(([, , , exists]) => !exists.includes(false)) ? '' : 'changed';
}

/** Creates an item for each URL, with the clusters of its ingress gateway. */
function gatewayItems({ text }: FleetView, gateways: readonly GatewayData[]): HTMLElement[] {
  const groups = new Map<string, GatewayData[]>();
  for (const one of gateways) {
    const [gateway, , url, exists] = one;
    const key = [gateway, url, ...exists].join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(([gateway, , url, exists]) => {
      const change = exists.includes(false) ? [exists.at(-1) ? 'new' : 'removed'] : [];
      const clusters = joinNames(group.map(([, cluster]) => text(cluster)));
      return createElement(
        'li',
        {},
        createElement('span', { class: 'url' }, text(url)),
        createElement('span', { class: 'muted' }, ` ingress gateway ${text(gateway)} on ${clusters} `),
        ...change.map((word) => createElement('span', { class: 'chip' }, word)),
      );
    }),
  );
}

function ruleTable(known: Known, caption: string, routes: readonly RouteData[]): HTMLElement {
  const compared = known.fleet.data.states.length > 1;
  const titles = ['requests to', 'on', ...(compared ? ['before', 'after'] : ['share'])];
  const targets = groupRoutes(routes, ({ target }) => target);
  return createTable(
    titles,
    caption,
    [...targets.values()].flatMap((members) => targetRows(known, members)),
  );
}

function createTable(titles: readonly string[], caption: string, rows: readonly HTMLElement[]): HTMLElement {
  const head = createElement('tr', {}, ...titles.map((title) => createElement('th', { scope: 'col' }, title)));
  return createElement(
    'table',
    { class: 'shares' },
    createElement('caption', {}, caption),
    createElement('thead', {}, head),
    createElement('tbody', {}, ...rows),
  );
}

/** Creates the rows of a target: its clusters, below their sum if they are several. */
function targetRows(known: Known, members: readonly RouteData[]): HTMLElement[] {
  const total = sumOf(members);
  if (!total) return [];
  const rows = members.map((route) => shareRow(known, route, members.length > 1 ? 'part' : 'all'));
  if (members.length === 1) return rows;
  const sum = shareRow(known, total, 'sum');
  sum.querySelector('td')?.replaceChildren(foldButton(rows));
  return [sum, ...rows];
}

/** A target on all its clusters together. Undefined: it has no route. */
function sumOf(members: readonly RouteData[]): RouteData | undefined {
  const [first] = members;
  if (!first || members.length === 1) return first;
  return {
    ...first,
    shares: first.shares.map((_, state) => addShares(members.map(({ shares }) => shares[state] ?? null))),
  };
}

function isChanged({ shares }: RouteData): boolean {
  return shares.length > 1 && JSON.stringify(shares[0]) !== JSON.stringify(shares.at(-1));
}

/** The most clusters of a target that are shown at first. */
const MAX_OPEN = 4;

/** Creates the button that shows and hides the rows of the clusters of a target. */
function foldButton(rows: readonly HTMLElement[]): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'link' }, pluralize(rows.length, 'cluster'));
  const show = (shown: boolean): void => {
    button.setAttribute('aria-expanded', String(shown));
    for (const row of rows) row.hidden = !shown;
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  show(rows.length <= MAX_OPEN);
  return button;
}

/** Adds the shares of a tier, the first tier if there are two. */
function addShares(all: readonly (ShareData | null)[]): ShareData | null {
  const known = all.filter((share) => share !== null);
  const tier = known.some((share) => share[0] === 0) ? 0 : 1;
  const parts = known.filter((share) => share[0] === tier);
  if (parts.length === 0) return null;
  const share = parts.reduce((sum, part) => sum + part[1], 0);
  // Thirds add up to one.
  return [tier, Number(share.toFixed(6)), parts.reduce((sum, part) => sum + part[2], 0)];
}

/** Creates a row: of all of a target, of the sum of its clusters, or of the part on one of them. */
function shareRow(known: Known, route: RouteData, kind: 'all' | 'sum' | 'part'): HTMLElement {
  const { fleet } = known;
  const name = createElement('th', { scope: 'row' });
  if (kind === 'part') name.append(createElement('span', { class: 'hidden-text' }, fleet.text(route.target)));
  else name.append(...nameTarget(known, route));
  return createElement(
    'tr',
    { class: [kind, ...(isChanged(route) ? ['changed'] : [])].join(' ') },
    name,
    createElement('td', {}, placeText(fleet, route)),
    ...route.shares.map(shareCell),
  );
}

function nameTarget({ fleet, deployments }: Known, { target, cluster }: RouteData): (Node | string)[] {
  const id = fleet.text(target);
  const deployment = cluster === undefined ? undefined : deployments.get(id);
  return [...(deployment ? [createSwatch(deployment), ' '] : []), ...breakAfterNamespace(id)];
}

function placeText(fleet: FleetView, { cluster }: RouteData): string {
  return cluster === undefined ? 'endpoint outside the fleet' : fleet.text(cluster);
}

function shareCell(share: ShareData | null, state: number): HTMLElement {
  if (!share) return createElement('td', { class: 'muted' }, '\u2013');
  const [tier, part, replicas] = share;
  const bar = createElement('span', { class: `share state${state}`, 'aria-hidden': true });
  bar.style.setProperty('--part', String(tier === 1 ? 0 : part));
  const text = tier === 1 ? `fallback, ${formatPercent(part)}` : formatPercent(part);
  const count = replicas === 0 ? undefined : createElement('small', {}, pluralize(replicas, 'replica'));
  return createElement('td', {}, bar, createElement('span', { class: 'percent' }, text), ' ', count);
}
