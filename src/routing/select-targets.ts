import type { Grant } from '../api/grant';
import type { InferenceCluster } from '../api/inference-cluster';
import { findUnmetRequirement } from '../api/label-matching';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { compareText, createCachedGroupBy, groupBy } from '../base/order';
import { preselectByLabel } from './label-index';
import type { RouteRule } from './routing';
import {
  isGranted,
  type SelectableEndpoint,
  type SelectableItem,
  type SelectableReplica,
} from './selectables';

/** What an entry of a service sends requests to: replicas of a deployment on a cluster, or an endpoint. */
export type RouteTarget = EdgeTarget | ExternalTarget;

interface EntryTarget {
  /** The item of `spec.endpoints`, from 0. */
  readonly entry: number;
  readonly weight: number;
  readonly tier: 0 | 1;
}

/** Replicas of a deployment on one cluster. */
export interface EdgeTarget extends EntryTarget {
  readonly kind: 'Edge';
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly replicas: readonly number[];

  /** Set where others of the deployment on the cluster are not meant: it is this one alone. */
  readonly replica?: number;
}

/** An external endpoint. */
export interface ExternalTarget extends EntryTarget {
  readonly kind: 'External';
  readonly endpoint: ModelEndpoint;
}

/** Requests of one kind, and what they may go to. */
export interface SelectedRule extends Pick<RouteRule, 'headers'> {
  readonly targets: readonly RouteTarget[];
}

/** What a service selects. */
export interface ServiceSelection {
  readonly service: ModelService;

  /** Those with more headers first; the one without last. Also without targets. */
  readonly rules: readonly SelectedRule[];
}

/**
 * What a service selects of all units. Entries that match the same headers share a rule, and of them the first that
 * selects a unit has it.
 */
export function selectTargets(
  service: ModelService,
  units: readonly SelectableItem[],
  grants: readonly Grant[],
): ServiceSelection {
  const entries = service.spec.endpoints.map((one, entry) => ({ ...one, entry, headers: headersOf(one) }));
  const usable = (some: readonly SelectableItem[]): SelectableItem[] =>
    some.filter((unit) => isGranted(service, unit, grants));
  const usableAt = (place: string): number => usable(unitsAt(units).get(place) ?? []).length;
  const rules = [...groupBy(entries, ({ headers }) => JSON.stringify(headers)).values()].flatMap((same) => {
    const some = usable(preselectByLabel(units, same));
    const owned = groupBy(some, (unit) =>
      same.find(({ selector }) => !findUnmetRequirement(selector, unit.labels)),
    );
    const targets = [...owned].flatMap(([entry, own]) => (entry ? targetsOf(own, entry, usableAt) : []));
    return same.slice(0, 1).map(({ headers }): SelectedRule => ({ headers, targets }));
  });
  return { service, rules: rules.sort((a, b) => b.headers.length - a.headers.length) };
}

type ServiceEntrySpec = ModelService['spec']['endpoints'][number];

function headersOf({ match }: ServiceEntrySpec): RouteRule['headers'] {
  const headers = Object.entries(match?.headers ?? {});
  return headers
    .map(([name, value]) => ({ name: name.toLowerCase(), value }))
    .sort((a, b) => compareText(a.name, b.name));
}

function targetsOf(
  own: readonly SelectableItem[],
  { entry, weight, tier }: EntryTarget,
  usableAt: (place: string) => number,
): RouteTarget[] {
  const of = { entry, weight, tier };
  const external = own.filter((unit): unit is SelectableEndpoint => unit.kind === 'External');
  return [
    ...[...groupBy(own.filter(isReplica), placeOf)].flatMap(([place, some]) =>
      edgeTargets(some, usableAt(place) === some.length, of),
    ),
    ...external.map(({ resource }): RouteTarget => ({ kind: 'External', ...of, endpoint: resource })),
  ];
}

/** Where an entry has only some replicas of a deployment on a cluster, each stands for itself. */
function edgeTargets(some: readonly SelectableReplica[], all: boolean, of: EntryTarget): EdgeTarget[] {
  const replicas = some.map(({ index }) => index);
  if (all) {
    return some
      .slice(0, 1)
      .map(({ resource, cluster }) => ({ kind: 'Edge', ...of, deployment: resource, cluster, replicas }));
  }
  return some.map(({ resource, cluster, index }) => ({
    kind: 'Edge',
    ...of,
    deployment: resource,
    cluster,
    replicas: [index],
    replica: index,
  }));
}

function isReplica(unit: SelectableItem): unit is SelectableReplica {
  return unit.kind === 'Edge';
}

/** The replicas of each deployment on each cluster. */
const unitsAt = createCachedGroupBy((unit: SelectableItem) => (isReplica(unit) ? placeOf(unit) : ''));

function placeOf({ resource, cluster }: SelectableReplica): string {
  return `${qualifiedNameOf(resource)} ${cluster.metadata.name}`;
}
