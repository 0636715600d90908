import { bisectLast } from '../base/order';
import { pluralize } from '../base/text';
import type { CompiledFleet, EngineDemand, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { Ledger, type PoolLoad } from '../scheduler/ledger';
import { chargePlacements } from '../scheduler/overcommitted';
import type { Placement } from '../scheduler/placement';

/** Says for each pool that is a rack how many more gangs of each engine have a guaranteed place there. */
export function describeRacks(model: CompiledFleet, matcher: PodMatcher, placements: readonly Placement[]): string[] {
  const racks = model.clusters.flatMap(({ pools }) => pools).filter(({ node }) => node.channel !== undefined);
  if (racks.length === 0) return [];
  const ledger = new Ledger();
  for (const { charges } of chargePlacements(model, placements, matcher)) ledger.add(charges);
  return racks.flatMap((pool) =>
    model.deployments.flatMap(({ id, demand }) =>
      demand.engines.flatMap((engine) => describeRoom(engine, `${id} ${engine.name}`, { pool, matcher, ledger })),
    ),
  );
}

interface Rack {
  readonly pool: Pool;
  readonly matcher: PodMatcher;
  readonly ledger: Ledger;
}

function describeRoom(engine: EngineDemand, name: string, { pool, matcher, ledger }: Rack): string[] {
  if (engine.members.length < 2 || (engine.classes && !engine.classes.has(pool.className))) return [];
  const pods = engine.members.flatMap(({ pod, podsOfCopy }): Omit<PoolLoad, 'pool'>[] => {
    const fit = matcher.fit(pod, pool.node);
    return 'misfit' in fit ? [] : [{ footprint: fit.footprint, pods: podsOfCopy }];
  });
  if (pods.length < engine.members.length) return [];
  const fits = (gangs: number): boolean => {
    const added = new Ledger();
    added.add([...ledger.loadsOf(pool)].map((load) => ({ ...load, pool })));
    added.add(pods.map(({ footprint, pods: each }) => ({ pool, footprint, pods: each * gangs })));
    return added.missingNodes(pool, []) === 0;
  };
  const gangs = bisectLast(pool.nodes, (i) => fits(i + 1)) + 1;
  const size = pods.reduce((sum, member) => sum + member.pods, 0);
  return [
    `Rack ${pool.cluster}/${pool.name} has room for ${pluralize(gangs, 'more gang')} of ${name}, of ${pluralize(size, 'pod')} each.`,
  ];
}
