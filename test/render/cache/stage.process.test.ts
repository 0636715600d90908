import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import {
  EXIT_WITHOUT_RETRY,
  FACTS_FILE,
  MARKER_FILE,
  STAGE_SCRIPT,
  SWEEP_SCRIPT,
  WAIT_SCRIPT,
} from '../../../src/render/cache/staging-scripts';
import { Sandbox, SHELLS, until } from './shell';

/** Names that a script must never read as code. */
const AWKWARD = ['a b', `it's "quoted"`, 'two\nlines', '$(touch pwned)', '`touch pwned`', '-rf', '*', ';exit 3'];

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

function read(path: string): string {
  return readFileSync(box.path(path), 'utf8');
}

function complete(name: string): void {
  mkdirSync(box.path(name), { recursive: true });
  writeFileSync(box.path(name, MARKER_FILE), '');
}

describe.each(SHELLS)('staging, by %s,', (shell) => {
  const folder = 'volume/0123456789';
  const marker = `${folder}/${MARKER_FILE}`;
  /** Stages with a program that is a script of its own. */
  const stage = (fetch: string, env: Record<string, string> = {}, kill?: Parameters<Sandbox['run']>[2]) =>
    box.run(shell, STAGE_SCRIPT, {
      args: [shell, '-c', fetch],
      env: { FOLDER: box.path(folder), ...env },
      ...kill,
    });
  const FETCH = 'echo fetched; printf 12345 > weights; mkdir -p deep; printf 678 > deep/config';

  test('marks a folder as complete once it is, with what it holds', async () => {
    expect(await stage(`${FETCH}; echo revision=abc > ${FACTS_FILE}`)).toMatchObject({ code: 0 });
    expect(read(marker)).toMatch(
      /^folder=0123456789\nrevision=abc\nfiles=2 bytes=8\nstaged=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/,
    );
    expect(existsSync(box.path(folder, FACTS_FILE))).toBe(false);
  });

  test('reports the marker in the status of its pod, also where the folder was complete already', async () => {
    for (const attempt of ['first', 'second']) {
      writeFileSync(box.path(attempt), '');
      await stage(FETCH, { TERMINATION_LOG: box.path(attempt) });
      expect(read(attempt)).toBe(read(marker));
    }
  });

  test('leaves a complete folder alone', async () => {
    await stage(FETCH);
    const { code, out } = await stage(FETCH);
    expect({ code, again: out.includes('fetched') }).toEqual({ code: 0, again: false });
    expect(out).toContain('files=2 bytes=8');
  });

  test('leaves it alone when an engine has put files next to the staged ones', async () => {
    await stage(FETCH);
    writeFileSync(box.path(folder, 'compiled'), 'x');
    const later = Date.now() / 1000 + 60;
    utimesSync(box.path(folder, 'compiled'), later, later);
    expect((await stage(FETCH)).out).not.toContain('fetched');
  });

  test.each([
    ['lost', () => rmSync(box.path(folder, 'deep/config'))],
    ['cut off', () => writeFileSync(box.path(folder, 'weights'), '12')],
  ])('stages again what was %s', async (_, damage) => {
    await stage(FETCH);
    damage();
    expect(await stage(FETCH)).toMatchObject({ code: 0, out: expect.stringContaining('fetched') });
    expect(read(marker)).toContain('files=2 bytes=8');
  });

  test('marks nothing when fetching fails, and keeps what there is for the next attempt', async () => {
    expect(await stage('printf 12 > weights; exit 7')).toMatchObject({ code: 7 });
    expect(existsSync(box.path(marker))).toBe(false);
    expect(await stage('printf 345 >> weights')).toMatchObject({ code: 0 });
    expect(read(`${folder}/weights`)).toBe('12345');
  });

  test('unmarks a damaged folder before it mends it', async () => {
    await stage(FETCH);
    rmSync(box.path(folder, 'weights'));
    expect(await stage('exit 7')).toMatchObject({ code: 7 });
    expect(existsSync(box.path(marker))).toBe(false);
  });

  test('marks nothing when it is killed on the way, and goes on the next time', async () => {
    // The file is there a moment before what is written into it.
    const when = () => until(() => existsSync(box.path(folder, 'weights')) && read(`${folder}/weights`) === '12');
    const killed = await stage(
      'printf 12 > weights; exec /bin/sleep 30',
      {},
      {
        kill: { when, signal: 'SIGKILL', group: true },
      },
    );
    expect(killed.code).toBe('SIGKILL');
    expect(existsSync(box.path(marker))).toBe(false);
    expect(await stage('printf 345 >> weights')).toMatchObject({ code: 0 });
    expect(read(marker)).toContain('files=1 bytes=5');
  });

  test('says that trying again is of no use where nothing was found', async () => {
    expect(await stage('true')).toMatchObject({
      code: EXIT_WITHOUT_RETRY,
      out: expect.stringContaining('Nothing was'),
    });
    expect(existsSync(box.path(marker))).toBe(false);
  });

  test('lets others of the group write next to the files', async () => {
    await stage(FETCH);
    expect(statSync(box.path(folder)).mode & 0o777).toBe(0o775);
    expect(statSync(box.path(folder, 'weights')).mode & 0o777).toBe(0o664);
  });

  test.each(AWKWARD)('counts a file called %j, and runs nothing of it', async (name) => {
    await stage('printf 12345 > "./$NAME"', { NAME: name });
    expect(read(marker)).toMatch(/^folder=0123456789\nfiles=1 bytes=5\nstaged=\S+\n$/);
    expect((await stage('echo fetched', { NAME: name })).out).not.toContain('fetched');
    expect(existsSync(box.path(folder, 'pwned'))).toBe(false);
  });

  test('adds sizes that no 32 bits hold', async () => {
    box.tool('stat', 'echo 600000000000; echo 600000000001');
    await stage(FETCH);
    expect(read(marker)).toContain('bytes=1200000000001\n');
  });
});

