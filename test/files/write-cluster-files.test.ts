/** @jest-environment node */
import type * as Files from '../../src/files/write-file';
import { commitStagedFile } from '../../src/files/write-file';
import { formatSynthHeader } from '../../src/manifest/kubernetes/synth-header';
import { writeClusterFiles } from '../../src/files/write-cluster-files';
import { eachInFolder } from './build';

jest.mock('../../src/files/write-file', () => {
  const actual = jest.requireActual<typeof Files>('../../src/files/write-file');
  return { ...actual, commitStagedFile: jest.fn(actual.commitStagedFile) };
});

const folder = eachInFolder();
afterEach(() => {
  const actual = jest.requireActual<typeof Files>('../../src/files/write-file');
  jest.mocked(commitStagedFile).mockImplementation(actual.commitStagedFile);
});
const LIST = '00-delete.yaml.txt';

const service = (name: string): string =>
  `# Written.\napiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: ml\n`;

/** The same with the header of `synth`. */
const manifest = (name: string): string => `# ${formatSynthHeader('cluster us', undefined)}\n${service(name)}`;

const write = (content: Record<string, string>) =>
  writeClusterFiles(folder().path('out'), new Map(Object.entries(content)));

test('a run that is killed while it writes loses no object to delete', () => {
  write({ 'us/0.a.yaml': service('a') });
  let commits = 0;
  jest.mocked(commitStagedFile).mockImplementation((file) => {
    commits += 1;
    if (commits > 1) throw new Error('killed');
    jest.requireActual<typeof Files>('../../src/files/write-file').commitStagedFile(file);
  });
  expect(() => write({ 'us/0.a.yaml': service('b') })).toThrow('killed');
  expect(folder().tree()).toMatchObject({
    [`out/us/${LIST}`]: expect.stringContaining('name: a\n') as string,
    'out/us/0.a.yaml': service('a'),
  });
});

test('a list is reported with its path, and files outside of folders of clusters have none', () => {
  write({
    'us/0.a.yaml': service('a'),
    'routing.json': '{}',
    'top.yaml': service('t'),
    'us/deep/b.yaml': service('b'),
  });
  expect(write({})).toEqual({
    written: [`us/${LIST}`],
    removed: ['routing.json', 'top.yaml', 'us/0.a.yaml', 'us/deep/b.yaml'],
    unchanged: [],
    deleteLists: [{ path: `us/${LIST}`, objects: 1 }],
  });
});

test.each([
  ['a mark of the byte order', (text: string) => `\uFEFF${text}`],
  ['a change of one letter', (text: string) => text.replace('name: a', 'name: b')],
])('a file with %s is written again, and one with the same bytes stays', (_, edit) => {
  const files = { 'us/0.a.yaml': service('a'), 'us/0.c.yaml': service('c') };
  write(files);
  folder().add({ 'out/us/0.a.yaml': edit(service('a')) });
  expect(write(files)).toMatchObject({ written: expect.arrayContaining(['us/0.a.yaml']), unchanged: ['us/0.c.yaml'] });
  expect(folder().tree()).toMatchObject({ 'out/us/0.a.yaml': service('a') });
});

test('a file of no cluster can be larger than what is read', () => {
  const large = { 'routing.json': 'x'.repeat(11 * 2 ** 20) };
  write(large);
  expect(write(large).unchanged).toEqual(['routing.json']);
});

test('a file of others with the name of the list stays', () => {
  folder().add({ [`out/us/${LIST}`]: 'mine' });
  write({ 'us/0.a.yaml': service('a') });
  expect(() => write({})).toThrow(`these files exist, and fleetwright did not write them: us/${LIST}`);
  expect(folder().tree()).toMatchObject({ [`out/us/${LIST}`]: 'mine', 'out/us/0.a.yaml': service('a') });
});

/** What git has restored: the inventory and the manifests of one run, and new files of a later one next to them. */
function abandonRun(): void {
  write({ 'us/0.a.yaml': manifest('a') });
  const before = folder().tree('out');
  write({ 'us/0.b.yaml': manifest('b'), 'eu/0.c.yaml': manifest('c') });
  folder().add(before);
}

describe('files that synth wrote and the inventory does not list', () => {
  test('are removed, and their objects are listed to delete', () => {
    abandonRun();
    expect(write({ 'us/0.a.yaml': manifest('a') })).toMatchObject({
      removed: ['eu/0.c.yaml', 'us/0.b.yaml'],
      deleteLists: [
        { path: `us/${LIST}`, objects: 1 },
        { path: `eu/${LIST}`, objects: 1 },
      ],
    });
  });

  test('list no object to delete that this run writes', () => {
    abandonRun();
    expect(folder().tree()[`out/us/${LIST}`]).toContain('name: a\n');
    write({ 'us/0.a.yaml': manifest('a') });
    expect(folder().tree()[`out/us/${LIST}`]).not.toContain('name: a\n');
  });

  test('are those with its header: others stay', () => {
    write({ 'us/0.a.yaml': manifest('a') });
    const others = {
      'out/us/mine.yaml': service('mine'),
      'out/us/note.txt': manifest('n'),
      'out/us/deep/x.yaml': manifest('x'),
      'out/top.yaml': manifest('t'),
      'out/us/link.yaml': { link: '0.a.yaml' },
    };
    folder().add(others);
    expect(write({ 'us/0.a.yaml': manifest('a') }).removed).toEqual([]);
    expect(folder().tree()).toMatchObject(others);
  });
});
