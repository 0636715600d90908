import * as fc from 'fast-check';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import type { Decision } from '../../../src/plan/decision';
import { buildMapData } from '../../../src/report/map/build-map-data';
import type { MapData } from '../../../src/report/map/map-data';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { ask, cluster, deployment, device, engine, nodeClass } from '../../scheduler/build';
import { fleetSpec, resourcesOf } from '../../scheduler/fleets';

/** What is wrong with where pods stand. */
function faults(map: MapData, { plan }: Decision): string[] {
  const used = new Map<string, number>();
  for (const change of plan.deployments.flatMap(({ changes }) => changes)) {
    if (!('replica' in change)) continue;
    for (const { pool, devices } of change.replica.usage) {
      const key = `${change.replica.placement.cluster}/${pool}`;
      used.set(
        key,
        Object.values(devices).reduce((sum, count) => sum + count, used.get(key) ?? 0),
      );
    }
  }
  return map.clusters.flatMap(({ name, pools }) =>
    pools.flatMap(({ facts, groups, taken, undrawn = 0 }) => {
      const pool = map.pools[facts]!;
      const { kinds } = map.shapes[pool.shape]!;
      const where = `${map.texts[name]}/${map.texts[pool.name]}`;
      const nodes = groups.reduce((sum, [count]) => sum + count, 0);
      const overfull = groups.some(([, , pods]) =>
        kinds.some(({ count }, kind) => pods.reduce((sum, pod) => sum + map.pods[pod]![2][kind]!, 0) > count),
      );
      return [
        ...(nodes === pool.nodes ? [] : [`${where} has ${nodes} of ${pool.nodes} nodes`]),
        ...(overfull ? [`${where} has a node with more than it has`] : []),
        ...(undrawn > 0 && map.texts[pool.packing] !== 'BinPack' ? [`${where} leaves out ${undrawn}`] : []),
        ...(undrawn > 0 || taken >= (used.get(where) ?? 0) ? [] : [`${where} takes ${taken}`]),
      ];
    }),
  );
}

test('every pod has a place on the map, and no node more than it has', () => {
  fc.assert(
    fc.property(fleetSpec, (spec) => {
      const decision = decide(assemble(resourcesOf(spec)), byPath, EMPTY_LOCK);
      expect(faults(buildMapData(decision, 'any'), decision)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('parts of shared GPUs add up to GPUs', () => {
  const share = { default: '80Gi', validRange: { min: '1Mi', step: '1Mi' } };
  const part = { ...ask('gpu', 1), capacity: { requests: { memory: '4Gi' } } };
  const resources = [
    nodeClass('shared', device('gpu', { count: 2, shared: share })),
    cluster('eu', { a: 'shared x 2' }, { version: '1.36.0' }),
    deployment('ml/q', { replicas: 50, engines: [engine('main', [part])] }),
  ];
  const decision = decide(assemble(resources), byPath, EMPTY_LOCK);
  const [pool] = buildMapData(decision, 'any').clusters[0]!.pools;
  expect(pool).toMatchObject({ taken: 2.5 });
  expect(pool?.undrawn).toBeUndefined();
});
