import type { Resource } from '../../../src/api/kinds';
import { findGateFindings } from '../../../src/diff/gate-findings';
import type { FleetDiff } from '../../../src/diff/fleet-diff';
import { formatTierNotes } from '../../../src/report/pull-request/staging-notes';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aDeployment, aMember, type Doc, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';
import { comment } from './unplaced-comment';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const FILES = aCache('ml/w', { sizeGiB: 2000 });
const gke = (name: string, more: Doc = {}): Resource =>
  aCluster(name, {
    cluster: { source: 'GKE', gke: { region: 'us-central1' } },
    pools: { h100: { nodeCount: 2, zones: ['us-central1-a'] } },
    storage: { sharedFilesystem: {} },
    ...more,
  });
const model = (replicas: number, { name = 'ml/q', ...more }: Doc & { name?: string } = {}): Resource =>
  aDeployment(name, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }], ...more });
const LOST = { taints: [{ key: 'lost', effect: 'NoExecute' }] };
const DRAINED = { taints: [{ key: 'drain', effect: 'NoExecute' }] };

const cases: Record<string, { before: Resource[]; after: Resource[]; want: RegExp }> = {
  'is a row of its own below those of deployments': {
    before: [H100, gke('us'), model(1)],
    after: [H100, gke('us'), FILES, model(1, { cache: 'w' })],
    want: /\n\| volumes of caches \|[ |]* \$0 \| \$(?<amount>[\d,]+) \| \+\$\k<amount> \|\n\| \*\*fleet/,
  },
  'has no row where it stays': {
    before: [H100, gke('us'), FILES, model(1, { cache: 'w' })],
    after: [H100, gke('us'), FILES, model(2, { cache: 'w' })],
    want: /^(?!.*volumes of caches)/s,
  },
  'is named where it goes once old replicas are finalized': {
    before: [H100, gke('eu'), gke('us'), FILES, model(2, { cache: 'w' })],
    after: [H100, gke('eu', DRAINED), gke('us'), FILES, model(2, { cache: 'w' })],
    want: /stops the old replicas, then \*\*-\$[\d,]+ a month\*\* \(the volume of `ml\/w` on `eu`\)\.\n/,
  },
  'stays on a lost cluster with the replicas that have no place elsewhere': {
    before: [H100, gke('eu'), gke('us'), FILES, model(4, { cache: 'w' })],
    after: [H100, gke('eu', LOST), gke('us'), FILES, model(4, { cache: 'w' })],
    want: /^(?!.*volumes of caches)(?!.*finaliz).*Declares `eu` lost/s,
  },
};

test.each(Object.entries(cases))('the cost of the volume of a cache %s', (_, { before, after, want }) => {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  expect(formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context)).toMatch(want);
});

test.each([
  ['a new cache', [], '`ml/w` from `Qwen/Qwen3-8B` on `us` (a volume of 2,000 GiB)'],
  ['a cache that was declared before', [FILES], '`ml/w` on `us` (a volume of 2,000 GiB)'],
])('the source of %s is named if it is new', (_, earlier, want) => {
  const text = comment([H100, gke('us'), ...earlier, model(1)], [H100, gke('us'), FILES, model(1, { cache: 'w' })]);
  expect(text).toContain(` stages the cache ${want}`);
});

test.each([
  ['a volume', 'w', 1],
  ['2 volumes', 'v', 2],
])('what a fleet saves where a replica no longer runs includes %s', (what, second, nodes) => {
  const cached = ['w', second].map((cache, i) => model(1, { name: `ml/z${i}`, cache }));
  const caches = [FILES, aCache('ml/v', { sizeGiB: 2000 })];
  const on = (nodeCount: number): Resource[] => {
    const pools = { h100: { nodeCount, zones: ['us-central1-a'] } };
    return [H100, gke('us', { pools }), model(1), ...caches, ...cached.slice(0, nodes)];
  };
  const verb = nodes === 1 ? '1 replica then does' : '2 replicas then do';
  expect(comment(on(1 + nodes), on(1))).toContain(`, because nodes of \`us/h100\` and ${what} go; ${verb} not run.`);
});

const NEEDS_ROOM = 'Until the old files are removed, the volume of';
const STAGED_FIRST =
  'Argo CD stages files before it restarts replicas. With other tools, apply the files `01_cache.*` of `us` first,';

test.each([
  [['a', 'b'], /tages the files of the caches `ml\/a` and `ml\/b` again on `us` \(volumes of 4,000 GiB in all\)/],
  [['a', 'b', 'c', 'd'], /tages the files of 4 caches again on `us` \(volumes of 8,000 GiB in all\)/],
])('caches that a storage class moves to new volumes are named together: %s', (names, want) => {
  const on = (storageClassName: string): Resource[] => [
    H100,
    aCluster('us', { pools: { h100: 2 }, storage: { sharedFilesystem: { storageClassName } } }),
    ...names.flatMap((name) => [aCache(`ml/${name}`, { sizeGiB: 2000 }), aDeployment(`ml/${name}`, { cache: name })]),
  ];
  const [before, after] = [on('nfs'), on('lustre')];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  expect(text).toMatch(want);
  expect(text).toContain(STAGED_FIRST);
  expect(text).not.toContain(NEEDS_ROOM);
});

