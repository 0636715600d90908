import type { Manifest } from '../../render/manifest';
import { API, groupOf } from '../../render/routing/kinds';
import type { Level } from '../finding';
import { listAt, type LiveObject, textAt, valueAt } from '../live-object';

/** How it stands with a Gateway, a route, or a policy of either. */
export interface RouteStatus {
  readonly level: Level;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;

  /** `pending`: no controller has judged it as it is now. */
  readonly state: 'ready' | 'pending' | 'refused';

  /** What the controller says. */
  readonly why?: string;
}

const GROUPS: ReadonlySet<string> = new Set([groupOf(API.gateway), groupOf(API.envoy)]);

/** Kinds that a controller says nothing of. */
const SILENT: ReadonlySet<string> = new Set(['EnvoyProxy', 'HTTPRouteFilter', 'ReferenceGrant']);

const LEVELS: Readonly<Record<RouteStatus['state'], Level>> = {
  ready: 'ok',
  pending: 'warning',
  refused: 'failure',
};

/** Whether the controller of gateways says something of objects of a kind. */
export function isJudged({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
  return GROUPS.has(groupOf(apiVersion)) && !SILENT.has(kind);
}

/** What the controller says of an object, by its conditions (gateway-api.sigs.k8s.io, GEP-1364). */
export function routeStatus(object: LiveObject): RouteStatus {
  const { name, namespace } = object.metadata;
  const conditions = conditionsOf(object);
  const refused = conditions.find((one) => textAt(one, ['status']) === 'False');
  const open = conditions.some((one) => textAt(one, ['status']) !== 'True' || isStale(one, object));
  const state = refused !== undefined ? 'refused' : conditions.length === 0 || open ? 'pending' : 'ready';
  const why = refused === undefined ? '' : `${textAt(refused, ['reason'])}: ${textAt(refused, ['message'])}`;
  return {
    level: LEVELS[state],
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state,
    ...(why !== '' && { why }),
  };
}

/**
 * Conditions that say that all is well when they are true. A Gateway begins with them as `Unknown`. Others, such as
 * `Conflicted`, say that all is well when they are false.
 */
const TELLING: ReadonlySet<string> = new Set(['Accepted', 'Programmed', 'ResolvedRefs']);

/** Those of the object itself, of each parent of a route, and of each object that a policy is for. */
function conditionsOf({ status }: LiveObject): readonly unknown[] {
  const nested = [...listAt(status, ['parents']), ...listAt(status, ['ancestors'])];
  const all = [...listAt(status, ['conditions']), ...nested.flatMap((one) => listAt(one, ['conditions']))];
  return all.filter((one) => TELLING.has(textAt(one, ['type'])));
}

function isStale(condition: unknown, { metadata }: LiveObject): boolean {
  const seen = valueAt(condition, ['observedGeneration']);
  const generation = metadata['generation'];
  return typeof seen === 'number' && typeof generation === 'number' && seen < generation;
}
