import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { FleetwrightError } from '../../src/errors';
import { EMPTY_LOCK, formatLock, type Lock, sameLock } from '../../src/scheduler/lock';
import { hasConflict, parseConflictedLock } from '../../src/scheduler/lock-conflict';
import { parseLock } from '../../src/scheduler/lock-parse';
import type { Placement } from '../../src/scheduler/types';

function at(deployment: string, where: string, rest: Partial<Placement> = {}): Placement {
  const [cluster = '', index = '0'] = where.split('/');
  return { deployment, cluster, index: Number(index), pools: { main: 'h100' }, shape: '0a1b2c3d', ...rest };
}

function lockOf(placements: Placement[], unplaced: Record<string, number> = {}): Lock {
  return { placements, unplaced: new Map(Object.entries(unplaced)), shapes: [] };
}

const TWO = formatLock(lockOf([at('ml/a', 'us/0'), at('ml/b', 'eu/0')], { 'ml/b': 2 }));

test('a lock is one block a deployment and one line a replica', () => {
  expect(TWO).toBe(`# Where every replica of the fleet stands. \`fleetwright lock\` writes it, git keeps it.
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

describe('formatLock and parseLock', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
  const placement = fc.record(
    {
      deployment: fc.tuple(name, name).map((parts) => parts.join('/')),
      cluster: fc.oneof(name, fc.constantFrom('on', 'null', 'a.b', '1e3')),
      index: fc.nat(2000),
      pools: fc.dictionary(name, name, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      shape: fc.stringMatching(/^[0-9a-f]{8}$/),
      leaving: fc.constant(true as const),
    },
    { requiredKeys: ['deployment', 'cluster', 'index', 'pools', 'shape'] },
  );
  const lock = fc.record({
    placements: fc.uniqueArray(placement, { selector: (p) => `${p.deployment} ${p.cluster} ${p.index}` }),
    unplaced: fc
      .array(fc.tuple(fc.constantFrom('ml/x', 'ml/y'), fc.integer({ min: 1, max: 99 })))
      .map((all) => new Map(all)),
    shapes: fc.constant([]),
  });

  test('a lock that was written is read back the same', () => {
    fc.assert(fc.property(lock, (value) => sameLock(parseLock(formatLock(value), 'f'), value)));
  });

  test('the order of placements does not change a byte', () => {
    fc.assert(
      fc.property(lock, (value) => {
        const reversed = {
          placements: value.placements.toReversed(),
          unplaced: new Map([...value.unplaced].toReversed()),
          shapes: [],
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
            deployments: Record<string, { replicas: Placement[] }>;
          };
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

const END = "Restore it from git, or make it anew with 'fleetwright lock --from HEAD'.";

const refused: Record<string, { text: string; want: string[] }> = {
  'a lock of another version': {
    text: TWO.replace('version: 1', 'version: 2'),
    want: [
      'f:2:1: the lock has version 2, this release reads 1. Use the release of fleetwright that wrote it, or a later one.',
    ],
  },
  'a lock that is cut off between two lines': {
    text: TWO.slice(0, TWO.indexOf('  ml/b')),
    want: [`f:1:1: the lock is cut off: its last line '...' is missing. ${END}`],
  },
  'a lock that is cut off within a line': {
    text: TWO.slice(0, TWO.indexOf('eu,')),
    want: [
      `f:1:1: the lock is cut off: its last line '...' is missing. ${END}`,
      `f:12:1: '- {cluster:' is not a line of a lock. ${END}`,
    ],
  },
  'a replica that stands there twice': {
    text: TWO.replace(
      '\n\n  ml/b',
      '\n      - {cluster: us, index: 0, pools: {main: l4}, shape: "0a1b2c3d"}\n\n  ml/b',
    ),
    want: [`f:8:1: replica ml/a us/0 stands here again, first in line 7. ${END}`],
  },
  'a deployment that stands there twice': {
    text: TWO.replace('ml/b', 'ml/a'),
    want: [`f:9:1: deployment ml/a stands here again, first in line 5. ${END}`],
  },
  'a replica of no deployment': {
    text: TWO.replace('  ml/a:\n', ''),
    want: [`f:6:1: the line belongs to no deployment. ${END}`],
  },
  'conflict markers, which explain everything else': {
    text: TWO.replace('  ml/b:', '<<<<<<< HEAD\n  ml/b:\n=======\n  ml/b:\n>>>>>>> other'),
    want: [
      "f:9:1: the lock holds the marks of an unsettled merge. Run 'fleetwright lock', which reads both sides and settles them.",
    ],
  },
  'text after the end': { text: `${TWO}more\n`, want: [`f:15:1: there is text after the end '...'. ${END}`] },
  'another YAML file': {
    text: 'apiVersion: v1\n...\n',
    want: [
      `f:1:1: 'apiVersion: v1' is not a line of a lock. ${END}`,
      `f:1:1: the line 'version: 1' is missing: this is not a lock. ${END}`,
    ],
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

describe('in git', () => {
  const base = lockOf(['ml/a', 'ml/b', 'ml/c'].map((id) => at(id, 'us/0')));
  let repo: string;
  beforeEach(() => {
    repo = mkdtempSync(join(tmpdir(), 'lock-'));
    git('init', '-q', '-b', 'main');
    commit(base);
  });
  afterEach(() => rmSync(repo, { recursive: true, force: true }));

  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    return execFileSync('git', ['-C', repo, ...identity, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const file = (): string => join(repo, 'fleet.lock.yaml');
  const read = (): string => readFileSync(file(), 'utf8');
  const commit = (lock: Lock): void => {
    writeFileSync(file(), formatLock(lock));
    git('add', '.');
    git('commit', '-qm', 'lock');
  };
  const onBranches = (ours: Lock, theirs: Lock): void => {
    git('switch', '-qc', 'other');
    commit(theirs);
    git('switch', '-q', 'main');
    commit(ours);
  };
  const having = (...more: Placement[]): Lock => ({ ...base, placements: [...base.placements, ...more] });

  test('branches that touch neighbouring deployments merge, and the result is what both say', () => {
    onBranches(having(at('ml/a', 'us/1')), having(at('ml/b', 'eu/0')));
    git('merge', '-q', '--no-edit', 'other');
    expect(read()).toBe(formatLock(having(at('ml/a', 'us/1'), at('ml/b', 'eu/0'))));
  });

  test('branches that touch one deployment conflict, and both sides are read', () => {
    onBranches(having(at('ml/b', 'us/1')), having(at('ml/b', 'us/2', { pools: { main: 'l4' } })));
    expect(() => git('merge', '-q', '--no-edit', 'other')).toThrow();
    expect(hasConflict(read())).toBe(true);
    const both = having(at('ml/b', 'us/1'), at('ml/b', 'us/2', { pools: { main: 'l4' } }));
    expect(sameLock(parseConflictedLock(read(), 'f'), both)).toBe(true);
  });

  test('where the sides place one replica differently, ours counts', () => {
    onBranches(having(at('ml/b', 'eu/0')), having(at('ml/b', 'eu/0', { pools: { main: 'l4' } })));
    expect(() => git('merge', '-q', '--no-edit', 'other')).toThrow();
    expect(sameLock(parseConflictedLock(read(), 'f'), having(at('ml/b', 'eu/0')))).toBe(true);
  });
});

test('a fleet without deployments has a lock too', () => {
  expect(sameLock(parseLock(formatLock(EMPTY_LOCK), 'f'), EMPTY_LOCK)).toBe(true);
});
