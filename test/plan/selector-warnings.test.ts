import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass } from '../scheduler/build';

const COUNTED = { extendedResource: 'nvidia.com/gpu' };
const PLAIN = nodeClass('plain', device('gpu', COUNTED));
const FAST = nodeClass('fast', device('gpu', { ...COUNTED, attributes: { speed: { int: 9 } } }));
const q = deployment('ml/q', {
  engines: [engine('main', [ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].speed > 1')])],
});

/** Warnings of a fleet of which one pool has what the selector reads, and another has not. */
function warned(dra: boolean): string[] {
  const fleet = fleetOf(PLAIN, FAST, cluster('eu', { a: 'fast x 1', b: 'plain x 1' }, { dra }), q);
  return decide(fleet, () => '', EMPTY_LOCK).plan.warnings.map(({ code }) => code);
}

test('a selector that fails on devices of a pool is warned of, as the allocator gives up there', () => {
  expect(warned(true)).toEqual(['selector-error']);
});

test('without DRA nothing evaluates it but the plan', () => {
  expect(warned(false)).toEqual([]);
});
