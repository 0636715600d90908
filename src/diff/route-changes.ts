import { groupBy } from '../order';
import { type Pair, pairsOf } from '../pairs';
import type { Place } from '../routing/places';
import type { RoutedService, Routing } from '../routing/routing';
import { type Cause, causesIn, distinctCauses, isNoSize, isOfPlacing } from './causes';
import type { DeclaredField } from './declaration-changes';
import { type FieldChange, fieldChanges } from './field-changes';
import { type MemberChange, memberChanges } from './member-changes';
import type { State } from './state';
import type { Told } from './told';

/** What happens to how requests reach replicas. */
export interface RouteChanges {
  /** By namespace and name. */
  readonly services: readonly ServiceChange[];

  /** By cluster and kind. */
  readonly gateways: readonly GatewayChange[];
}

/** What happens to the routes of a service. */
export interface ServiceChange {
  /** `namespace/name`. */
  readonly service: string;

  /** `add`: it has routes now. `remove`: it has none any more. */
  readonly action: 'add' | 'remove' | 'change';

  /** Where clients find it now; where they found it, where it is removed. */
  readonly urls: readonly string[];

  /** What else of its routes changes: doors, models, health, affinity. */
  readonly fields: readonly FieldChange[];

  /** The share of each deployment and endpoint, over all clusters; those of which it changes. */
  readonly targets: readonly MemberChange[];

  /** The same for each cluster. */
  readonly members: readonly MemberChange[];
  readonly causes: readonly Cause[];
}

/** What happens to a gateway of a cluster. */
export interface GatewayChange {
  readonly cluster: string;
  readonly kind: 'front' | 'edge' | 'egress';

  /** The InferenceGateway of a front. */
  readonly gateway?: string;
  readonly action: 'add' | 'remove' | 'change';
  readonly fields: readonly FieldChange[];
  readonly causes: readonly Cause[];
}

/** What happens to the routes of a fleet from one state to another. */
export function routeChanges(before: State, after: State, told: Told): RouteChanges {
  const [was, is] = [before.decision.routing, after.decision.routing];
  const replicas = replicasIn(told);
  return {
    services: pairsOf(was.services, is.services, keyOf).flatMap((pair) =>
      serviceChange(pair, told.changed, replicas),
    ),
    gateways: pairsOf(gatesOf(was), gatesOf(is), ({ key }) => key).flatMap((pair) =>
      gatewayChange(pair, told.changed, replicas),
    ),
  };
}

type Changed = Told['changed'];

/** Why replicas come and go, by deployment and by cluster. */
interface Replicas {
  readonly of: ReadonlyMap<string, readonly Cause[]>;
  readonly on: ReadonlyMap<string, readonly Cause[]>;
}

function replicasIn({ deployments }: Told): Replicas {
  const all = deployments.flatMap(({ deployment, changes }) =>
    changes.map(({ cluster, causes }) => ({ deployment, cluster, causes })),
  );
  const by = (key: (one: (typeof all)[number]) => string): Map<string, Cause[]> =>
    new Map([...groupBy(all, key)].map(([name, own]) => [name, own.flatMap(({ causes }) => causes)]));
  return { of: by(({ deployment }) => deployment), on: by(({ cluster }) => cluster) };
}

const actionOf = <T>({ was, is }: Pair<T>): 'add' | 'remove' | 'change' =>
  was && is ? 'change' : is ? 'add' : 'remove';

function serviceChange(pair: Pair<RoutedService>, changed: Changed, replicas: Replicas): ServiceChange[] {
  const { was, is } = pair;
  const service = is ?? was;
  if (!service) return [];
  const fields = was && is ? fieldChanges(besidesMembers(was), besidesMembers(is)) : [];
  const { targets, members } = memberChanges(was, is);
  if (was && is && fields.length + members.length === 0) return [];
  const own = causesOf(service, { fields, members }, changed);
  // Where nothing else says why, replicas of its members moved.
  const moved = members.flatMap(({ target }) => replicas.of.get(target) ?? []);
  const causes = own.length > 0 ? own : distinctCauses(moved);
  const urls = [...new Set(service.doors.map(({ url }) => url))];
  return [{ service: keyOf(service), action: actionOf(pair), urls, fields, targets, members, causes }];
}

