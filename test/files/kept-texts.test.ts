import { symlinkSync, utimesSync } from 'node:fs';
import { KeptTexts } from '../../src/files/kept-texts';
import { writeClusterFiles } from '../../src/files/write-cluster-files';
import { eachInFolder } from './build';

const folder = eachInFolder();
let record: string | undefined;
beforeEach(() => {
  record = undefined;
});

const TEXTS = { us: { 'us/a.yaml': 'a: 1\n', 'us/b.yaml': 'b: ü\n' }, eu: { 'eu/c.yaml': 'c: 1\n' } };
const INPUTS: Readonly<Record<string, string | undefined>> = { us: '1', eu: '1' };

/** A run that finds or renders the texts, and writes them. Returns which clusters were rendered, and what was kept. */
function run(inputs = INPUTS, texts: Readonly<Record<string, Readonly<Record<string, string>>>> = TEXTS) {
  const rendered: string[] = [];
  const kept: string[] = [];
  const out = folder().path('out');
  const known = new KeptTexts(out, {
    read: () => record,
    keep: (text) => {
      kept.push(text);
      record = text;
    },
  });
  const files = Object.entries(texts).flatMap(([cluster, own]) => [
    ...known.textsOf(cluster, inputs[cluster], () => {
      rendered.push(cluster);
      return new Map(Object.entries(own));
    }),
  ]);
  const { written } = writeClusterFiles(out, new Map(files), { isUnchanged: known.isUnchanged });
  known.keep();
  return { rendered, written, kept: kept.length };
}

/** What is in the folder, without the inventory. */
function tree() {
  const { '.fleetwright-inventory.json': _, ...files } = folder().tree('out');
  return files;
}

const WANTED = Object.fromEntries(
  Object.values(TEXTS).flatMap((files) => Object.entries(files).map(([path, text]) => [`out/${path}`, text])),
);

test('a second run with the same input renders, writes and records nothing', () => {
  expect(run()).toMatchObject({ rendered: ['us', 'eu'], kept: 1 });
  expect(run()).toEqual({ rendered: [], written: [], kept: 0 });
  expect(tree()).toMatchObject(WANTED);
});

test.each<[string, () => unknown]>([
  ['that was edited to the same length', () => folder().add({ 'out/us/b.yaml': 'b: ö\n' })],
  ['that was edited, with its time as before', () => edit('out/us/b.yaml', 'b: ö\n')],
  ['that was cut off', () => folder().add({ 'out/us/b.yaml': 'b:' })],
  ['that was deleted', () => folder().drop('out/us/b.yaml')],
  ['whose folder was deleted', () => folder().drop('out/us')],
])('a file %s is restored, and only its cluster is rendered', (_, change) => {
  run();
  change();
  expect(run().rendered).toEqual(['us']);
  expect(tree()).toMatchObject(WANTED);
  expect(run().rendered).toEqual([]);
});

function edit(path: string, text: string): void {
  const time = folder().modified(path) / 1000;
  folder().add({ [path]: text });
  utimesSync(folder().path(path), time, time);
}

test('a link in place of a file counts as no file, also where its target has the text', () => {
  run();
  folder().drop('out/us/b.yaml').add({ other: TEXTS.us['us/b.yaml'] });
  symlinkSync(folder().path('other'), folder().path('out/us/b.yaml'));
  expect(() => run()).toThrow('symbolic links');
});

test.each<[string, Readonly<Record<string, string | undefined>>]>([
  ['another input', { us: '2', eu: '1' }],
  ['no input to compare', { us: undefined, eu: '1' }],
])('a cluster of %s is rendered', (_, inputs) => {
  run();
  const texts = { ...TEXTS, us: { 'us/a.yaml': 'a: 2\n' } };
  expect(run(inputs, texts)).toMatchObject({ rendered: ['us'], written: ['us/a.yaml'] });
  expect(tree()).toMatchObject({ 'out/us/a.yaml': 'a: 2\n' });
  expect(tree()).not.toHaveProperty(['out/us/b.yaml']);
});

test('a cluster that never has an input to compare is rendered each time', () => {
  const inputs = { us: undefined, eu: '1' };
  run(inputs);
  expect(run(inputs).rendered).toEqual(['us']);
});

test('a cluster that is gone and comes back is rendered', () => {
  run();
  run(INPUTS, { eu: TEXTS.eu });
  expect(tree()).not.toHaveProperty(['out/us/a.yaml']);
  expect(run().rendered).toEqual(['us']);
  expect(tree()).toMatchObject(WANTED);
});

test('a run that was killed before it recorded anything leaves what the next one finds out', () => {
  run();
  const before = record;
  run({ us: '2', eu: '2' }, { ...TEXTS, eu: { 'eu/c.yaml': 'c: 2\n' } });
  record = before;
  expect(run().rendered).toEqual(['eu']);
  expect(tree()).toMatchObject(WANTED);
});

test('what changes a file after it was found is not mistaken for its text', () => {
  run();
  const known = new KeptTexts(folder().path('out'), { read: () => record, keep: () => undefined });
  known.textsOf('us', '1', () => new Map());
  expect(known.isUnchanged('us/a.yaml', 'a: 1\n')).toBe(true);
  expect(known.isUnchanged('us/a.yaml', 'a: 2\n')).toBe(false);
  expect(known.isUnchanged('eu/c.yaml', 'c: 1\n')).toBe(false);
  folder().drop('out/us/a.yaml').add({ 'out/us/a.yaml': 'a: 3\n' });
  expect(known.isUnchanged('us/a.yaml', 'a: 1\n')).toBe(false);
});
