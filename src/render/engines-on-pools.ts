import type { Engine } from '../api/engine';
import type { NodePool } from '../api/node-pool';
import { memo } from '../memo';
import type { Matcher } from '../scheduler/matcher';
import type { Engine as EngineDemand, Pool } from '../scheduler/model';
import { bindDevices } from './bind-devices';
import type { ComputedEngine, ComputedMember } from './replica';

/** A pool as declared, and what the scheduler makes of its nodes. */
export interface Place {
  readonly pool: NodePool;
  readonly node: Pool['node'];
}

/**
 * Tells what an engine is on a pool: alone in a list, since most replicas have no other. Nothing where it does not fit
 * there.
 */
export type EngineOn = (place: Place) => readonly ComputedEngine[] | undefined;

/**
 * Tells what engines are on pools. Those that ask for the same of equal nodes have equal members, and on one pool they
 * are one object.
 */
export function enginesOnPools(matcher: Matcher): (engine: Engine, demand: EngineDemand) => EngineOn {
  const known = new Map<Engine, Map<EngineDemand, EngineOn>>();
  return (engine, demand) => memo(known, engine, demand, () => engineOn(engine, demand, matcher));
}

function engineOn(engine: Engine, demand: EngineDemand, matcher: Matcher): EngineOn {
  const onNodes = new Map<Pool['node'], readonly ComputedMember[] | null>();
  const onPools = new Map<Place, readonly ComputedEngine[]>();
  return (place) => {
    const known = onPools.get(place);
    if (known) return known;
    const { pool, node } = place;
    let members = onNodes.get(node);
    if (members === undefined) onNodes.set(node, (members = bindDevices({ engine, demand, node }, matcher)));
    if (!members) return undefined;
    const engines = [{ engine, pool, members }];
    onPools.set(place, engines);
    return engines;
  };
}
