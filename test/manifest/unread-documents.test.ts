import { resourceIdOf } from '../../src/api/kinds';
import { DEFAULT_LIMITS } from '../../src/manifest/input-limits';
import type { LoadedManifests } from '../../src/manifest/load-files';
import { unreadNamesOf } from '../../src/manifest/unread-documents';
import { endpoint, load } from './build';

/** A cluster of a name, with what differs in its metadata and spec. */
const cluster = (name: string, spec = ''): string => `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: ${name} }
spec: { cluster: { source: EKS, eks: { region: eu-west-1 } }${spec} }
`;

interface Case {
  text: string;
  limits?: Partial<typeof DEFAULT_LIMITS>;
  want: LoadedManifests['unread'];
}

/** What such a cluster says without the wrong field. */
const VALID = { resource: load(cluster('a')).resources[0]!, without: [['spec', 'region']] };

const cases: Record<string, Case> = {
  'nothing is unread where nothing is wrong': { text: cluster('a'), want: [] },
  'a document with a wrong field has a kind and a name': {
    text: cluster('a', ', region: x'),
    want: [{ kind: 'InferenceCluster', name: 'a', id: 'InferenceCluster a', valid: VALID }],
  },
  'so has one with a key twice in its spec': {
    text: cluster('a', ', region: x, region: y'),
    want: [{ kind: 'InferenceCluster', name: 'a', id: 'InferenceCluster a' }],
  },
  'and one of a namespace has it in its ID': {
    text: endpoint('a').replace(/spec:[^]*/, 'spec: 5\n'),
    want: [{ kind: 'ModelEndpoint', name: 'a', id: 'ModelEndpoint default/a' }],
  },
  'of another version too': {
    text: cluster('a').replace('v1alpha1', 'v2'),
    want: [{ kind: 'InferenceCluster', name: 'a' }],
  },
  'a misspelt kind may be any': {
    text: cluster('a').replace('Cluster\n', 'Clusters\n'),
    want: [{ name: 'a' }],
  },
  'a name of the wrong form may become any': {
    text: cluster('Paris'),
    want: [{ kind: 'InferenceCluster' }],
  },
  'so may one that is no text': { text: cluster('1'), want: [{ kind: 'InferenceCluster' }] },
  'and one that is missing': {
    text: cluster('a').replace('metadata: { name: a }\n', ''),
    want: [{ kind: 'InferenceCluster' }],
  },
  'or misspelt': { text: cluster('a').replace('name: a', 'nam: a'), want: [{ kind: 'InferenceCluster' }] },
  'of a key that occurs twice no one knows which is meant': {
    text: cluster('a').replace('name: a', 'name: a, name: b'),
    want: [{}],
  },
  'a document with holes may be anything': { text: cluster('!x a'), want: [{}] },
  'so may one with a wrong sign': { text: `${cluster('a')}---\na: [\n`, want: [{}] },
  'and a map that is no manifest': { text: 'metadata: { name: a }\n', want: [{}] },
  'and a file after a merge': { text: '<<<<<<< HEAD\n', want: [{}] },
  'and a file that is too large': { text: cluster('a'), limits: { fileBytes: 9 }, want: [{}] },
  'and what comes after the last document that is read': {
    text: `${cluster('a')}---\n${cluster('b')}`,
    limits: { documents: 1 },
    want: [{}],
  },
  'what occurs twice is read': { text: `${endpoint('a')}---\n${endpoint('a')}`, want: [] },
};

test.each(Object.entries(cases))('%s', (_, { text, limits, want }) => {
  expect(load(text, { ...DEFAULT_LIMITS, ...limits }).unread).toEqual(want);
});

const long = 'p'.repeat(41);
const loose: Record<string, string> = {
  'a StorageClass of the cloud': ', storage: { sharedFilesystem: { storageClassName: gp2 } }',
  'a pool with a long name': `, nodePools: [{ name: ${long}, className: x, zones: [eu-west-1a] }]`,
  'a pool with fewer nodes than at least':
    ', nodePools: [{ name: p, className: x, zones: [eu-west-1a], minNodeCount: 2, nodeCount: 1 }]',
  'a pool without zones': ', nodePools: [{ name: p, className: x }]',
  'ranges that are none': ', network: { cidr: 10.0.0.0/33, authorizedNetworks: [all] }',
};

test.each(Object.entries(loose))('%s is reported, and other rules are asked of the cluster', (_, spec) => {
  const { resources, problems, unread } = load(cluster('a', spec));
  expect(resources.map(resourceIdOf)).toEqual(['InferenceCluster a']);
  expect([problems.length > 0, unread]).toEqual([true, []]);
});

test('a cluster with a field of a wrong type is unread, whatever rules it breaks as well', () => {
  const { problems, unread } = load(cluster('a', `${loose['a StorageClass of the cloud']}, paused: maybe`));
  expect(problems.map(({ code }) => code)).toEqual(['wrong-type']);
  expect(unread).toHaveLength(1);
});

test('names of a kind are those of its documents, unless one may have any', () => {
  const known = [{ kind: 'InferenceCluster', name: 'a' }, { kind: 'ModelService' }];
  expect(unreadNamesOf(known, 'InferenceCluster')).toEqual(['a']);
  expect(unreadNamesOf([], 'InferenceCluster')).toEqual([]);
  expect(unreadNamesOf([...known, { kind: 'InferenceCluster' }], 'InferenceCluster')).toBeUndefined();
  expect(unreadNamesOf([...known, { name: 'b' }], 'InferenceCluster')).toBeUndefined();
});
