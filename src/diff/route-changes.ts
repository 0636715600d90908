import { type KeyedPair, pairsOf } from '../base/keyed-lists';
import { groupBy, sortedBy } from '../base/order';
import type { GatewayLocation, Reach } from '../routing/gateway-types';
import type { RoutedService, Routing } from '../routing/routing';
import type { Auth } from '../routing/traffic-types';
import {
  type Cause,
  type ChangesById,
  dedupeCauses,
  type DiffContext,
  isNotNodeCount,
  isPlacementField,
  REMOVING_ACTIONS,
  type ReplicaEvent,
  selectCauses,
  type FieldFilter,
} from './replica-causes';
import { diffFields, type FieldChange } from './field-changes';
import type { FleetState } from './fleet-state';
import { diffMembers, type MemberChange } from './traffic-share-changes';

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

  /** Who finds a service there that has routes now, the widest access first. Only with `add`. */
  readonly entrances?: readonly Entrance[];

  /** What else of its routes changes: gateways, models, health, affinity. */
  readonly fields: readonly FieldChange[];

  /** The share of each deployment and endpoint, over all clusters; those of which it changes. */
  readonly targets: readonly MemberChange[];

  /** The same for each cluster. */
  readonly members: readonly MemberChange[];
  readonly causes: readonly Cause[];
}

/** An address of a service, on the gateways that let the same clients in. */
export interface Entrance {
  readonly url: string;

  /** The networks in which its clients can be. */
  readonly reach: Reach;

  /** Who of them is let in. */
  readonly auth: Auth;
}

/** What happens to a gateway of a cluster. */
export interface GatewayChange {
  readonly cluster: string;

  /** Whether others made the cluster, and set up its load balancers. */
  readonly isExisting: boolean;
  readonly kind: 'ingress' | 'cluster' | 'egress';

  /** The InferenceGateway of an ingress gateway. */
  readonly gateway?: string;
  readonly action: 'add' | 'remove' | 'change';

  /** The networks that reach a new ingress or cluster gateway. Absent: it is there, or an egress. */
  readonly reach?: Reach;
  readonly fields: readonly FieldChange[];
  readonly causes: readonly Cause[];
}

/** Compares the routes of two states of a fleet. */
export function diffRoutes(before: FleetState, after: FleetState, context: DiffContext): RouteChanges {
  const [was, is] = [before.decision.routing, after.decision.routing];
  const replicas = replicaCausesOf(context);
  const reaches = new Map(is.fronts.map(({ gateway, cluster, reach }) => [`${gateway} on ${cluster}`, reach]));
  const services = pairsOf(was.services, is.services, keyOf);
  const gateways = pairsOf(gatewaysOf(was), gatewaysOf(is), ({ key }) => key);
  return {
    services: services.flatMap((pair) => diffService(pair, context.changed, { replicas, reaches })),
    gateways: gateways.flatMap((pair) => diffGateway(pair, context.changed, replicas)),
  };
}

/** The causes of replica changes, by deployment (`of`) and by cluster (`on`); of those that go elsewhere, by both (`at`). */
type ReplicaCauses = Readonly<Record<'of' | 'on' | 'at', ReadonlyMap<string, readonly Cause[]>>>;

function replicaCausesOf({ replicas }: DiffContext): ReplicaCauses {
  const by = (key: (one: ReplicaEvent) => string, events = replicas): Map<string, Cause[]> =>
    new Map([...groupBy(events, key)].map(([name, group]) => [name, group.flatMap(({ causes }) => causes)]));
  const relocated = replicas.filter(({ action }) => REMOVING_ACTIONS.has(action));
  return {
    of: by(({ deployment }) => deployment),
    on: by(({ cluster }) => cluster),
    at: by(({ deployment, cluster }) => placeKeyOf(deployment, cluster), relocated),
  };
}

function placeKeyOf(deployment: string, cluster = ''): string {
  return `${deployment} ${cluster}`;
}

const actionOf = <T>({ was, is }: KeyedPair<T>): 'add' | 'remove' | 'change' =>
  was && is ? 'change' : is ? 'add' : 'remove';

/** The networks that reach an ingress gateway after the change: `public on us`. */
type Reaches = ReadonlyMap<string, Reach>;

function diffService(
  pair: KeyedPair<RoutedService>,
  changed: ChangesById,
  { replicas, reaches }: { readonly replicas: ReplicaCauses; readonly reaches: Reaches },
): ServiceChange[] {
  const { was, is } = pair;
  const service = is ?? was;
  if (!service) return [];
  const fields = was && is ? diffFields(withoutMembers(was), withoutMembers(is)) : [];
  const { targets, members } = diffMembers(was, is);
  if (was && is && fields.length + members.length === 0) return [];
  const ownCauses = findServiceCauses(service, { fields, members }, changed);
  const moved = members.flatMap(({ target, cluster }) => replicas.at.get(placeKeyOf(target, cluster)) ?? []);
  // Without a declared cause, or a replica that moves, the service changes because replicas of its members do.
  const others = members.flatMap(({ target }) => replicas.of.get(target) ?? []);
  const causes = dedupeCauses(ownCauses.length + moved.length > 0 ? [...ownCauses, ...moved] : others);
  const urls = [...new Set(service.gateways.map(({ url }) => url))];
  const entrances = is && !was ? { entrances: listEntrances(is, reaches) } : {};
  return [{ service: keyOf(service), action: actionOf(pair), urls, ...entrances, fields, targets, members, causes }];
}

