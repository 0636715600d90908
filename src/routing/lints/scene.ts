import type { Fault } from '../../api/checks/fault';
import type { Fleet } from '../../fleet';
import type { Selection } from '../select';
import type { Standing } from '../standing';
import type { Unit } from '../units';

/** All that rules about routes look at. */
export interface Scene {
  readonly fleet: Fleet;
  readonly standings: readonly Standing[];

  /** All that services can select. */
  readonly units: readonly Unit[];

  /** What each service selects. */
  readonly selections: readonly Selection[];
}

/** A rule about routes. */
export type RoutingRule = (scene: Scene) => Iterable<Fault>;
