import type { Resource } from '../../../src/api/kinds';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass } from '../../scheduler/build';

const COUNTED = { extendedResource: 'nvidia.com/gpu' };
const PLAIN = nodeClass('plain', device('gpu', COUNTED));
const FAST = nodeClass('fast', device('gpu', { ...COUNTED, attributes: { speed: { int: 9 } } }));
const engines = [engine('main', [ask('gpu', 1, 'device.attributes["gpu.nvidia.com"].speed > 1')])];
const labels = { tier: 'fast' };
const clusterSelector = { matchLabels: labels };

/** Warnings of a fleet of which one pool has what the selector reads, and another has not. */
function warned(clusters: readonly Resource[], template = {}): string[] {
  const fleet = fleetOf(PLAIN, FAST, ...clusters, deployment('ml/q', { engines, template }));
  return decide(fleet, () => '', EMPTY_LOCK).plan.warnings.map(({ code }) => code);
}

test('a selector that fails on devices of a pool is warned of, as the allocator gives up there', () => {
  expect(warned([cluster('eu', { a: 'fast x 1', b: 'plain x 1' })])).toEqual(['selector-error']);
});

test('without DRA nothing evaluates it but the plan', () => {
  expect(warned([cluster('eu', { a: 'fast x 1', b: 'plain x 1' }, { dra: false })])).toEqual([]);
});

test('on a cluster where no replica may be nothing evaluates it either', () => {
  const apart = [cluster('eu', { a: 'fast x 1' }, { labels }), cluster('us', { b: 'plain x 1' })];
  expect(warned(apart)).toEqual(['selector-error']);
  expect(warned(apart, { clusterSelector })).toEqual([]);
});
