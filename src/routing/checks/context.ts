import type { ResourcePath } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import type { PlacedGateway } from '../placed-gateways';
import type { ServiceSelection } from '../select-targets';
import type { SelectableItem } from '../selectables';

/** The input of routing checks. */
export interface RoutingContext {
  readonly fleet: Fleet;
  readonly placedGateways: readonly PlacedGateway[];

  /** All items that services can select. */
  readonly selectables: readonly SelectableItem[];

  /** The selection of each service. */
  readonly selections: readonly ServiceSelection[];
}

/** A check of the routing of a fleet. */
export type RoutingCheck = (scene: RoutingContext) => Iterable<Diagnostic<ResourcePath>>;
