import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import type { RouteChanges } from './route-changes';

/** Addresses at which clients no longer reach a service. */
export interface AddressGoneFinding {
  readonly kind: 'address-gone';

  /** `namespace/name`. */
  readonly id: string;

  /** Absent: the service is no longer declared. */
  readonly service?: ModelService;
  readonly urls: readonly string[];

  /** What took the place of the first of them. Absent: the gateway no longer serves the service. */
  readonly successor?: AddressSuccessor;
}

/** The address at which a gateway serves a service now. */
interface AddressSuccessor {
  /** The name of the InferenceGateway. */
  readonly gateway: string;
  readonly url: string;
}

/** Compares addresses, and leaves out services of which all entries are lost, which are findings of their own. */
export function findGoneAddresses(
  routes: RouteChanges,
  { before, after }: Readonly<Record<'before' | 'after', PlacedFleet>>,
): AddressGoneFinding[] {
  const changed = new Map(routes.services.map((one) => [one.service, one]));
  const declared = new Map(after.fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const later = new Map(after.routing.services.map((one) => [idOf(one), one]));
  return before.routing.services.flatMap((was): AddressGoneFinding[] => {
    const id = idOf(was);
    const [change, service] = [changed.get(id), declared.get(id)];
    if (!change || (service && change.action === 'remove')) return [];
    const kept = new Set(change.action === 'remove' ? [] : change.urls);
    const urls = sortUnique(was.gateways.map(({ url }) => url)).filter((url) => !kept.has(url));
    if (urls.length === 0) return [];
    const successor = findSuccessor(urls[0], was, later.get(id));
    return [{ kind: 'address-gone', id, ...(service && { service }), urls, ...(successor && { successor }) }];
  });
}

function findSuccessor(
  lost: string | undefined,
  was: RoutedService,
  is: RoutedService | undefined,
): AddressSuccessor | undefined {
  const former = was.gateways.find(({ url }) => url === lost);
  return is?.gateways.find(({ gateway }) => gateway === former?.gateway);
}

function idOf({ namespace, name }: RoutedService): string {
  return `${namespace}/${name}`;
}
