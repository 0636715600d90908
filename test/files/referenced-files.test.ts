import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globFiles } from '../../src/files/referenced-files';

const FILES = ['a.yaml', 'ab.pods.yaml', 'b.yaml', 'c.json', '.hidden.yaml', 'star*.txt'];

const cases: Record<string, [pattern: string, ...want: string[]]> = {
  'a name without a star is one file': ['a.yaml', 'a.yaml'],
  'a name that is not there is none': ['z.yaml'],
  'a star stands for any text': ['*.yaml', 'a.yaml', 'ab.pods.yaml', 'b.yaml'],
  'a star stands for no text too': ['a*.yaml', 'a.yaml', 'ab.pods.yaml'],
  'several stars stand for a text each': ['*b.*.y*l', 'ab.pods.yaml'],
  'the parts around stars do not overlap': ['a.y*.yaml'],
  'a file that starts with a dot is named with it': ['.*', '.hidden.yaml'],
  'folders are no files': ['fol*'],
  'a folder that is not there holds nothing': ['none/*.yaml'],
  'other signs stand for themselves': ['?.yaml'],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwright-'));
  for (const name of FILES) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'folder'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(Object.entries(cases))('%s', (_, [pattern, ...want]) => {
  expect(globFiles(join(folder, pattern))).toEqual(want.map((name) => join(folder, name)));
});
