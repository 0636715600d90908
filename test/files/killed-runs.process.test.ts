import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { renewInTime, withFolderLock } from '../../src/files/file-lock';
import { readOwnIdentity } from '../../src/files/process-identity';
import { writeFileAtomic } from '../../src/files/write-file';
import { writeOutput } from '../../src/files/write-output';
import { eachInFolder, inChild, killBeforeEachChange, refusal, startChild, type Tree } from './build';

// Rows start many processes one after the other, which other work on the machine slows down.
jest.setTimeout(180_000);

const folder = eachInFolder();
const CLAIM = 'out/.fleetwright-run.lock';
const { pid, start, space } = readOwnIdentity();
const HERE = `another run (process ${pid} on ${hostname()}) is writing to this folder`;
const ELSEWHERE = `another run (process ${pid} on pod-0) is writing to this folder`;
const WAIT = `Wait until it ends. If it was killed, run again after 120 seconds, or remove ${CLAIM}.`;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const FAR_AHEAD = new Date('2100-01-01T00:00:00Z');

interface Row {
  readonly claim: string;
  readonly time?: Date;

  /** Why the next run is refused. Absent: it works. */
  readonly want?: string;
}

const rows: Record<string, Row> = {
  'a process that runs': { claim: `${pid} ${hostname()} ${start} ${space} 1\n`, want: `${HERE}. Wait until it ends.` },
  'a process that runs, however old its claim is': {
    claim: `${pid} ${hostname()} ${start} ${space} 1\n`,
    time: LONG_AGO,
    want: `${HERE}. Wait until it ends.`,
  },
  'a killed process whose ID another process has now': { claim: `${pid} ${hostname()} 1 ${space} 1\n` },
  'a killed process of this container': { claim: `99999999 ${hostname()} 1 ${space} 1\n` },
  'a process of another container with the ID of a process here': {
    claim: `${pid} pod-0 ${start} 0123456789ab 1\n`,
    want: `${ELSEWHERE}. ${WAIT}`,
  },
  'a process of another container whose ID no process has here': {
    claim: '99999999 pod-0 1 0123456789ab 1\n',
    want: `another run (process 99999999 on pod-0) is writing to this folder. ${WAIT}`,
  },
  'a process of another container that renews its claim no more': {
    claim: `${pid} pod-0 ${start} 0123456789ab 1\n`,
    time: LONG_AGO,
  },
  'a process of an earlier release, with a recent claim': {
    claim: `${pid} ${hostname()} 1\n`,
    want: `another run is writing to this folder. ${WAIT}`,
  },
  'a process of an earlier release, with an old claim': { claim: `${pid} ${hostname()} 1\n`, time: LONG_AGO },
  'a run that is between creating and filling its claim': {
    claim: '',
    want: `another run is writing to this folder. ${WAIT}`,
  },
  'a run that was killed between creating and filling its claim': { claim: '', time: LONG_AGO },
  'a run that was killed while it filled its claim': { claim: `${pid} host`, time: LONG_AGO },
  'a claim with a time far in the future': { claim: '', time: FAR_AHEAD },
};

describe('a run that finds the claim of', () => {
  test.each(Object.entries(rows))('%s', (_, { claim, time, want }) => {
    folder().add({ [CLAIM]: claim });
    if (time) utimesSync(folder().path(CLAIM), time, time);
    const write = () => writeOutput(folder().path('out'), new Map([['a', 'new']]));
    if (want === undefined) {
      write();
      expect(Object.keys(folder().tree())).toEqual(['out/.fleetwright-inventory.json', 'out/a']);
    } else {
      expect(refusal(write, folder().root)).toEqual([`out: ${want}`]);
      expect(folder().tree()).toEqual({ [CLAIM]: claim });
    }
  });

  test('a process that ended, and whose parent has not read its exit code', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const fieldsOf = () => readFileSync(`/proc/${line.toString().trim()}/stat`, 'utf8').split(' ');
    while (fieldsOf()[2] !== 'Z') await setTimeout(20);
    const [id, , , ...rest] = fieldsOf();
    folder().add({ [CLAIM]: `${id} ${hostname()} ${rest[18]} ${space} 1\n` });
    expect(writeOutput(folder().path('out'), new Map([['a', 'new']])).written).toEqual(['a']);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });
});