/** A model with the files of a revision, which starts before it stops where it has a surge. */
const staged = (revision: string, surge = 1): Resource[] => [
  H100,
  aCluster('us', { pools: { h100: 2 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
  aCache('ml/a', { sizeGiB: 2000, huggingFace: { repo: 'a/b', revision: revision.repeat(40) } }),
  aDeployment('ml/a', { cache: 'a', rollout: { surge } }),
];

test('replicas that start before others stop wait for no files while they are down', () => {
  const [before, after] = [staged('a'), staged('b')];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const comment = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  expect(comment).toMatch(/tages the files of the cache `ml\/a` again/);
  expect(comment).not.toContain('With other tools');
  expect(comment).toContain(`${NEEDS_ROOM} \`ml/a\` (2,000 GiB) has the old and the new files. Check `);
});

test.each([
  ['Argo CD restarts replicas when their files are there, so that they are down for no longer', 'perCluster', ''],
  ['other tools let them wait for files', 'withWaves', ' plus the time to stage its cache (not with Argo CD)'],
] as const)('%s', (_, applied, wait) => {
  const [before, after] = ['a', 'b'].map((revision) => staged(revision, 0)) as [Resource[], Resource[]];
  const [change, located] = [diff(before, after), state('here', after).decision];
  const context = { before: state('there', before).decision, after: located, applied, acceptRemovals: false };
  const findings = findGateFindings(change, context);
  const gate = { applied, worse: [], findings, located: { ...located, locate: () => 'a.yaml:1:1' } };
  const comment = formatPullRequestComment(change, located.plan, {
    name: 'fleet',
    verdicts: [],
    earlierWarnings: [],
    gate,
  });
  const lines = comment.replaceAll('\\', '').split('\n');
  expect(lines.filter((line) => /downtime(,|\*\*| of)|no serving replica/.test(line))).toEqual([
    expect.stringContaining(`with **downtime of about 2 to 11 minutes${wait}**`),
    expect.stringContaining(`has no serving replica for about 2 to 11 minutes${wait} while`),
    expect.stringContaining(`with downtime, about 2 to 11 min${wait}: `),
  ]);
});

test.each<[string, Doc, string | undefined]>([
  [
    'on GKE without a tier may be larger',
    { sharedFilesystem: { storageClassName: 'fast' } },
    '**If the storage class `fast` of `us` is one of Filestore**, the volume of `ml/a` there has at least 1,024 GiB and costs more. To count that, declare `spec.storage.sharedFilesystem.tier` of `us`.',
  ],
  [
    'of a class that has its name is probably larger',
    { sharedFilesystem: { storageClassName: 'filestore-enterprise' } },
    'By its name, the storage class `filestore-enterprise` of `us` is one of Filestore. If it is, the volume of `ml/a` there has at least 1,024 GiB and costs more. To count that, declare `spec.storage.sharedFilesystem.tier` of `us`.',
  ],
  [
    'with a tier has the size that is counted',
    { sharedFilesystem: { storageClassName: 'fast', tier: 'Zonal' } },
    undefined,
  ],
])('the volume of a small cache %s', (_, storage, note) => {
  const labels = { 'fleetwright.dev/provider': 'GKE' };
  const site = aCluster('us', { source: 'Existing', labels, pools: { h100: 2 }, storage });
  const resources = [H100, site, aDeployment('ml/a', { cache: 'a' }), aCache('ml/a', { sizeGiB: 40 })];
  const [before, after] = [resources.slice(0, 2), resources];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const comment = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  expect(comment.split('\n').find((line) => line.includes('is one of Filestore'))).toBe(note);
});

test('the volume of a small cache has the price of the smallest one next to its own', () => {
  const changed = {
    caches: [{ action: 'stage', cache: 'ml/a', cluster: 'us', unknownTier: 'shared' }],
    cost: {
      currency: 'USD',
      clusters: [
        { cluster: 'us', volumes: [{ cache: 'ml/a', after: { perMonth: 0.5 }, sizeGiB: { before: 0, after: 2 } }] },
      ],
    },
  } as unknown as FleetDiff;
  expect(formatTierNotes(changed)[0]).toContain(' and costs **about $256 a month** instead of $0.50. ');
});

test('the volume of a cache that takes the place of another one is as large', () => {
  const labels = { 'fleetwright.dev/provider': 'GKE' };
  const storage = { sharedFilesystem: { storageClassName: 'fast' } };
  const site = aCluster('us', { source: 'Existing', labels, pools: { h100: 2 }, storage });
  const [before, after] = ['a', 'b'].map((cache): Resource[] => [
    H100,
    site,
    aDeployment('ml/q', { cache }),
    aCache(`ml/${cache}`, { sizeGiB: 40 }),
  ]) as [Resource[], Resource[]];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const comment = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  expect(comment).toContain('ml/b');
  expect(comment).not.toContain('If the storage class');
});
