import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatLock, type Lock } from '../../../src/scheduler/lock/lock';
import { hasConflictMarkers, parseConflictedLock } from '../../../src/scheduler/lock/parse-lock';
import { isSameLock } from '../../../src/scheduler/lock/compare-locks';
import type { Placement } from '../../../src/scheduler/placement';
import { at, formerly, lockOf } from './build';

describe('a lock in git', () => {
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
    expect(hasConflictMarkers(read())).toBe(true);
    const both = having(at('ml/b', 'us/1'), at('ml/b', 'us/2', { pools: { main: 'l4' } }));
    expect(isSameLock(parseConflictedLock(read(), 'f'), both)).toBe(true);
  });

  test('branches that record shapes of neighbouring deployments merge', () => {
    const [a, b] = [formerly('ml/a', 1), formerly('ml/b', 1)];
    onBranches({ ...base, shapes: [a] }, { ...base, shapes: [b] });
    git('merge', '-q', '--no-edit', 'other');
    expect(read()).toBe(formatLock({ ...base, shapes: [a, b] }));
  });

  test('of one deployment the shapes of both branches are read; where they differ, ours', () => {
    const ours = [formerly('ml/b', 1, 'ours'), formerly('ml/b', 2)];
    const theirs = [formerly('ml/b', 1, 'theirs'), formerly('ml/b', 3)];
    onBranches({ ...base, shapes: ours }, { ...base, shapes: theirs });
    expect(() => git('merge', '-q', '--no-edit', 'other')).toThrow();
    const both = { ...base, shapes: [...ours, theirs[1]!] };
    expect(isSameLock(parseConflictedLock(read(), 'f'), both)).toBe(true);
  });

  test('where the sides place one replica differently, ours counts', () => {
    onBranches(having(at('ml/b', 'eu/0')), having(at('ml/b', 'eu/0', { pools: { main: 'l4' } })));
    expect(() => git('merge', '-q', '--no-edit', 'other')).toThrow();
    expect(isSameLock(parseConflictedLock(read(), 'f'), having(at('ml/b', 'eu/0')))).toBe(true);
  });
});