describe.each(SHELLS)('waiting, by %s,', (shell) => {
  test('ends once every folder is complete', async () => {
    complete('a b');
    mkdirSync(box.path('c'));
    const done = box.run(shell, WAIT_SCRIPT, { args: [box.path('a b'), box.path('c')] });
    let ended = false;
    void done.then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(ended).toBe(false);
    complete('c');
    expect(await done).toEqual({ code: 0, out: `Waiting until ${box.path('c')} is staged\n` });
  });

  test('says nothing where nothing is to wait for', async () => {
    complete('a');
    expect(await box.run(shell, WAIT_SCRIPT, { args: [box.path('a')] })).toEqual({ code: 0, out: '' });
  });

  test('ends when its pod shall go', async () => {
    let started = false;
    const when = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      started = true;
    };
    const ended = await box.run(shell, WAIT_SCRIPT, {
      args: [box.path('never')],
      kill: { when, signal: 'SIGTERM' },
    });
    expect({ started, code: ended.code }).toEqual({ started: true, code: 143 });
  });
});

describe.each(SHELLS)('sweeping, by %s,', (shell) => {
  const DAY = 86_400;
  const CURRENT = 'cccccccccc';
  const cases: Record<string, { age?: number; folders: string[]; want: string[] }> = {
    'drops what was staged before the current files': {
      age: 1.1 * DAY,
      folders: ['aaaaaaaaaa', '0123456789'],
      want: [],
    },
    'keeps everything for a day': { age: 0.9 * DAY, folders: ['aaaaaaaaaa'], want: ['aaaaaaaaaa'] },
    'keeps everything while the current files are not complete': {
      folders: ['aaaaaaaaaa'],
      want: ['aaaaaaaaaa'],
    },
    'keeps what no one staged': {
      age: 2 * DAY,
      folders: ['lost+found', 'mine', 'abc', 'AAAAAAAAAA', 'aaaaaaaaaa1', '.hidden'],
      want: ['.hidden', 'AAAAAAAAAA', 'aaaaaaaaaa1', 'abc', 'lost+found', 'mine'],
    },
  };
  test.each(Object.entries(cases))('%s', async (_, { age, folders, want }) => {
    for (const name of [...folders, CURRENT]) {
      mkdirSync(box.path('volume', name), { recursive: true });
      writeFileSync(box.path('volume', name, 'weights'), 'x');
    }
    if (age !== undefined) {
      const marker = box.path('volume', CURRENT, MARKER_FILE);
      writeFileSync(marker, '');
      const then = Date.now() / 1000 - age;
      utimesSync(marker, then, then);
    }
    const ended = await box.run(shell, SWEEP_SCRIPT, { env: { VOLUME: box.path('volume'), CURRENT } });
    expect(ended).toMatchObject({ code: 0 });
    const left = folders.filter((name) => existsSync(box.path('volume', name)));
    expect(left.sort()).toEqual(want);
    expect(existsSync(box.path('volume', CURRENT, 'weights'))).toBe(true);
  });
});