/** Doors by their names, so that one that comes between others is no change of those. */
function besidesMembers(routed: RoutedService): object {
  const { doors, rules: _, ...service } = routed;
  const named = doors.map(({ gateway, cluster, ...door }) => [`${gateway} on ${cluster}`, door]);
  return { ...service, doors: Object.fromEntries(named) };
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Fields of a deployment that decide how many replicas a service reaches, and which. */
const isOfMembers = ({ field }: DeclaredField): boolean =>
  isOfPlacing({ field }) || field.startsWith('metadata.labels') || field.startsWith('spec.template.metadata');
const any = (): boolean => true;

interface Differing {
  readonly fields: readonly FieldChange[];
  readonly members: readonly MemberChange[];
}

/** A service comes from what it says itself, from its gateways, and from what becomes of its members. */
function causesOf(service: RoutedService, told: Differing, changed: Changed): Cause[] {
  const { fields, members } = told;
  const clusters = new Set(members.flatMap(({ cluster }) => cluster ?? []));
  const gateways = new Set(fields.length > 0 ? service.doors.map(({ gateway }) => gateway) : []);
  const ids = [
    `ModelService ${keyOf(service)}`,
    ...[...gateways].map((name) => `InferenceGateway ${name}`),
    ...[...clusters].map((name) => `InferenceCluster ${name}`),
  ];
  const all = ids.flatMap((id) => causesIn(changed.get(id), isNoSize));
  return [...all, ...causesInTargets(service, told, changed)];
}

/** What a service takes over from engines and endpoints. */
const OF_TARGETS: ReadonlySet<unknown> = new Set(['models', 'health']);

function causesInTargets(service: RoutedService, { fields, members }: Differing, changed: Changed): Cause[] {
  const takesOver = fields.some(({ path }) => OF_TARGETS.has(path[0]));
  const own = takesOver ? service.rules.flatMap((rule) => rule.members) : [];
  const targets = new Map([
    ...members.map(({ external, target }) => [`${kindOf(external)} ${target}`, external] as const),
    ...own.map(({ kind, target }) => {
      const external = kind === 'External';
      return [`${kindOf(external)} ${keyOf(target)}`, external] as const;
    }),
  ]);
  return [...targets].flatMap(([id, external]) =>
    causesIn(changed.get(id), external || takesOver ? any : isOfMembers),
  );
}

function kindOf(external: boolean): string {
  return external ? 'ModelEndpoint' : 'ModelDeployment';
}

interface Gate {
  readonly key: string;
  readonly kind: GatewayChange['kind'];
  readonly gateway?: string;
  readonly place: Place;
}

/** Every gateway of every cluster. What is behind it is told by service. */
function gatesOf({ fronts, edges, egresses }: Routing): Gate[] {
  const gate = (kind: Gate['kind'], whole: Place & { backends?: unknown }): Gate => {
    const { backends: _, ...place } = whole;
    return { key: `${place.cluster} ${kind}`, kind, place };
  };
  return [
    ...fronts.map((front): Gate => {
      const { gateway } = front;
      return { ...gate('front', front), key: `${front.cluster} front ${gateway}`, gateway };
    }),
    ...edges.map((edge) => gate('edge', edge)),
    ...egresses.map((egress) => gate('egress', egress)),
  ];
}

function gatewayChange(pair: Pair<Gate>, changed: Changed, { on }: Replicas): GatewayChange[] {
  const { was, is } = pair;
  const gate = is ?? was;
  if (!gate) return [];
  const fields = was && is ? fieldChanges(was.place, is.place) : [];
  if (was && is && fields.length === 0) return [];
  const { kind, gateway, place } = gate;
  const ids = [
    ...(gateway === undefined ? [] : [`InferenceGateway ${gateway}`]),
    `InferenceCluster ${place.cluster}`,
  ];
  const own = ids.flatMap((id) => causesIn(changed.get(id), isNoSize));
  // An edge is there with the first replica, an egress with the first that calls out.
  const causes = own.length > 0 ? own : distinctCauses(on.get(place.cluster) ?? []);
  return [
    {
      cluster: place.cluster,
      kind,
      ...(gateway !== undefined && { gateway }),
      action: actionOf(pair),
      fields,
      causes,
    },
  ];
}
