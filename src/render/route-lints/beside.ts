import type { Manifest } from '../manifest';
import { objectRefs } from '../object-refs';
import { objectsAmong } from './objects';

/**
 * Of objects that somebody applies beside those of a cluster, those that touch its routes: routes at its Gateways,
 * what these refer to, and policies of all that. Others are not ours to judge.
 *
 * @param own the objects of the cluster
 */
export function touching(own: readonly Manifest[], beside: readonly Manifest[]): ReadonlySet<Manifest> {
  const { find, targetsOf } = objectsAmong([...beside, ...own]);
  const { routes, find: findBeside } = objectsAmong(beside);
  const { gatewaysOf } = objectsAmong([...own, ...routes]);
  const ofGateways = routes.filter((route) => gatewaysOf(route).length > 0);
  const behind = ofGateways.flatMap((route) =>
    objectRefs(route).flatMap(({ kind, namespace, name }) => findBeside(kind, namespace, name) ?? []),
  );
  const known = new Set([...own, ...ofGateways, ...behind]);
  const policies = beside.filter((one) =>
    targetsOf(one).some(({ kind, name }) => {
      const target = find(kind, one.metadata.namespace ?? '', name);
      return target !== undefined && known.has(target);
    }),
  );
  return new Set([...ofGateways, ...behind, ...policies]);
}
