import { documents, type Json, judged, list, node, slice } from './build';

interface Case {
  files: Record<string, string>;
  want: string[];
}

const RECORD = "Record it with 'kubectl get nodes,pods,resourceslices -A -o yaml'.";

const broken = (change: Json): string => list(node('n1'), node('n2'), slice('n1', { count: 1, ...change }));

const bad: Record<string, Case> = {
  'a snapshot of another cluster names the nearest': {
    files: { 'snapshots/use.yaml': list() },
    want: [
      "snapshots/use.yaml: the snapshot is of cluster 'use', which the fleet does not have. Rename it after 'us' if you meant that cluster.",
    ],
  },
  'a snapshot of a cluster like none says how to name it': {
    files: { 'production.yaml': list() },
    want: [
      "production.yaml: the snapshot is of cluster 'production', which the fleet does not have. Rename the file to CLUSTER.yaml.",
    ],
  },
  'text that is not YAML has a place': {
    files: { 'us.yaml': 'apiVersion: v1\nkind: [\n' },
    want: [expect.stringMatching(/^us\.yaml:2:7: /) as string],
  },
  'what kubectl says when it fails is no object': {
    files: { 'us.yaml': 'error: you must be logged in\n' },
    want: [`us.yaml:1:1: this map has no apiVersion and no kind. ${RECORD}`],
  },
  'an empty file is what a failed recording leaves': {
    files: { 'us.yaml': '---\n' },
    want: [`us.yaml:1:1: the snapshot is empty. ${RECORD}`],
  },
  'a list whose items do not say what they are is refused': {
    files: { 'us.yaml': 'apiVersion: v1\nkind: NodeList\nitems: []\n' },
    want: [`us.yaml:1:1: the items of a NodeList have no kind. ${RECORD}`],
  },
  'a slice without a driver has a place': {
    files: { 'us.yaml': broken({ spec: { driver: undefined } }) },
    want: [expect.stringMatching(/^us\.yaml:\d+:\d+: the field 'driver' is missing/) as string],
  },
  'a slice whose devices are no list has a place': {
    files: { 'us.yaml': broken({ spec: { devices: 'x' } }) },
    want: [expect.stringMatching(/^us\.yaml:\d+:\d+: expected a list, got text/) as string],
  },
  'a capacity that is no quantity has a place': {
    files: { 'us.yaml': broken({ device: { capacity: { memory: { value: '80 GB' } } } }) },
    want: [expect.stringMatching(/^us\.yaml:\d+:\d+: '80 GB' is not a Kubernetes quantity/) as string],
  },
  'a merge that was not finished is named as such': {
    files: { 'us.yaml': '<<<<<<< HEAD\n' },
    want: [expect.stringMatching(/^us\.yaml:1:1: .* merge-conflict marker/) as string],
  },
  'an object that was recorded twice shows both places': {
    files: { 'us.yaml': list(node('n1')), 'us.nodes.yaml': list(node('n1'), node('n2')) },
    want: ['us.yaml:7:13: v1 Node n1 is recorded twice, first at us.nodes.yaml:7:13. Keep the newer one.'],
  },
  'every problem is reported at once': {
    files: { 'us.yaml': 'x: 1\n', 'eu.yaml': 'y: 1\n' },
    want: [expect.stringMatching(/^eu/) as string, expect.stringMatching(/^us/) as string],
  },
};

test.each(Object.entries(bad))('%s', (_, { files, want }) => {
  expect(judged(files).problems).toEqual(want);
});

const ALL = [node('n1'), node('n2'), slice('n1'), slice('n2')];
const forms: Record<string, Record<string, string>> = {
  'a list': { 'us.yaml': list(...ALL) },
  'a stream of documents': { 'us.yaml': documents(...ALL) },
  JSON: { 'us.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ALL }) },
  'several files': {
    'us.nodes.yaml': list(node('n1'), node('n2')),
    'us.slices.yaml': list(slice('n2'), slice('n1')),
  },
};

test.each(Object.entries(forms))('%s is read', (_, files) => {
  const { lost, problems, notes } = judged(files);
  expect({ lost, problems, note: notes[0] }).toEqual({
    lost: {},
    problems: [],
    note: 'checked against snapshots: us (2 nodes, 2 slices, 0 pods; no date)',
  });
});

const dated = (name: string, metadata: Json, status: Json = {}): Json => node(name, { metadata, status });
const notes: Record<string, Case> = {
  'clusters without a snapshot are judged by declaration': {
    files: { 'us.yaml': list(node('n1'), node('n2')) },
    want: ['checked against snapshots: us (2 nodes, 0 slices, 0 pods; no date)', 'based on declarations: eu'],
  },
  'the newest time of any object says how old a snapshot is': {
    files: {
      'us.yaml': list(
        dated('n1', {
          creationTimestamp: '2026-01-01T00:00:00Z',
          managedFields: [{ time: '2026-03-01T00:00:00Z' }],
        }),
        dated(
          'n2',
          {},
          {
            conditions: [
              { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-09-01T10:00:00.123Z' },
              {
                type: 'X',
                status: 'True',
                lastTransitionTime: '2026-08-01T10:00:00Z',
                reason: '2027-01-01T00:00:00Z',
              },
            ],
          },
        ),
      ),
    },
    want: [expect.stringContaining('2026-09-01T10:00:00Z') as string, expect.anything() as string],
  },
  'the creation of an object is a time': {
    files: {
      'us.yaml': list(dated('n1', { creationTimestamp: '2026-01-01T00:00:00Z' }), node('n2')),
    },
    want: [expect.stringContaining('of 2026-01-01T00:00:00Z') as string, expect.anything() as string],
  },
  'text that is no time does not count': {
    files: { 'us.yaml': list(dated('n1', { creationTimestamp: 'yesterday' }), node('n2')) },
    want: [expect.stringContaining('no date') as string, expect.anything() as string],
  },
  'other kinds are left alone and counted': {
    files: {
      'us.yaml': list(
        node('n1'),
        node('n2'),
        { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'q' } },
        { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'r' } },
      ),
    },
    want: [
      expect.stringContaining('checked against snapshots: us') as string,
      'based on declarations: eu',
      'ignored in snapshots: 2 batch/v1 CronJob',
    ],
  },
  'a snapshot without nodes and slices shows nothing of a pool': {
    files: { 'us.yaml': list() },
    want: ['based on declarations: eu', 'based on declarations, because the snapshot has no nodes of a pool: us'],
  },
};

test.each(Object.entries(notes))('%s', (_, { files, want }) => {
  const said = judged(files);
  expect(said.problems).toEqual([]);
  expect(said.notes).toEqual(want);
});

test('slices alone speak for the only pool of a cluster', () => {
  expect(judged({ 'us.yaml': list(slice('n1')) }).lost).toEqual({ 'us/h100': 1 });
});

test('slices alone do not say which of several pools they are of', () => {
  const pools = [{ name: 'second', className: 'h100' }];
  expect(judged({ 'us.yaml': list(slice('n1')) }, { pools }).lost).toEqual({});
});

/** A message without its place. */
function words(text: string): string {
  return text.replace(/^\S+ /, '');
}

test('the order of objects and files changes nothing', () => {
  const objects = [node('n1', { ready: 'False' }), node('n2'), slice('n1'), slice('n2', { count: 3 })];
  const [a, b] = [
    judged({ 'us.yaml': documents(...objects) }),
    judged({ 'us.yaml': documents(...objects.toReversed()) }),
  ];
  expect(a.lost).toEqual(b.lost);
  expect(a.warnings.map(words)).toEqual(b.warnings.map(words));
});
