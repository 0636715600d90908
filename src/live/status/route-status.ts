import { listAt, textAt, valueAt } from '../../base/json';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { API_VERSIONS, groupOf } from '../../render/routing/routing-object';
import type { FindingLevel } from '../finding';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/** The status of a Gateway, a route, or a policy of either. */
export interface RouteStatus {
  readonly level: FindingLevel;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;

  /** `pending`: no controller has reported on its current version. */
  readonly state: 'ready' | 'pending' | 'refused';

  /** What the controller says. */
  readonly why?: string;
}

const GATEWAY_GROUPS: ReadonlySet<string> = new Set([groupOf(API_VERSIONS.gateway), groupOf(API_VERSIONS.envoy)]);

/** Kinds for which the controller reports no status. */
const KINDS_WITHOUT_STATUS: ReadonlySet<string> = new Set(['EnvoyProxy', 'HTTPRouteFilter', 'ReferenceGrant']);

const LEVEL_BY_STATE: Readonly<Record<RouteStatus['state'], FindingLevel>> = {
  ready: 'ok',
  pending: 'warning',
  refused: 'failure',
};

/** Whether the gateway controller reports the status of a kind. */
export function hasRouteStatus({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
  return GATEWAY_GROUPS.has(groupOf(apiVersion)) && !KINDS_WITHOUT_STATUS.has(kind);
}

/** Determines the status of an object from its conditions (gateway-api.sigs.k8s.io, GEP-1364). */
export function judgeRoute(object: LiveObject): RouteStatus {
  const { name, namespace } = object.metadata;
  const conditions = conditionsOf(object);
  const refused = conditions.find((one) => textAt(one, ['status']) === 'False');
  const open = conditions.some((one) => textAt(one, ['status']) !== 'True' || isOutOfDate(one, object));
  const state = refused !== undefined ? 'refused' : conditions.length === 0 || open ? 'pending' : 'ready';
  const why = refused === undefined ? '' : `${textAt(refused, ['reason'])}: ${textAt(refused, ['message'])}`;
  return {
    level: LEVEL_BY_STATE[state],
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state,
    ...(why !== '' && { why }),
  };
}

/**
 * Conditions whose status `True` is good. On a new Gateway they are `Unknown`. The status `False` of other
 * conditions, such as `Conflicted`, is good.
 */
const POSITIVE_CONDITIONS: ReadonlySet<string> = new Set(['Accepted', 'Programmed', 'ResolvedRefs']);

/** The conditions of the object, of each parent of a route, and of each target of a policy. */
function conditionsOf({ status }: LiveObject): readonly unknown[] {
  const nested = [...listAt(status, ['parents']), ...listAt(status, ['ancestors'])];
  const all = [...listAt(status, ['conditions']), ...nested.flatMap((one) => listAt(one, ['conditions']))];
  return all.filter((one) => POSITIVE_CONDITIONS.has(textAt(one, ['type'])));
}

function isOutOfDate(condition: unknown, { metadata }: LiveObject): boolean {
  const seen = valueAt(condition, ['observedGeneration']);
  const generation = metadata['generation'];
  return typeof seen === 'number' && typeof generation === 'number' && seen < generation;
}
