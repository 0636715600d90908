import { rmSync } from 'node:fs';
import { SMALL, Workspace } from './cli';

const PRICED = SMALL.replace('spec:\n', 'spec:\n  price: { perHour: 10, asOf: 2026-10-31 }\n');

/** A part with one cluster, named after it, and the folder of all summaries. */
function part(name: string, settings = ''): string {
  return `${PRICED.replaceAll('name: us', `name: ${name}`)}---
apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: ${name} }
spec:
  policies: ./policy.yaml
${settings}`;
}
const OTHERS = '  otherParts: [../summaries/*.json]\n';
const rules = (rule: string) => `rules:\n  - name: limit\n    ${rule}\n`;

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({
    'us/fleet.yaml': part('us'),
    'eu/fleet.yaml': part('eu'),
    ...Object.fromEntries(['us', 'eu'].map((name) => [`${name}/policy.yaml`, rules('moves: { most: 9 }')])),
    'summaries/.keep': '',
  });
  for (const name of ['us', 'eu']) {
    expect(work.run(`plan ./${name} --summary ./summaries/${name}.json`)).toMatchObject({ code: 0, err: '' });
  }
  for (const name of ['us', 'eu']) work.write({ [`${name}/fleet.yaml`]: part(name, OTHERS) });
});
afterEach(() => work.remove());

const plan = (flags = '') => work.run(`plan ./us --allow-outside ${flags}`.trim());
function summary(name: string): Record<string, unknown> {
  return JSON.parse(work.files()[`summaries/${name}.json`] ?? '') as Record<string, unknown>;
}

test('a summary has what limits of the whole fleet count, and the same bytes each time', () => {
  const { perMonth, ...rest } = summary('eu');
  expect(rest).toEqual({
    kind: 'PartSummary',
    version: 1,
    part: 'eu',
    clusters: ['eu'],
    replicas: 1,
    currency: 'USD',
    unknown: 0,
    namespaces: [{ namespace: 'ml', perMonth: 7300, unknown: 0 }],
    devices: [{ namespace: 'ml', deviceClass: 'gpu.nvidia.com', count: 8 }],
  });
  const before = work.files()['summaries/eu.json'];
  work.run('plan ./eu --allow-outside --summary ./summaries/eu.json');
  expect(work.files()['summaries/eu.json']).toBe(before);
  expect(perMonth).toBe(14_600);
});

test('a plan says what the fleet has with its other parts, and counts its own summary once', () => {
  expect(plan().out).toContain('With 1 other part (1 replica), the fleet has 2 clusters and costs $29,200 a month.');
});

test.each([
  ['deviceQuota: { most: 16 }', 0, ''],
  ['deviceQuota: { most: 15 }', 4, 'the fleet with 1 other part uses 16 of gpu.nvidia.com, and the limit is 15'],
  ['deviceQuota: { most: 15, namespace: ml }', 4, 'namespace ml with 1 other part uses 16 of gpu.nvidia.com'],
  ['budget: { perMonth: 29200 }', 0, ''],
  ['budget: { perMonth: 29199 }', 4, 'the fleet with 1 other part costs $29,200, and the limit is $29,199 a month'],
  ['budget: { perMonth: 14599, namespace: ml }', 4, 'namespace ml with 1 other part costs $14,600'],
  ['budget: { perMonth: 1, namespace: other }', 0, "the fleet has no resource in namespace 'other'"],
])('%s counts all parts, in a plan and in a lock', (rule, code, what) => {
  work.write({ 'us/policy.yaml': rules(rule) });
  const planned = plan();
  expect(planned.code).toBe(code);
  expect(planned.out).toContain(what);
  expect(work.run('lock ./us --allow-outside').code).toBe(code);
});

test('a replica without a place in a part has the reasons of the clusters of this part, whatever room another has', () => {
  work.write({ 'us/fleet.yaml': part('us', OTHERS).replace('replicas: 1', 'replicas: 9') });
  const { code, out } = plan();
  expect(code).toBe(3);
  expect(out).toContain('(0 of 1 cluster fits: 1 without room)');
  expect(out).toMatch(/us \/ \S+ +capacity +needs 8 gpu on one node; all its 16 devices are in use\n/);
  expect(out).toContain('cheapest: ');
});