/** From the one that lets the most clients in. */
const REACHES: readonly Reach[] = ['Public', 'Private', 'Cluster'];

function listEntrances({ gateways }: RoutedService, reaches: Reaches): Entrance[] {
  const entrances = gateways.flatMap(({ gateway, cluster, url, auth }): Entrance[] => {
    const reach = reaches.get(`${gateway} on ${cluster}`);
    return reach ? [{ url, reach, auth }] : [];
  });
  const distinct = [...new Map(entrances.map((one) => [JSON.stringify(one), one])).values()];
  return sortedBy(distinct, ({ url, reach, auth }) => {
    return [REACHES.indexOf(reach), auth.kind === 'None' ? 0 : 1, url].join(' ');
  });
}

/** A service without members, with gateways by name, so that an inserted gateway does not change those after it. */
function withoutMembers(routed: RoutedService): object {
  const { gateways, rules: _, ...service } = routed;
  const named = gateways.map(({ gateway, cluster, ...rest }) => [`${gateway} on ${cluster}`, rest]);
  return { ...service, gateways: Object.fromEntries(named) };
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Whether a field of a deployment decides how many of its replicas a service reaches, or which ones. */
const isMemberField: FieldFilter = (changed) =>
  isPlacementField(changed) || /^(metadata\.labels|spec\.template\.metadata)/.test(changed.field);

interface ServiceDifferences {
  readonly fields: readonly FieldChange[];
  readonly members: readonly MemberChange[];
}

/** The causes of a service change: changes of the service, of its gateways, and of its members. */
function findServiceCauses(service: RoutedService, differences: ServiceDifferences, changed: ChangesById): Cause[] {
  const { fields, members } = differences;
  const clusters = new Set(members.flatMap(({ cluster }) => cluster ?? []));
  const gateways = new Set(fields.length > 0 ? service.gateways.map(({ gateway }) => gateway) : []);
  const ids = [
    `ModelService ${keyOf(service)}`,
    ...[...gateways].map((name) => `InferenceGateway ${name}`),
    ...[...clusters].map((name) => `InferenceCluster ${name}`),
  ];
  return [...selectCauses(changed, ids, isNotNodeCount), ...findTargetCauses(service, differences, changed)];
}

/** Fields that a service inherits from engines and endpoints. */
const FIELDS_FROM_TARGETS: ReadonlySet<unknown> = new Set(['models', 'health']);

function findTargetCauses(
  service: RoutedService,
  { fields, members }: ServiceDifferences,
  changed: ChangesById,
): Cause[] {
  const inherits = fields.some(({ path }) => FIELDS_FROM_TARGETS.has(path[0]));
  const inherited = inherits ? service.rules.flatMap((rule) => rule.members) : [];
  const targets = [
    ...members,
    ...inherited.map(({ kind, target }) => ({ external: kind === 'External', target: keyOf(target) })),
  ];
  const ids = new Set(
    targets.map(({ external, target }) => `${external ? 'ModelEndpoint' : 'ModelDeployment'} ${target}`),
  );
  return [...ids].flatMap((id) => {
    const isWhole = inherits || id.startsWith('ModelEndpoint ');
    return selectCauses(changed, [id], isWhole ? undefined : isMemberField);
  });
}

interface GatewayPlace {
  readonly key: string;
  readonly kind: GatewayChange['kind'];
  readonly gateway?: string;
  readonly place: GatewayLocation & { readonly reach?: Reach };
}

/** All gateways of all clusters. Their backends are omitted: they are part of the service changes. */
function gatewaysOf({ fronts, edges, egresses }: Routing): GatewayPlace[] {
  const toPlace = (kind: GatewayPlace['kind'], gateway: GatewayLocation & { backends?: unknown }): GatewayPlace => {
    const { backends: _, ...place } = gateway;
    return { key: `${place.cluster} ${kind}`, kind, place };
  };
  return [
    ...fronts.map((front): GatewayPlace => {
      const { gateway } = front;
      return { ...toPlace('ingress', front), key: [front.cluster, 'ingress', gateway].join(' '), gateway };
    }),
    ...edges.map((edge) => toPlace('cluster', edge)),
    ...egresses.map((egress) => toPlace('egress', egress)),
  ];
}

function diffGateway(pair: KeyedPair<GatewayPlace>, changed: ChangesById, { on }: ReplicaCauses): GatewayChange[] {
  const { was, is } = pair;
  const current = is ?? was;
  if (!current) return [];
  const fields = was && is ? diffFields(was.place, is.place) : [];
  if (was && is && fields.length === 0) return [];
  const { kind, gateway, place } = current;
  const ids = [...(gateway === undefined ? [] : [`InferenceGateway ${gateway}`]), `InferenceCluster ${place.cluster}`];
  const ownCauses = selectCauses(changed, ids, isNotNodeCount);
  // The first replica on a cluster adds an edge; the first replica that calls out adds an egress.
  const causes = ownCauses.length > 0 ? ownCauses : dedupeCauses(on.get(place.cluster) ?? []);
  const { cluster, source } = place;
  const isExisting = source === 'Existing';
  const reach = was ? undefined : place.reach;
  const named = { kind, ...(gateway !== undefined && { gateway }) };
  return [{ cluster, isExisting, ...named, action: actionOf(pair), ...(reach && { reach }), fields, causes }];
}
