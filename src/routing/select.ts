import type { Grant } from '../api/grant';
import type { InferenceCluster } from '../api/inference-cluster';
import { firstUnmet } from '../api/label-match';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { qualifiedName } from '../api/resource';
import { compareText, groupBy, grouping } from '../order';
import { mayUse } from './grants';
import type { Rule } from './routing';
import { mayBeSelected } from './may-be-selected';
import type { EndpointUnit, ReplicaUnit, Unit } from './units';

/** What an entry of a service sends requests to: replicas of a deployment on a cluster, or an endpoint. */
export type Target = EdgeTarget | ExternalTarget;

interface OfEntry {
  /** The item of `spec.endpoints`, from 0. */
  readonly entry: number;
  readonly weight: number;
  readonly tier: 0 | 1;
}

/** Replicas of a deployment on one cluster. */
export interface EdgeTarget extends OfEntry {
  readonly kind: 'Edge';
  readonly deployment: ModelDeployment;
  readonly cluster: InferenceCluster;
  readonly replicas: readonly number[];

  /** Set where others of the deployment on the cluster are not meant: it is this one alone. */
  readonly replica?: number;
}

/** An external endpoint. */
export interface ExternalTarget extends OfEntry {
  readonly kind: 'External';
  readonly endpoint: ModelEndpoint;
}

/** Requests of one kind, and what they may go to. */
export interface SelectedRule extends Pick<Rule, 'headers'> {
  readonly targets: readonly Target[];
}

/** What a service selects. */
export interface Selection {
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
  units: readonly Unit[],
  grants: readonly Grant[],
): Selection {
  const entries = service.spec.endpoints.map((one, entry) => ({ ...one, entry, headers: headersOf(one) }));
  const usable = (some: readonly Unit[]): Unit[] => some.filter((unit) => mayUse(service, unit, grants));
  const usableAt = (place: string): number => usable(unitsAt(units).get(place) ?? []).length;
  const rules = [...groupBy(entries, ({ headers }) => JSON.stringify(headers)).values()].flatMap((same) => {
    const some = usable(mayBeSelected(units, same));
    const owned = groupBy(some, (unit) => same.find(({ selector }) => !firstUnmet(selector, unit.labels)));
    const targets = [...owned].flatMap(([entry, own]) => (entry ? targetsOf(own, entry, usableAt) : []));
    return same.slice(0, 1).map(({ headers }): SelectedRule => ({ headers, targets }));
  });
  return { service, rules: rules.sort((a, b) => b.headers.length - a.headers.length) };
}

type Entry = ModelService['spec']['endpoints'][number];

function headersOf({ match }: Entry): Rule['headers'] {
  const headers = Object.entries(match?.headers ?? {});
  return headers
    .map(([name, value]) => ({ name: name.toLowerCase(), value }))
    .sort((a, b) => compareText(a.name, b.name));
}

function targetsOf(
  own: readonly Unit[],
  { entry, weight, tier }: OfEntry,
  usableAt: (place: string) => number,
): Target[] {
  const of = { entry, weight, tier };
  const external = own.filter((unit): unit is EndpointUnit => unit.kind === 'External');
  return [
    ...[...groupBy(own.filter(isReplica), placeOf)].flatMap(([place, some]) =>
      edgeTargets(some, usableAt(place) === some.length, of),
    ),
    ...external.map(({ resource }): Target => ({ kind: 'External', ...of, endpoint: resource })),
  ];
}

/** Where an entry has only some replicas of a deployment on a cluster, each stands for itself. */
function edgeTargets(some: readonly ReplicaUnit[], all: boolean, of: OfEntry): EdgeTarget[] {
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

function isReplica(unit: Unit): unit is ReplicaUnit {
  return unit.kind === 'Edge';
}

/** The replicas of each deployment on each cluster. */
const unitsAt = grouping((unit: Unit) => (isReplica(unit) ? placeOf(unit) : ''));

function placeOf({ resource, cluster }: ReplicaUnit): string {
  return `${qualifiedName(resource)} ${cluster.metadata.name}`;
}
