import type { ResourcePath } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import type { PlacedGateway } from '../placed-gateways';
import type { ServiceSelection } from '../select-targets';
import type { SelectableItem } from '../selectables';

/** All that rules about routes look at. */
export interface RoutingContext {
  readonly fleet: Fleet;
  readonly placedGateways: readonly PlacedGateway[];

  /** All that services can select. */
  readonly selectables: readonly SelectableItem[];

  /** What each service selects. */
  readonly selections: readonly ServiceSelection[];
}

/** A rule about routes. */
export type RoutingCheck = (scene: RoutingContext) => Iterable<Diagnostic<ResourcePath>>;