test('a run that loses its folder while it is suspended stops, and leaves the folder to the other run', () => {
  folder().add({ out: null });
  const out = folder().path('out');
  withFolderLock(out, (renew) => {
    renew();
    folder().add({ [CLAIM]: '7 pod-0 1 0123456789ab 1\n' });
    const want = `out: another run is writing to this folder. ${WAIT}`;
    expect(refusal(renew, folder().root)).toEqual([want]);
  });
  expect(folder().tree()).toEqual({ [CLAIM]: '7 pod-0 1 0123456789ab 1\n' });
});

test('a run renews its claim while it writes, so that runs in other containers see that it works', () => {
  folder().add({ out: null });
  withFolderLock(folder().path('out'), (renew) => {
    utimesSync(folder().path(CLAIM), LONG_AGO, LONG_AGO);
    const text = folder().tree()[CLAIM];
    renew();
    folder().add({ 'out/now': '' });
    expect(folder().tree()[CLAIM]).toBe(text);
    const [claimed, now] = [CLAIM, 'out/now'].map((path) => folder().modified(path)) as [number, number];
    expect(now - claimed).toBeLessThan(60_000);
  });
});

test.each([
  ['many steps in a moment', [5000, 5001, 5900], 1],
  ['steps of a second each', [5000, 6000, 7000], 3],
  ['a step after the process was suspended', [5000, 5001, 900_000], 2],
  ['a step after the clock was set back', [5000, 5001, 1000], 2],
])('a claim is renewed as often as it has to be: %s', (_, times, renewals) => {
  let renewed = 0;
  const clock = times.values();
  const renew = renewInTime(
    () => (renewed += 1),
    () => clock.next().value ?? 0,
  );
  times.forEach(() => renew());
  expect(renewed).toBe(renewals);
});

const OLD: Tree = { 'out/theirs': 'x', lock: 'old' };

describe('a run that is killed before any of its changes of files', () => {
  test('is followed by one that writes all, and leaves nothing but that', () => {
    const script = `writeOutput(root + '/out', new Map([['b/b', 'killed'], ['c', 'killed']]))`;
    const kills = killBeforeEachChange(folder(), script, {
      before: () => {
        folder().drop('out').add(OLD);
        writeOutput(folder().path('out'), new Map([['a', 'old']]));
      },
      after: () => {
        const between = folder().tree();
        for (const path of ['out/a', 'out/b/b', 'out/c']) expect(['old', 'killed', undefined]).toContain(between[path]);
        writeOutput(folder().path('out'), new Map([['b/b', 'last']]));
        const { 'out/.fleetwright-inventory.json': _, ...tree } = folder().tree();
        expect(tree).toEqual({ 'out/theirs': 'x', 'out/b/b': 'last', lock: 'old' });
      },
    });
    expect(kills).toBeGreaterThan(20);
  });

  test('also where the file system has no hard links, at the latest after two minutes', () => {
    const noLinks = `require('node:fs').linkSync = () => { throw Object.assign(new Error(), { code: 'EPERM' }) };`;
    const script = `${noLinks} writeOutput(root + '/out', new Map([['a', 'killed']]))`;
    const found = new Set<string>();
    killBeforeEachChange(folder(), script, {
      most: 8,
      before: () => folder().drop('out').add(OLD),
      after: () => {
        const claim = folder().tree()[CLAIM];
        found.add(claim === '' ? 'empty' : claim === undefined ? 'none' : 'whole');
        if (claim === '') utimesSync(folder().path(CLAIM), LONG_AGO, LONG_AGO);
        expect(writeOutput(folder().path('out'), new Map([['a', 'last']])).written).toEqual(['a']);
        expect(Object.keys(folder().tree())).toEqual([
          'lock',
          'out/.fleetwright-inventory.json',
          'out/a',
          'out/theirs',
        ]);
      },
    });
    expect([...found].sort()).toEqual(['empty', 'none', 'whole']);
  });

  test('leaves an old or a new lock, and the next run removes its temporary file', () => {
    killBeforeEachChange(folder(), `writeFileAtomic(root + '/lock', 'killed')`, {
      before: () => folder().drop('lock').add({ lock: 'old' }),
      after: () => {
        expect(['old', 'killed']).toContain(folder().tree()['lock']);
        writeFileAtomic(folder().path('lock'), 'last');
        expect(folder().tree()).toEqual({ lock: 'last' });
      },
    });
  });
});

