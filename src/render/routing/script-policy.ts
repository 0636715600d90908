import type { Named } from '../../routing/places';
import type { Manifest } from '../manifest';
import { API, toRoute } from './kinds';
import { type Place, routeMeta } from './meta';

/** A Lua script, and the requests that it runs on. */
export interface Script {
  /** The name of the ConfigMap that holds it. */
  readonly name: string;
  readonly lua: string;

  /** What it reads of the context of its filter. */
  readonly context?: Readonly<Record<string, string>>;

  /** The name of the route, and of its policy. */
  readonly route: string;

  /** The rule of the route. Absent: all of them. */
  readonly rule?: string;
}

/** What runs a script on requests of a service. */
export function scriptPolicy(service: Named, script: Script, place: Place): Manifest {
  const { name, context, route, rule } = script;
  const valueRef = { group: '', kind: 'ConfigMap', name };
  return {
    apiVersion: API.envoy,
    kind: 'EnvoyExtensionPolicy',
    metadata: routeMeta(service, place, route),
    spec: {
      targetRefs: [toRoute(route, rule)],
      lua: [{ type: 'ValueRef', valueRef, ...(context && { filterContext: context }) }],
    },
  };
}

/** What holds a script. */
export function scriptSource(
  service: Named,
  { name, lua }: Pick<Script, 'name' | 'lua'>,
  place: Place,
): Manifest {
  const metadata = routeMeta(service, place, name);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { lua } };
}
