import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { FleetwrightError } from '../../src/base/errors';
import { assemble } from '../../src/fleet/fleet';
import { decide, placeFleet } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { computePlacedCost } from '../../src/plan/plan-cost';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import type { Placement } from '../../src/scheduler/schedule-result';
import { aCache, aClass, aCluster, aDeployment, anEngine, byPath, request } from '../api/build';
import { routedFleet } from '../routing/fleets';
import { FEW_UNLUCKY, unlessUnlucky } from '../routing/unlucky';

const NOTHING = { notes: [], warnings: [] };

/** All that is decided, as text; or what is wrong. */
function outcome(resources: readonly Resource[], lock: Lock, beside?: Decision): string {
  try {
    const placed = placeFleet(assemble(resources), byPath, lock, { ...NOTHING, ...(beside && { beside }) });
    const { model, schedule, replicas, routing, lock: next, stale } = placed;
    const lists = { next: next.placements, unplaced: [...next.unplaced], remarks: model.warnings };
    return JSON.stringify({
      schedule,
      replicas,
      routing,
      stale,
      cost: computePlacedCost(placed, beside),
      ...lists,
    });
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    return error.message;
  }
}

function decided(resources: readonly Resource[], lock = EMPTY_LOCK): Decision {
  return decide(assemble(resources), byPath, lock);
}

const edit = fc.record({ at: fc.nat(), how: fc.constantFrom('gone', 'copied', 'said otherwise' as const) });

/** A fleet of which some resources are gone, are others that say the same, or say something else. */
function edited(resources: readonly Resource[], edits: readonly { at: number; how: string }[]): Resource[] {
  const ways = new Map(edits.map(({ at, how }) => [at % resources.length, how]));
  return resources.flatMap((one, i): Resource[] => {
    const how = ways.get(i);
    if (how === 'gone') return [];
    if (how === 'copied') return [structuredClone(one)];
    if (how === undefined) return [one];
    if (one.kind === 'ModelDeployment') {
      const [engine, ...others] = one.spec.template.spec.engines;
      const copied = { ...engine!, copies: engine!.copies + 1 };
      const spec = { ...one.spec.template.spec, engines: [copied, ...others] };
      return [{ ...one, spec: { ...one.spec, replicas: 2, template: { ...one.spec.template, spec } } }];
    }
    if (one.kind !== 'InferenceCluster') return [one];
    const taints = [{ key: 'closed', effect: 'NoSchedule' as const }];
    return [{ ...one, spec: { ...one.spec, taints: [...taints, ...one.spec.taints] } }];
  });
}

test('what is decided beside another state of the fleet is what is decided alone', () => {
  fc.assert(
    fc.property(routedFleet, fc.array(edit, { maxLength: 3 }), (resources, edits) => {
      const first = unlessUnlucky(() => decided(resources));
      const { lock } = first;
      for (const [from, later] of [
        [EMPTY_LOCK, first],
        [lock, first],
        [lock, decided(resources, lock)],
        [apart(lock), decided(resources, lock)],
        [mended(lock, edits), decided(resources, lock)],
      ] as const) {
        const earlier = edited(resources, edits);
        const alone = outcome(structuredClone(earlier), apart(from));
        expect(outcome(earlier, from, later)).toBe(alone);
      }
    }),
    { numRuns: 40, seed: 5, ...FEW_UNLUCKY },
  );
});

/** A lock of which some lines are gone, or say something else. */
function mended(lock: Lock, edits: readonly { at: number; how: string }[]): Lock {
  const ways = new Map(edits.map(({ at, how }) => [at % Math.max(1, lock.placements.length), how]));
  const placements = structuredClone(lock.placements).flatMap((line, i): Placement[] => {
    const how = ways.get(i);
    if (how === undefined) return [line];
    return how === 'gone'
      ? []
      : [how === 'copied' ? { ...line, leaving: true } : { ...line, index: line.index + 1 }];
  });
  return { ...lock, placements };
}

/** The same lock of which no line is the same object. */
function apart(lock: Lock): Lock {
  return { ...lock, placements: structuredClone(lock.placements) };
}

const H8 = aClass('h100');
const US = aCluster('us', { pools: { h100: 2 } });
const SOUND = [H8, US, aDeployment('ml/a'), aDeployment('ml/b')];

/** What is wrong beside a sound fleet, and part of how it is told. */
const wrongs: Record<string, { resources: Resource[]; told: RegExp }> = {
  'a class that is gone': { resources: SOUND.slice(1), told: /h100/ },
  'a deployment that no device can serve': {
    resources: [...SOUND.slice(0, 3), aDeployment('ml/b', { engines: [anEngine('main', { gpus: 9 })] })],
    told: /asks for 9 devices/,
  },
  'a deployment that mounts what nobody declares': {
    resources: [...SOUND, aDeployment('ml/c', { cache: 'nowhere' })],
    told: /there is no ModelCache/,
  },
};

test.each(Object.entries(wrongs))(
  '%s is refused beside a sound fleet as it is alone',
  (_, { resources, told }) => {
    const later = decided(SOUND);
    expect(outcome(resources, EMPTY_LOCK, later)).toMatch(told);
    expect(outcome(resources, EMPTY_LOCK, later)).toBe(outcome(structuredClone(resources), EMPTY_LOCK));
  },
);

test('replicas that another lock has elsewhere are made for where they stand', () => {
  const fleet = [H8, US, aCluster('eu', { pools: { h100: 2 } }), aDeployment('ml/a')];
  const later = decided(fleet);
  const [placed] = later.lock.placements;
  const moved = { ...placed!, cluster: placed!.cluster === 'us' ? 'eu' : 'us' };
  const lock = { ...EMPTY_LOCK, placements: [moved] };
  expect(outcome(fleet, lock, later)).toBe(outcome(structuredClone(fleet), lock));
});

test('what is told of a deployment that both states have is told in each', () => {
  const misspelled = request('gpu', 1, '!("archtecture" in device.attributes["gpu.nvidia.com"])');
  const engines = [anEngine('main', { devices: [misspelled] })];
  const earlier = [H8, US, aDeployment('ml/a', { engines }), aDeployment('ml/b')];
  const later = decided([...earlier, aDeployment('ml/c')]);
  expect(later.model.warnings).toHaveLength(1);
  expect(outcome(earlier, EMPTY_LOCK, later)).toBe(outcome(structuredClone(earlier), EMPTY_LOCK));
  // With another cache all deployments are compiled anew, and each is told of once.
  const cached = [...earlier, aCache('ml/weights')];
  expect(outcome(cached, EMPTY_LOCK, later)).toBe(outcome(structuredClone(cached), EMPTY_LOCK));
});

test('lines that say what those of the other state say are its lines, so that they are looked at once', () => {
  const fleet = [H8, US, aDeployment('ml/a'), aDeployment('ml/b', { replicas: 2 })];
  const { lock } = decided(fleet);
  const later = decided(fleet, lock);
  const { previous, schedule } = placeFleet(assemble(fleet), byPath, apart(lock), {
    ...NOTHING,
    beside: later,
  });
  expect(previous.placements).toBe(later.previous.placements);
  expect(schedule.placements).toBe(later.schedule.placements);
});