test('the folder for temporary files of a killed run goes with the next run, those of others stay', () => {
  const other = `fleetwright-99999999-1-0123456789ab-abcdef`;
  folder().add({ [`${other}/secret`]: 'x', 'fleetwright-mine/a': 'x' });
  const use = (work: string): string =>
    inChild(folder(), `process.env.TMPDIR = root; withWorkFolder((at) => { ${work} })`);
  use(`require('node:fs').writeFileSync(at + '/secret', 'x'); process.kill(process.pid, 'SIGKILL')`);
  const killed = Object.keys(folder().tree()).filter((path) => path.includes(space));
  expect(killed).toHaveLength(1);
  const during = use(`console.log(require('node:fs').readdirSync(root).length)`);
  expect(during).toBe('3');
  expect(Object.keys(folder().tree())).toEqual([`${other}/secret`, 'fleetwright-mine/a']);
});

/** Temporary files by name, each of which was changed now or long ago. */
const leftovers: Record<string, { name: string; isOld: boolean; isRemoved: boolean }> = {
  'of a process here that is gone': { name: `99999999-1-${space}`, isOld: false, isRemoved: true },
  'of a process here that runs': { name: `${process.ppid}-START-${space}`, isOld: true, isRemoved: false },
  'of another container, with the ID of this process, recent': {
    name: `${pid}-${start}-0123456789ab`,
    isOld: false,
    isRemoved: false,
  },
  'of another container, old': { name: `${pid}-${start}-0123456789ab`, isOld: true, isRemoved: true },
  'of an earlier release, recent': { name: '99999999', isOld: false, isRemoved: false },
  'of an earlier release, old': { name: '99999999', isOld: true, isRemoved: true },
  'of another owner': { name: 'mine', isOld: true, isRemoved: false },
};

test.each(Object.entries(leftovers))('a write and the temporary file %s', (_, { name, isOld, isRemoved }) => {
  const parent = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const path = `.fleetwright-${name.replace('START', parent[19] ?? '')}.tmp`;
  folder().add({ [path]: 'x' });
  if (isOld) utimesSync(folder().path(path), LONG_AGO, LONG_AGO);
  writeFileAtomic(folder().path('lock'), 'new');
  expect(folder().tree()).toEqual({ lock: 'new', ...(!isRemoved && { [path]: 'x' }) });
});

test('of many processes that find a killed one, never two work at the same time', async () => {
  folder().add({ [CLAIM]: `99999999 ${hostname()} 1 ${space} 1\n`, log: '' });
  const script = `
    const { appendFileSync } = require('node:fs');
    for (let turn = 0; turn < 150; turn++) {
      try {
        withFolderLock(root + '/out', () => {
          appendFileSync(root + '/log', 'in\\n');
          if (turn % 50 === 49) process.kill(process.pid, 'SIGKILL');
          appendFileSync(root + '/log', 'out\\n');
        });
      } catch (error) {
        if (!error.message.includes('is writing to this folder')) throw error;
      }
    }`;
  const children = Array.from({ length: 6 }, () => startChild(folder(), script));
  const ends = await Promise.all(children.map(async (child) => (await once(child, 'exit')) as [number | null, string]));
  expect(ends.every(([code, signal]) => code === 0 || signal === 'SIGKILL')).toBe(true);
  const log = (folder().tree()['log'] as string).trim().split('\n');
  const killed = ends.filter(([, signal]) => signal === 'SIGKILL').length;
  expect(log.filter((line) => line === 'in').length - log.filter((line) => line === 'out').length).toBe(killed);
  // After a killed process stands 'in' without 'out': of two that work together there would be more.
  expect(log.filter((line, i) => line === 'in' && log[i + 1] === 'in').length).toBeLessThanOrEqual(killed);
  expect(inChild(folder(), `console.log(withFolderLock(root + '/out', () => 'free'))`)).toBe('free');
});
