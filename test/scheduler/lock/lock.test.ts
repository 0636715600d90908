import * as fc from 'fast-check';
import { parse } from 'yaml';
import { FleetwrightError } from '../../../src/base/errors';
import { EMPTY_LOCK, formatLock } from '../../../src/scheduler/lock/lock';
import { parseLock } from '../../../src/scheduler/lock/parse-lock';
import { isSameLock } from '../../../src/scheduler/lock/compare-locks';
import type { Placement } from '../../../src/scheduler/placement';
import { at, formerly, lockOf, SHAPES } from './build';

const TWO = formatLock(lockOf([at('ml/a', 'us/0'), at('ml/b', 'eu/0')], { 'ml/b': 2 }));

test('a lock is one block a deployment and one line a replica', () => {
  expect(
    TWO,
  ).toBe(`# The placement of every replica of the fleet. \`fleetwright lock\` writes this file; commit it to git.
version: 1
deployments:

  ml/a:
    replicas:
      - {cluster: us, index: 0, pools: {main: h100}, shape: "0a1b2c3d"}

  ml/b:
    unplaced: 2
    replicas:
      - {cluster: eu, index: 0, pools: {main: h100}, shape: "0a1b2c3d"}

...
`);
});

test('a lock that calls a draining replica leaving is read, and is not out of date', () => {
  const draining = lockOf([{ ...at('ml/a', 'us/0'), draining: true }]);
  const earlier = formatLock(draining).replace(', draining: true', ', leaving: true');
  expect(earlier).toContain(', leaving: true}');
  expect(parseLock(earlier, 'fleet.lock.yaml').placements).toEqual(draining.placements);
  expect(isSameLock(parseLock(earlier, 'fleet.lock.yaml'), draining)).toBe(true);
});

