import type { Grant } from '../api/grant';
import type { InferenceCluster } from '../api/inference-cluster';
import { findUnmetRequirement } from '../api/label-matching';
import { toCanonicalLabel } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import type { LabelSelector } from '../api/schema/label-selector';
import { createCachedGroupBy, groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { PlacedGateway } from './placed-gateways';
import type { RouteRule } from './routing';
import { isGranted, type RoutedReplica, type SelectableItem, type SelectableReplica } from './selectable-items';

/** The target of a service entry: replicas of a deployment on a cluster, or an endpoint. */
export type RouteTarget = EdgeTarget | ExternalTarget;

interface EntryTarget {
  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;
  readonly weight: number;
  readonly tier: 0 | 1;
}

export interface EdgeTarget extends EntryTarget {
  readonly kind: 'Edge';
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly replicas: readonly number[];

  /** Set if the target is a single replica of several on the cluster. */
  readonly replica?: number;
}

export interface ExternalTarget extends EntryTarget {
  readonly kind: 'External';
  readonly endpoint: ModelEndpoint;
}

/** Requests that match the same headers, and their targets. */
export interface SelectedRule extends Pick<RouteRule, 'headers'> {
  readonly targets: readonly RouteTarget[];
}

/** The rules of a service with the selected targets. */
export interface ServiceSelection {
  readonly service: ModelService;

  /** Sorted by the number of headers, in descending order. Includes rules without targets. */
  readonly rules: readonly SelectedRule[];
}

/** The input of routing checks. */
export interface RoutingContext {
  readonly fleet: Fleet;
  readonly placedGateways: readonly PlacedGateway[];

  /** All replicas, those on clusters without a gateway included. */
  readonly replicas: readonly RoutedReplica[];
  readonly selectables: readonly SelectableItem[];
  readonly selections: readonly ServiceSelection[];

  /** Replicas that serve as before and are not among the replicas, because their deployments have errors. */
  readonly frozen: readonly SelectableItem[];

  /** Whether services are declared that are not in the fleet, because they have errors. */
  readonly lacksServices: boolean;
}

export function edgeTargetsOf({ rules }: ServiceSelection): EdgeTarget[] {
  return rules.flatMap(({ targets }) => targets.filter((target) => target.kind === 'Edge'));
}

export function externalTargetsOf({ rules }: ServiceSelection): ExternalTarget[] {
  return rules.flatMap(({ targets }) => targets.filter((target) => target.kind === 'External'));
}

/** Returns the last target of each endpoint of a service. */
export function externalTargetByEndpoint(selection: ServiceSelection): Iterable<ExternalTarget> {
  return new Map(externalTargetsOf(selection).map((target) => [target.endpoint, target])).values();
}

/** Selects the targets of a service. */
export function selectTargets(
  service: ModelService,
  items: readonly SelectableItem[],
  grants: readonly Grant[],
): ServiceSelection {
  const countGranted = (place: string): number =>
    (groupByPlace(items).get(place) ?? []).filter((item) => isGranted(service, item, grants)).length;
  const rules = selectItems(service, items, grants).map(({ headers, entries }): SelectedRule => {
    return { headers, targets: entries.flatMap(({ entry, selected }) => targetsOf(selected, entry, countGranted)) };
  });
  return { service, rules: rules.sort((a, b) => b.headers.length - a.headers.length) };
}

/** The items that entries which match the same headers select. */
interface RuleItems extends Pick<RouteRule, 'headers'> {
  readonly entries: readonly { readonly entry: EntryTarget; readonly selected: readonly SelectableItem[] }[];
}

/** Entries that match the same headers share a rule, and the first of them that selects an item gets it. */
export function selectItems(
  service: ModelService,
  items: readonly SelectableItem[],
  grants: readonly Grant[],
): RuleItems[] {
  return entriesOf(service).flatMap((sameHeaders) => {
    const candidates = preselectByLabel(items, sameHeaders).filter((item) => isGranted(service, item, grants));
    const byEntry = groupBy(candidates, (item) =>
      sameHeaders.find(({ selector }) => !findUnmetRequirement(selector, item.labels)),
    );
    const found = [...byEntry].flatMap(([entry, selected]) => (entry ? [{ entry, selected }] : []));
    return sameHeaders.slice(0, 1).map(({ headers }) => ({ headers, entries: found }));
  });
}

/** An entry of a service. */
type ServiceEntry = ModelService['spec']['endpoints'][number] & Pick<EntryTarget, 'entry'> & Pick<RouteRule, 'headers'>;

const ENTRIES = new WeakMap<ModelService, readonly (readonly ServiceEntry[])[]>();

/** The entries of a service, those that match the same headers together. */
function entriesOf(service: ModelService): readonly (readonly ServiceEntry[])[] {
  const known = ENTRIES.get(service);
  if (known) return known;
  const entries = service.spec.endpoints.map((spec, entry) => ({ ...spec, entry, headers: headersOf(spec) }));
  const grouped = [...groupBy(entries, ({ headers }) => JSON.stringify(headers)).values()];
  ENTRIES.set(service, grouped);
  return grouped;
}

function headersOf({ match }: ModelService['spec']['endpoints'][number]): RouteRule['headers'] {
  const headers = Object.entries(match?.headers ?? {}).map(([name, value]) => ({ name: name.toLowerCase(), value }));
  return sortedBy(headers, ({ name }) => name);
}

function targetsOf(
  items: readonly SelectableItem[],
  { entry, weight, tier }: EntryTarget,
  countGranted: (place: string) => number,
): RouteTarget[] {
  const entryTarget = { entry, weight, tier };
  const external = items.filter((item) => item.kind === 'External');
  return [
    ...[...groupBy(items.filter(isReplica), placeOf)].flatMap(([place, replicas]) =>
      toEdgeTargets(replicas, countGranted(place) === replicas.length, entryTarget),
    ),
    ...external.map(({ resource }): RouteTarget => ({ kind: 'External', ...entryTarget, endpoint: resource })),
  ];
}

/** If an entry selects only some replicas of a deployment on a cluster, each replica is a separate target. */
function toEdgeTargets(selected: readonly SelectableReplica[], isAll: boolean, entryTarget: EntryTarget): EdgeTarget[] {
  const all = selected.map(({ index }) => index);
  return selected.slice(0, isAll ? 1 : undefined).map(({ resource, cluster, index }) => {
    const replicas = isAll ? { replicas: all } : { replicas: [index], replica: index };
    return { kind: 'Edge', ...entryTarget, deployment: resource, cluster, ...replicas };
  });
}

function isReplica(item: SelectableItem): item is SelectableReplica {
  return item.kind === 'Edge';
}

const groupByPlace = createCachedGroupBy((item: SelectableItem) => (isReplica(item) ? placeOf(item) : ''));

function placeOf({ resource, cluster }: SelectableReplica): string {
  return `${qualifiedNameOf(resource)} ${cluster.metadata.name}`;
}

type LabelledItem = Pick<SelectableItem, 'labels'>;

/** The positions of items by a label and its value. */
type LabelIndex = Map<string, ReadonlyMap<string | undefined, readonly number[]>>;

/** Lists do not change after they are created, so each list is scanned once per label. */
const INDEXES = new WeakMap<readonly LabelledItem[], LabelIndex>();

/** Returns the items that have the first label of any selector, in their order. Other items cannot match. */
export function preselectByLabel<T extends LabelledItem>(
  items: readonly T[],
  entries: readonly { readonly selector: LabelSelector }[],
): readonly T[] {
  const positions = new Set<number>();
  for (const { selector } of entries) {
    const [label] = Object.entries(selector.matchLabels);
    if (!label) return items;
    for (const position of findPositions(items, ...label)) positions.add(position);
  }
  return [...positions].sort((a, b) => a - b).flatMap((position) => items[position] ?? []);
}

function findPositions(items: readonly LabelledItem[], name: string, value: string): readonly number[] {
  const index: LabelIndex = INDEXES.get(items) ?? new Map();
  INDEXES.set(items, index);
  const label = toCanonicalLabel(name);
  const byValue = index.get(label) ?? groupBy(items.keys(), (position) => items[position]?.labels[label]);
  index.set(label, byValue);
  return byValue.get(value) ?? [];
}
