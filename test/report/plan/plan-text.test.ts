import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatPlan, planBlocks } from '../../../src/report/plan/plan-text';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, byPath, MACHINES } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';
import { cluster, deployment, fleetOf, nodeClass } from '../../scheduler/build';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const siteAt = (name: string) => aCluster(name, { pools: { h100: 4 }, labels: { site: name } });
const sites = ['eu', 'us'].map(siteAt);
const pin = (cluster: string) => ({ clusterSelector: { matchLabels: { site: cluster } } });
const chat = (replicas: number) => aDeployment('ml/chat', { replicas, ...pin('us') });
const search = (cluster: string) => aDeployment('ml/search', { replicas: 1, ...pin(cluster) });

const locked = decide(assemble([H100, ...sites, chat(2), search('us')]), byPath, EMPTY_LOCK).lock;

/** The lines of a plan from the lock, without warnings and cost. */
function shown(later: Parameters<typeof assemble>[0], all = false): string[] {
  const { plan } = decide(assemble(later), byPath, locked);
  const command = 'fleetwright plan fleet --all';
  return terminalLines(planBlocks({ ...plan, warnings: [], notes: [] }, 'fleet', { all, command })).filter(
    (line) => line !== '' && !/^(?:Cost|  no price)/.test(line),
  );
}

const rows: Record<string, { later: Parameters<typeof assemble>[0]; all?: boolean; want: string[] }> = {
  'nothing changes: what there is is counted, with the command that lists it': {
    later: [H100, ...sites, chat(2), search('us')],
    want: [
      'Fleet fleet: 2 clusters, 2 pools, 2 deployments, 3 replicas',
      "2 deployments whose replicas keep their places: 'fleetwright plan fleet --all' lists them.",
      "Must exist before manifests are applied: 1 object on 1 cluster; 'fleetwright plan fleet --all' lists them.",
      'Total: 3 keep their places.',
    ],
  },
  'a replica more: its deployment alone is listed, and replicas that stay are counted': {
    later: [H100, ...sites, chat(3), search('us')],
    want: [
      'Fleet fleet: 2 clusters, 2 pools, 2 deployments, 4 replicas',
      '  ml/chat   3 replicas, 2 keep their places',
      '    + us/2   pool h100: 1 gpu',
      "1 deployment whose replicas keep their places: 'fleetwright plan fleet --all' lists them.",
      "Must exist before manifests are applied: 1 object on 1 cluster; 'fleetwright plan fleet --all' lists them.",
      'Total: 1 placed, 3 keep their places.',
    ],
  },
  'a replica on another cluster: what must exist there is new': {
    later: [H100, ...sites, chat(2), search('us'), aDeployment('ml/new', { replicas: 1, ...pin('eu') })],
    want: [
      'Fleet fleet: 2 clusters, 2 pools, 3 deployments, 4 replicas',
      '  ml/new   1 replica',
      '    + eu/0   pool h100: 1 gpu',
      "2 deployments whose replicas keep their places: 'fleetwright plan fleet --all' lists them.",
      'New here, and must exist before manifests are applied:',
      '  eu',
      '    Namespace ml, for ModelDeployment ml/new',
      "Other objects that must exist: 1 object on 1 cluster; 'fleetwright plan fleet --all' lists them.",
      'Total: 1 placed, 3 keep their places.',
    ],
  },
  'all is asked for: what stays is listed too': {
    later: [H100, ...sites, chat(2), search('us')],
    all: true,
    want: [
      'Fleet fleet: 2 clusters, 2 pools, 2 deployments, 3 replicas',
      '  ml/chat   2 replicas',
      '    = us/0   pool h100: 1 gpu',
      '    = us/1   pool h100: 1 gpu',
      '  ml/search   1 replica',
      '    = us/0   pool h100: 1 gpu',
      'Must exist before manifests are applied:',
      '  us',
      '    Namespace ml, for ModelDeployment ml/chat, ModelDeployment ml/search',
      'Total: 3 keep their places.',
    ],
  },
};

test.each(Object.entries(rows))('%s', (_, { later, all, want }) => {
  expect(shown(later, all)).toEqual(want);
});

test('a plan from a lock names the command that shows which pods restart, as a lock has places only', () => {
  const { plan } = decide(assemble([H100, ...sites, chat(2), search('us')]), byPath, locked);
  const view = { all: false, command: 'plan --all', compare: 'plan --against REVISION' };
  expect(terminalLines(planBlocks(plan, 'fleet', view))).toContain(
    "Whether their pods restart: 'plan --against REVISION'.",
  );
});

test('a plan from no lock lists everything, as all of it is new', () => {
  const { plan } = decide(assemble([H100, ...sites, chat(2), search('us')]), byPath, EMPTY_LOCK);
  expect(plan.mustExistNew).toEqual(plan.mustExist);
  expect(formatPlan(plan, 'fleet')).toContain('Must exist before manifests are applied:\n  us\n    Namespace ml');
});

const entries: Record<string, { track: string; want: string[] }> = {
  'a service of which an entry selects nothing is listed, because another gets its share': {
    track: 'stabel',
    want: ['ml/chat'],
  },
  'one whose entries select replicas is counted': { track: 'stable', want: [] },
};

test.each(Object.entries(entries))('%s', (_, { track, want }) => {
  const models = ['stable', 'next'].map((one) => aModel(`ml/${one}`, { replicaLabels: { track: one } }));
  const split = aSplit('ml/chat', [to({ track }), to({ track: 'next' })]);
  const fleet = assemble([H100, aSite('us'), aDoor(['us']), ...models, split]);
  const { lock } = decide(fleet, byPath, EMPTY_LOCK);
  const text = formatPlan(decide(fleet, byPath, lock).plan, 'fleet');
  expect([...text.matchAll(/^ {2}(ml\/\S+) {3}http/gm)].map(([, name]) => name)).toEqual(want);
});

test.each([
  [
    'of one deployment without places, the cheapest change is the cheapest',
    ['a'],
    ['cheapest: 1 more node in us / h100 (8 GPUs'],
  ],
  [
    'of several, the cheapest change of each is for it alone',
    ['a', 'b'],
    Array<string>(2).fill('cheapest for it alone: 1 more node in us / h100 (8 GPUs'),
  ],
])('%s', (_, names, want) => {
  const short = names.map((name) => deployment(`ml/${name}`));
  const fleet = fleetOf(nodeClass('h100'), cluster('us', { h100: 'h100 x 0' }), ...short);
  const text = formatPlan(decide(fleet, byPath, EMPTY_LOCK).plan, 'fleet');
  expect(text.match(/cheapest.*GPUs/g)).toEqual(want);
});