describe('formatLock and parseLock', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
  const placement = fc.record(
    {
      deployment: fc.tuple(name, name).map((parts) => parts.join('/')),
      cluster: fc.oneof(name, fc.constantFrom('on', 'null', 'a.b', '1e3', 'e-3')),
      index: fc.nat(2000),
      pools: fc.dictionary(name, name, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      shape: fc.stringMatching(/^[0-9a-f]{8}$/),
      draining: fc.constant(true as const),
    },
    { requiredKeys: ['deployment', 'cluster', 'index', 'pools', 'shape'] },
  );
  const lock = fc.record({
    placements: fc.uniqueArray(placement, { selector: (p) => `${p.deployment} ${p.cluster} ${p.index}` }),
    unplaced: fc
      .array(fc.tuple(fc.constantFrom('ml/x', 'ml/y'), fc.integer({ min: 1, max: 99 })))
      .map((all) => new Map(all)),
    shapes: fc.subarray(SHAPES),
  });

  test('a lock that was written is read back the same', () => {
    fc.assert(fc.property(lock, (value) => isSameLock(parseLock(formatLock(value), 'f'), value)));
  });

  test('the order of placements does not change a byte', () => {
    fc.assert(
      fc.property(lock, (value) => {
        const reversed = {
          placements: value.placements.toReversed(),
          unplaced: new Map([...value.unplaced].toReversed()),
          shapes: value.shapes.toReversed(),
        };
        expect(formatLock(reversed)).toBe(formatLock(value));
      }),
    );
  });

  test('any YAML reader sees the same names', () => {
    fc.assert(
      fc.property(lock, (value) => {
        for (const version of ['1.1', '1.2'] as const) {
          const read = parse(formatLock(value), { version }) as {
            deployments: Record<string, { replicas: Placement[]; [shape: string]: unknown }>;
          };
          expect(
            value.shapes.every(({ deployment, shape, text }) => isSame(read.deployments[deployment], shape, text)),
          ).toBe(true);
          const names = Object.values(read.deployments).flatMap(({ replicas }) =>
            replicas.map(({ cluster, shape }) => [cluster, shape]),
          );
          expect(names.flat().every((text) => typeof text === 'string')).toBe(true);
          expect(names).toHaveLength(value.placements.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('no lock that was cut off is read', () => {
    const text = formatLock(lockOf([at('ml/a', 'us/0'), at('ml/a', 'us/1'), at('ml/b', 'eu/0')]));
    for (let length = 0; length < text.length - 1; length++) {
      expect(() => parseLock(text.slice(0, length), 'f')).toThrow(FleetwrightError);
    }
  });
});

/** Whether a YAML reader sees the same as we do. */
function isSame(block: Record<string, unknown> | undefined, shape: string, text: string): boolean {
  return block === undefined || JSON.stringify(block[`shape ${shape}`]) === JSON.stringify(JSON.parse(text));
}

const END = "Restore it from git, or recreate it with 'fleetwright lock DIR --from HEAD'.";

const A = formerly('ml/a', 1);

const refused: Record<string, { text: string; want: string[] }> = {
  'a lock of another version': {
    text: TWO.replace('version: 1', 'version: 2'),
    want: [
      'f:2:1: the lock has version 2, this release reads 1. Use the release of fleetwright that wrote it, or a later one.',
    ],
  },
  'a lock that is cut off between two lines': {
    text: TWO.slice(0, TWO.indexOf('  ml/b')),
    want: [`f:1:1: the lock file is truncated: its last line '...' is missing. ${END}`],
  },
  'a lock that is cut off within a line': {
    text: TWO.slice(0, TWO.indexOf('eu,')),
    want: [
      `f:1:1: the lock file is truncated: its last line '...' is missing. ${END}`,
      `f:12:1: '- {cluster:' is not a line of a lock. ${END}`,
    ],
  },
  'a replica that is in it twice': {
    text: TWO.replace(
      '\n\n  ml/b',
      '\n      - {cluster: us, index: 0, pools: {main: l4}, shape: "0a1b2c3d"}\n\n  ml/b',
    ),
    want: [`f:8:1: replica ml/a us/0 is listed twice, first in line 7. ${END}`],
  },
  'a deployment that is in it twice': {
    text: TWO.replace('ml/b', 'ml/a'),
    want: [`f:9:1: deployment ml/a is listed twice, first in line 5. ${END}`],
  },
  'an engine that occurs twice in one line': {
    text: TWO.replace('{main: h100}', '{main: h100, main: l4}'),
    want: [`f:7:1: engine main has two pools here. ${END}`],
  },
  'a line whose engines nothing separates': {
    text: TWO.replace('{main: h100}', '{main: h100more: l4}'),
    want: [`f:7:1: '- {cluster: us, index: 0, pools: {main: h100more: l4}, shape' is not a line of a lock. ${END}`],
  },
  'a damaged line of many engines, at once': {
    text: TWO.replace('{main: h100}', `{${'aa: b'.repeat(200)}!}`),
    want: [`f:7:1: '- {cluster: us, index: 0, pools: {aa: baa: baa: baa: baa: ba' is not a line of a lock. ${END}`],
  },
  'a shortfall that is in it twice': {
    text: TWO.replace('    unplaced: 2', '    unplaced: 2\n    unplaced: 9'),
    want: [`f:11:1: the count 'unplaced' of ml/b is listed twice. ${END}`],
  },
  'a shape that is in it twice': {
    text: TWO.replace('    replicas', `${`    shape ${A.shape}: ${A.text}\n`.repeat(2)}    replicas`),
    want: [`f:7:1: shape ${A.shape} of ml/a is listed twice. ${END}`],
  },
  'a version that is in it twice': {
    text: TWO.replace('version: 1', 'version: 1\nversion: 1'),
    want: [`f:3:1: the version is listed twice. ${END}`],
  },
  'a carriage return alone, which ends no line': {
    text: TWO.replace('    replicas:\n', '    replicas:\r'),
    want: [
      `f:6:1: 'replicas:\\u000d      - {cluster: us, index: 0, pools: {main: h100' is not a line of a lock. ${END}`,
    ],
  },
  'a replica of no deployment': {
    text: TWO.replace('  ml/a:\n', ''),
    want: [`f:6:1: the line belongs to no deployment. ${END}`],
  },
  'a shape whose line is damaged': {
    text: TWO.replace('    replicas', '    shape 0a1b2c3d: {"spec":{}}\n    replicas'),
    want: [`f:6:1: the declaration of shape 0a1b2c3d is damaged. ${END}`],
  },
  'a shape that is not what its digest says': {
    text: TWO.replace('    replicas', `    shape 0a1b2c3d: ${formerly('ml/a', 1).text}\n    replicas`),
    want: [`f:6:1: the declaration of shape 0a1b2c3d is damaged. ${END}`],
  },
  'a shape of no deployment': {
    text: TWO.replace('  ml/a:\n', '    shape 0a1b2c3d: {}\n'),
    want: [`f:5:1: the line belongs to no deployment. ${END}`, `f:7:1: the line belongs to no deployment. ${END}`],
  },
  'conflict markers, which explain everything else': {
    text: TWO.replace('  ml/b:', '<<<<<<< HEAD\n  ml/b:\n=======\n  ml/b:\n>>>>>>> other'),
    want: [
      "f:9:1: the lock has merge-conflict markers. Run 'fleetwright lock DIR', which reads both sides and merges them.",
    ],
  },
  'text after the end': { text: `${TWO}more\n`, want: [`f:15:1: the file has text after its end '...'. ${END}`] },
  'another YAML file': {
    text: 'apiVersion: v1\n...\n',
    want: [`f:1:1: the line 'version: 1' is missing: this is not a lock file. ${END}`],
  },
};

describe('parseLock refuses', () => {
  test.each(Object.entries(refused))('%s', (_, { text, want }) => {
    expect(messages(() => parseLock(text, 'f'))).toEqual(want);
  });
});

function messages(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

test('a fleet without deployments has a lock too', () => {
  expect(isSameLock(parseLock(formatLock(EMPTY_LOCK), 'f'), EMPTY_LOCK)).toBe(true);
});