test('a rule about a namespace that only another part has is no idle rule', () => {
  const devices = [{ namespace: 'search', deviceClass: 'amd.com/gpu', count: 1 }];
  const namespaces = [{ namespace: 'search', perMonth: 5, unknown: 0 }];
  work.write({ 'summaries/eu.json': JSON.stringify({ ...summary('eu'), devices, namespaces }) });
  work.write({ 'us/policy.yaml': rules('deviceQuota: { most: 0, namespace: search, deviceClass: amd.com/gpu }') });
  const { code, out } = plan();
  expect(code).toBe(4);
  expect(out).toContain('namespace search with 1 other part uses 1 of amd.com/gpu, and the limit is 0');
  expect(out).not.toContain('idle-rule');
});

test('pools without a price make a budget unsure', () => {
  work.write({ 'summaries/eu.json': JSON.stringify({ ...summary('eu'), perMonth: 1, unknown: 2 }) });
  work.write({ 'us/policy.yaml': rules('budget: { perMonth: 20000 }') });
  const { code, out } = plan();
  expect(code).toBe(0);
  expect(out).toContain(
    'it is unknown whether the fleet with 1 other part costs more than $20,000 a month: 2 pools or volumes have',
  );
  expect(out).toContain('costs at least $14,601 a month');
});

const bad: Record<string, [change: () => void, want: string]> = {
  'no file': [
    () => work.write({ 'us/fleet.yaml': part('us', '  otherParts: [../none/*.json]\n') }),
    "no file matches '../none/*.json'. Write one of each part with 'fleetwright plan PART --summary FILE'.",
  ],
  'a cluster of another part': [
    () => work.write({ 'summaries/eu.json': JSON.stringify({ ...summary('eu'), clusters: ['us'] }) }),
    "summaries/eu.json:1:59: cluster 'us' is in this part too. Declare a cluster in one part only.",
  ],
  'two summaries of a part': [
    () => work.write({ 'summaries/eu2.json': JSON.stringify(summary('eu')) }),
    "part 'eu' has two summaries. Remove one of the two files.",
  ],
  'another currency': [
    () => work.write({ 'summaries/eu.json': JSON.stringify({ ...summary('eu'), currency: 'EUR' }) }),
    "the costs of part 'eu' are in EUR, and those of this part in USD. Use one currency in all parts.",
  ],
  'a file that is something else': [
    () => work.write({ 'summaries/eu.json': '{"kind": "Plan", "version": 2}' }),
    'summaries/eu.json:1:10: ',
  ],
};

test.each(Object.entries(bad))('%s is refused with its place', (_, [change, want]) => {
  change();
  const { code, out, err } = plan();
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(want);
});

test('the first summary is written where the folder has none, with a warning that says so, and the gate needs those of all', () => {
  const remove = (...names: string[]) => names.map((name) => rmSync(work.path(`summaries/${name}.json`)));
  remove('us', 'eu');
  expect(plan()).toMatchObject({ code: 1, out: '' });
  const { code, out, err } = plan('--summary ./summaries/us.json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(
    "warning: us/fleet.yaml:54:16: no file matches '../summaries/*.json' yet, as expected before the first summary is written. Run 'fleetwright plan PART --summary FILE' for each part, then for this one again.",
  );
  expect(summary('us')).toMatchObject({ part: 'us', replicas: 1 });
  remove('us');
  work.write({ 'before/fleet.yaml': part('us'), 'before/policy.yaml': rules('moves: { most: 9 }') });
  expect(plan('--against ./before --gate --summary ./summaries/us.json')).toMatchObject({ code: 1, out: '' });
});

test('a part without a name has no summary', () => {
  work.write({ 'one/fleet.yaml': SMALL });
  expect(work.run('plan ./one --summary ./summaries/us.json')).toMatchObject({
    code: 1,
    err: "one: the fleet has no Fleet resource, whose name is that of the part. Add a resource of kind Fleet with 'metadata.name'.\n",
  });
});
