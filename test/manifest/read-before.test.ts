import { resourceIdOf } from '../../src/api/kinds';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import { loadManifests } from '../../src/manifest/load-manifests';

const cluster = (name: string, region = 'us'): string => `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: ${name}, labels: { region: ${region}, tier: a } }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: kubeconfig } } }
`;

const files = (texts: Record<string, string>) => Object.entries(texts).map(([path, text]) => ({ path, text }));

const read = (texts: Record<string, string>, before?: ReturnType<typeof loadManifests>) =>
  loadManifests(files(texts), undefined, undefined, before?.readings);

const BEFORE = { 'a.yaml': `${cluster('one')}---\n${cluster('two')}`, 'b.yaml': cluster('three') };

/** Files, and which of their resources are the objects that were read before. */
const cases: Record<string, { texts: Record<string, string>; shared: string[] }> = {
  'files of the same text hold the same objects': { texts: BEFORE, shared: ['one', 'three', 'two'] },
  'a file may have moved': { texts: { 'x.yaml': BEFORE['a.yaml'] }, shared: ['one', 'two'] },
  'a file of another text is parsed again': {
    texts: { 'a.yaml': `# later\n${BEFORE['a.yaml']}`, 'b.yaml': BEFORE['b.yaml'] },
    shared: ['three'],
  },
  'a declaration that occurs twice is reported as if nothing had been read before': {
    texts: { ...BEFORE, 'c.yaml': cluster('three') },
    shared: ['one', 'three', 'two'],
  },
  'a file with a mistake is read whole': {
    texts: { 'a.yaml': `${BEFORE['a.yaml']}nope: 1\n`, 'b.yaml': BEFORE['b.yaml'] },
    shared: ['three'],
  },
};

test.each(Object.entries(cases))('%s', (_, { texts, shared }) => {
  const before = read(BEFORE);
  const [beside, alone] = [read(texts, before), read(texts)];
  expect(beside.resources).toEqual(alone.resources);
  expect(beside.problems).toEqual(alone.problems);
  for (const one of alone.resources) {
    expect(beside.locate(one, ['spec'])).toBe(alone.locate(one, ['spec']));
  }
  const known = new Set(before.resources);
  const same = beside.resources.filter((one) => known.has(one)).map(({ metadata }) => metadata.name);
  expect(same).toEqual(shared);
  expect(new Set(beside.resources.map(resourceIdOf)).size).toBe(beside.resources.length);
});

const repeating = cluster('one').replace(
  '{ name: one, labels: { region: us, tier: a } }',
  '\n  name: one\n  labels:\n    region: &us us\n    tier: *us',
);

/** The same in brackets, which the YAML library reads. */
const repeatingInBraces = cluster('one').replace('region: us', 'region: &us us').replace('tier: a', 'tier: *us');

test.each([repeating, repeatingInBraces])('values that aliases repeat count each time that a file is read', (text) => {
  const few = { ...DEFAULT_LIMITS, aliasedValues: 1 };
  const { readings } = loadManifests(files({ 'a.yaml': text }), few);
  const second = text.replace('name: one', 'name: two');
  for (const texts of [
    { 'a.yaml': text, 'b.yaml': second },
    { 'a.yaml': second, 'b.yaml': text },
  ]) {
    const { problems } = loadManifests(files(texts), few, undefined, readings);
    expect(problems.map(({ code }) => code)).toEqual(['alias-bomb']);
  }
  expect(loadManifests(files({ 'a.yaml': text }), few, undefined, readings).readings?.get(text)).toBe(
    readings?.get(text),
  );
});

test('a file with a mistake or with documents of others is parsed each time', () => {
  const texts = {
    'foreign.yaml': `${cluster('two')}---\napiVersion: v1\nkind: Secret\n`,
    'wrong.yaml': `${cluster('three')}  nope: 1\n`,
    'sound.yaml': cluster('four'),
  };
  const { readings, ignored } = read(texts);
  expect([...(readings?.keys() ?? [])]).toEqual([texts['sound.yaml']]);
  expect(read(texts, read(texts)).ignored).toEqual(ignored);
});
