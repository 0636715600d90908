import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type ClaimFiles, withFolderLock } from '../../src/files/file-lock';
import { readOwnIdentity } from '../../src/files/process-identity';
import { eachInFolder, inChild, refusal } from './build';

const FIRST = '.fleetwright-run.lock';
const DEAD = `99999999 ${hostname()} 1 ${readOwnIdentity().space} 1\n`;

/** Files by name. Never changed, so that each order of steps begins from where it branches off. */
type Disk = ReadonlyMap<string, string>;

interface Run {
  readonly pid: number;
  /** What its steps returned so far. */
  readonly results: readonly unknown[];
  readonly state: 'claims' | 'works' | 'releases' | 'done' | 'refused' | 'killed';
}

interface World {
  readonly disk: Disk;
  readonly runs: readonly Run[];
}

/** Ends a replay where the results that are known end. */
class Paused extends Error {}

/** One more step of a run: the calls before it return what they returned, and no call after it is made. */
function stepOf(at: number, { disk, runs }: World): World {
  const run = runs[at]!;
  const files = new Map(disk);
  const results: unknown[] = [];
  let isPaused = false;
  let state: Run['state'] = 'claims';
  const step = <T>(call: () => T): T => {
    if (isPaused || results.length > run.results.length) {
      isPaused = true;
      throw new Paused();
    }
    results.push(results.length < run.results.length ? run.results[results.length] : call());
    return results.at(-1) as T;
  };
  const claims: ClaimFiles = {
    create: (name) =>
      step(() => {
        if (files.has(name)) return undefined;
        files.set(name, `${run.pid} ${hostname()} ${at}\n`);
        return files.get(name);
      }),
    read: (name) => step(() => files.get(name)),
    remove: (name) => step(() => void files.delete(name)),
    names: () => step(() => [...files.keys()]),
    touch: () => step(() => undefined),
    stateOf: (_, text) =>
      step(() => {
        const pid = Number.parseInt(text, 10);
        return runs.some((one) => one.pid === pid && one.state !== 'killed') ? 'running' : 'gone';
      }),
  };
  try {
    withFolderLock(
      'out',
      () => {
        state = 'works';
        step(() => undefined);
        state = 'releases';
      },
      claims,
    );
    state = 'done';
  } catch (error) {
    if (!(error instanceof Paused)) state = 'refused';
  }
  const moved = { ...run, results, state };
  return { disk: files, runs: runs.map((one, index) => (index === at ? moved : one)) };
}

/** Every state that runs reach, whatever the order of their steps; `kills` of them may be killed before any step. */
function reachable(start: World, kills: number): World[] {
  const found = new Map<string, World>();
  const open = [start];
  for (let world = open.pop(); world; world = open.pop()) {
    const key = JSON.stringify([[...world.disk].sort(), world.runs]);
    if (found.has(key)) continue;
    found.set(key, world);
    const killed = world.runs.filter(({ state }) => state === 'killed').length;
    for (const [at, run] of world.runs.entries()) {
      if (isAtEnd(run)) continue;
      open.push(stepOf(at, world));
      const dead = { ...run, state: 'killed' as const };
      if (killed < kills) open.push({ ...world, runs: world.runs.map((one, index) => (index === at ? dead : one)) });
    }
  }
  return [...found.values()];
}

const isAtEnd = ({ state }: Run): boolean => ['done', 'refused', 'killed'].includes(state);
const isOver = ({ runs }: World): boolean => runs.every(isAtEnd);

/** Lets one more run go from its first step to its last. */
function after(world: World): World {
  const at = world.runs.length;
  let next: World = { ...world, runs: [...world.runs, newRun(at)] };
  while (!isOver(next)) next = stepOf(at, next);
  return next;
}

const newRun = (at: number): Run => ({ pid: 100 + at, results: [], state: 'claims' });

/** How many runs there are, how many of them may be killed, and what is on the disk before. */
const CASES: Record<string, { count: number; kills: number; disk: Disk }> = {
  'two runs and no claim': { count: 2, kills: 1, disk: new Map() },
  'two runs and the claim of a killed one': { count: 2, kills: 2, disk: new Map([[FIRST, DEAD]]) },
  'three runs and the claim of a killed one': { count: 3, kills: 1, disk: new Map([[FIRST, DEAD]]) },
};

describe.each(Object.entries(CASES))('%s, in every order of their steps:', (_, { count, kills, disk }) => {
  const worlds = reachable({ disk, runs: Array.from({ length: count }, (__, at) => newRun(at)) }, kills);
  const ends = worlds.filter(isOver);

  test('no two of them work at the same time', () => {
    const together = worlds.filter((world) => world.runs.filter(({ state }) => state === 'works').length > 1);
    expect(together).toEqual([]);
  });

  test('all orders are tried: each run works in some, and is refused and killed in others', () => {
    for (let at = 0; at < count; at++) {
      const states = new Set(ends.map((world) => world.runs[at]?.state));
      expect([...states].sort()).toEqual(['done', 'killed', 'refused']);
    }
  });

  test('one of them works, unless one was killed', () => {
    const idle = ends.filter(({ runs }) => runs.every(({ state }) => state === 'refused'));
    expect(idle).toEqual([]);
  });

  test('the next run works, and leaves no claim', () => {
    for (const end of ends) {
      const next = after(end);
      expect(next.runs.at(-1)?.state).toBe('done');
      expect([...next.disk.keys()]).toEqual([]);
    }
  });
});

describe('on the disk', () => {
  const folder = eachInFolder();
  const claimed = () => withFolderLock(folder().root, () => Object.keys(folder().tree()).sort());

  test('a claim names the process and the host, and goes with the run', () => {
    const text = withFolderLock(folder().root, () => folder().tree()[FIRST]);
    expect(text).toMatch(new RegExp(`^${process.pid} ${hostname()} \\d+ [0-9a-f]{12} \\d+\\n$`));
    expect(folder().tree()).toEqual({});
  });

  test('the claim of a killed run stays until the run that follows it ends', () => {
    folder().add({ [FIRST]: DEAD });
    expect(claimed()).toEqual([FIRST, expect.stringMatching(/^\.fleetwright-run\.lock\.[0-9a-f]{16}$/)]);
    expect(folder().tree()).toEqual({});
  });

  test('a run that was killed while it followed a killed one is followed in turn', () => {
    folder().add({ [FIRST]: DEAD });
    inChild(folder(), `withFolderLock(root, () => process.kill(process.pid, 'SIGKILL'))`);
    expect(Object.keys(folder().tree())).toHaveLength(2);
    expect(claimed()).toHaveLength(3);
    expect(folder().tree()).toEqual({});
  });

  test('a run that follows a killed one is named to the next', () => {
    folder().add({ [FIRST]: DEAD });
    const said = withFolderLock(folder().root, () => refusal(() => claimed(), folder().root));
    expect(said).toEqual([
      `${folder().root}: another run (process ${process.pid} on ${hostname()}) is writing to this folder. Wait until it ends.`,
    ]);
  });

  test('claims that lead from no first one are removed', () => {
    folder().add({ [`${FIRST}.0123456789abcdef`]: DEAD });
    expect(claimed()).toEqual([FIRST]);
    expect(existsSync(folder().path(`${FIRST}.0123456789abcdef`))).toBe(false);
  });
});
