import type { Resource } from '../../src/api/kinds';
import { terminalLines } from '../../src/report/document/write-terminal';
import { diffBlocks } from '../../src/report/diff/diff-text';
import { formatStep } from '../../src/report/diff/change-steps';
import { listFirstSteps } from '../../src/report/pull-request/first-steps';
import { aClass, aCluster, type Doc, MACHINES } from '../api/build';
import { diff } from './build';

const classes = (['GKE', 'EKS', 'AKS'] as const).map((source) =>
  aClass(source.toLowerCase(), { provisioning: MACHINES[source] }),
);
const site = (name: string, source: string, options: Doc = {}): Resource =>
  aCluster(name, {
    source,
    pools: { [source === 'Existing' ? 'gke' : source.toLowerCase()]: 1 },
    ...options,
  });
const moved = site('us', 'GKE', {
  cluster: { source: 'GKE', gke: { region: 'us-east4' } },
  pools: { gke: { nodeCount: 1, zones: ['us-east4-a'] } },
  deletionProtection: false,
});
const first = (names: string, refuses: string, what = 'the cluster'): string =>
  `First, in a change before this one: set 'deletionProtection: false' of ${names} and apply it; otherwise ${refuses} refuses to delete ${what}.`;

test.each<[string, Resource[], Resource[], string[]]>([
  [
    'a removed cluster that is protected by default cannot be deleted before its protection is off',
    [site('eu', 'EKS'), site('us', 'GKE')],
    [site('us', 'GKE')],
    [first('eu', 'the cloud')],
  ],
  ['one whose protection is off already can be', [site('eu', 'EKS', { deletionProtection: false })], [], []],
  ['one that others make is not deleted', [site('dc', 'Existing')], [], []],
  [
    'what the change itself says does not help a cluster that is deleted and created again',
    [site('us', 'GKE')],
    [moved],
    [first('us', 'the cloud')],
  ],
  [
    'an edit that deletes nothing needs no such step',
    [site('us', 'GKE')],
    [site('us', 'GKE', { deletionProtection: false })],
    [],
  ],
  [
    'several clusters share a line, but those that Pulumi protects have their own',
    [site('a', 'GKE'), site('b', 'EKS'), site('c', 'AKS')],
    [],
    [first('a, b', 'the cloud', 'the clusters'), first('c', 'Pulumi')],
  ],
])('%s', (_, before, after, want) => {
  const found = diff([...classes, ...before], [...classes, ...after]);
  const inTerminal = terminalLines(diffBlocks(found)).map((line) => line.trim());
  expect(inTerminal.filter((line) => line.startsWith('First'))).toEqual(want);
  const inComment = listFirstSteps([], found)
    .map(formatStep)
    .filter((line) => line.startsWith('First'));
  expect(inComment.map((line) => line.replaceAll('`', ''))).toEqual(want);
});
