import type { Resource } from '../../../src/api/kinds';
import { diffStates } from '../../../src/diff/fleet-diff';
import { assemble, type Fleet } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { buildMapData } from '../../../src/report/map/build-map-data';
import { type MapData, REPLICA_MARKS, NODE_KINDS } from '../../../src/report/map/map-data';
import { EMPTY_LOCK, type Lock } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { state } from '../../diff/build';

/** The map of a fleet that is decided from a lock. */
export function mapOf(fleet: Fleet, lock: Lock = EMPTY_LOCK): MapData {
  return buildMapData(
    decide(fleet, () => '', lock),
    'test',
  );
}

/** The map of what happens when a fleet is declared otherwise and locked. */
export function comparison(before: Resource[], after: Resource[]): MapData {
  return compared(before, after).map;
}

/** The map of a change, with the states and the differences that it shows. */
export function compared(before: Resource[], after: Resource[]) {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const planned = decide(assemble(after), byPath, earlier.decision.lock);
  const diff = diffStates(earlier, later, planned);
  return { earlier, later, diff, map: buildMapData(later.decision, 'test', { before: earlier, diff }) };
}

/** What stands on the nodes of each pool: `us/h100: 2x ml/q/0 8; 1x held`. Numbers are those of replicas. */
export function drawn(map: MapData, state = 0): string[] {
  const text = (ref: number): string => map.texts[ref]!;
  return map.states[state]!.clusters.flatMap((place) => {
    const cluster = map.clusters[place]!;
    return cluster.pools.map((pool) => {
      const nodes = pool.groups.map(([count, kind, pods, replicas]) => {
        const seated = pods.map((pod, at) => {
          const [deployment, standing] = cluster.replicas[replicas[at]!]!;
          const [, , takes, surge] = map.pods[pod]!;
          const own = replicas.filter((_, i) => i % pods.length === at).map((one) => cluster.replicas[one]![2]);
          const mark = REPLICA_MARKS[map.standings[standing]![0]]!;
          const id = text(map.deployments[deployment]!.id);
          return `${id}/${own.join('+')} ${takes.join(',')}${surge ? ' surge' : ''}${mark === 'place' ? '' : ` ${mark}`}`;
        });
        const what = NODE_KINDS[kind]!;
        return [`${count}x`, ...(what === 'always' ? [] : [what]), seated.join(' | ')].filter(Boolean).join(' ');
      });
      return `${text(cluster.name)}/${text(map.pools[pool.facts]!.name)}: ${nodes.join('; ')}`;
    });
  });
}
