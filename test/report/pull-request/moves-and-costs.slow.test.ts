import type { Resource } from '../../../src/api/kinds';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { diffBlocks } from '../../../src/report/diff/diff-text';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aDeployment, aMember, type Doc, MACHINES } from '../../api/build';
import { diff, state } from '../../diff/build';

const H100 = aClass('h100', { provisioning: MACHINES.GKE });
const PRICED = aClass('h100', { price: { perHour: 10 } });
const site = (name: string, nodeCount: number, more: Doc = {}): Resource =>
  aCluster(name, { pools: { h100: { nodeCount } }, ...more });
const gke = (name: string, region: string, nodeCount: number, more: Doc = {}): Resource => {
  const pools = { h100: { nodeCount, zones: [`${region}-a`] } };
  return aCluster(name, { cluster: { source: 'GKE', gke: { region } }, pools, ...more });
};
const DRAINED = { taints: [{ key: 'drain', effect: 'NoExecute' }] };
const model = (id: string, replicas: number, gpus = 4, more: Doc = {}): Resource =>
  aDeployment(id, { replicas, engines: [{ name: 'main', members: [aMember({ gpus })] }], ...more });
const sized = (minNodeCount: number, maxNodeCount: number): Resource =>
  aCluster('us', { pools: { h100: { minNodeCount, maxNodeCount } } });
const filestore = gke('us', 'us-central1', 1, { storage: { sharedFilesystem: {} } });
const twoPools = (...names: string[]): Resource =>
  aCluster('us', { pools: Object.fromEntries(names.map((name) => [name, { className: 'h100', nodeCount: 1 }])) });

const twoKinds = (a: number, b: number): Resource =>
  aCluster('us', { pools: { a: { className: 'h100', nodeCount: a }, b: { className: 'other', nodeCount: b } } });

const LABELLED = { replicaLabels: { a: 'b' } };

const US = gke('us', 'us-central1', 1);
const EU = [1, 2].map((nodes) => gke('eu', 'europe-west4', nodes)) as [Resource, Resource];

function comment(before: Resource[], after: Resource[]): string {
  const [earlier, { decision }] = [state('main', before), state('here', after)];
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [], earlierCost: earlier.cost };
  return formatPullRequestComment(diff(before, after), decision.plan, context);
}

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[]; not?: string[] }> = {
  'a drain is called a drain, and its old replicas are counted until they are finalized': {
    before: [PRICED, site('eu', 1), model('ml/q', 1)],
    after: [PRICED, site('eu', 1, DRAINED), site('us', 1), model('ml/q', 1)],
    want: [
      'Drains `eu`: moves 1 replica of `ml/q` to us. Adds the cluster `us`. ',
      '| 1 | 4 (+4 draining until finalized) | 1 moved: eu → us |',
      'That stops 1 old replica. Nothing runs on `eu` then, but it costs',
      '| **fleet** |  |  | `us/h100` 0 → 1 node: +$7,300 |  |',
    ],
  },
  'the cost with old replicas and the cost after they are finalized are both stated': {
    before: [PRICED, sized(1, 3), model('ml/q', 1, 8)],
    after: [PRICED, sized(1, 3), model('ml/q', 1, 4)],
    want: [
      'Cost: **$0 to +$7,300 a month** (0 to +100 %) until `fleetwright lock --finalize` stops the old replicas, then as before.',
    ],
  },
  'what is less once old replicas are finalized is said where the cost stays until then': {
    before: [PRICED, sized(1, 4), model('ml/q', 2, 8)],
    after: [PRICED, sized(1, 4), model('ml/q', 2, 4)],
    want: [
      'Cost: **$0 to +$7,300 a month** (0 to +50 %) until `fleetwright lock --finalize` stops the old replicas, then **$0 to -$7,300 a month**.',
      '| **fleet, until finalized** |',
      '** | **$0 to -$7,300** |',
    ],
  },
  'nothing is said of a later cost where nodes of a fixed number stay': {
    before: [PRICED, site('us', 2), model('ml/q', 1, 8)],
    after: [PRICED, site('us', 2), model('ml/q', 1, 4)],
    want: [
      ' at $14,600 a month: 4 idle GPUs are used while old replicas serve.',
      '| 8 → 4 until finalized, then 12 |  |  | $7,300 | $3,650 until finalized, then $10,950 | -$3,650 until finalized, then +$3,650 |',
    ],
    not: ['stops the old replicas', 'after finalizing'],
  },
  'why few files cost as much as the smallest volume is said': {
    before: [H100, filestore, model('ml/q', 1)],
    after: [H100, filestore, aCache('ml/w', { sizeGiB: 20 }), model('ml/q', 1, 4, { cache: 'w' })],
    want: [' a month**', '; `ml/w` takes 1,024 GiB, the smallest volume of Filestore (enterprise).'],
  },
  'nothing is said of the smallest volume where the files are larger': {
    before: [H100, filestore, model('ml/q', 1)],
    after: [H100, filestore, aCache('ml/w', { sizeGiB: 2000 }), model('ml/q', 1, 4, { cache: 'w' })],
    want: [' a month**'],
    not: ['smallest volume'],
  },
  'a replica moves to another pool of its cluster, because its own has fewer nodes, and what that saves is said': {
    before: [PRICED, aClass('other'), twoKinds(2, 1), model('ml/q', 3)],
    after: [PRICED, aClass('other'), twoKinds(1, 1), model('ml/q', 3)],
    want: [
      'Declares 1 node instead of 2 in the node pool `us/a`, which moves 1 replica of `ml/q` from us/a to us/b (down while moving; 2 of 3 serve), and may restart 1 replica of `ml/q`. ',
      '. Cost: **-$7,300 a month**',
      '| 1 may restart: us/a gets fewer nodes; 1 moved, down while moving, about 2 to 17 min: us/a → us/b, because us/a has 1 node instead of 2 |',
    ],
  },
  'a replica moves to another cluster, because its own has no room for old and new engines': {
    before: [PRICED, site('eu', 1), site('us', 1), model('ml/q', 1, 8)],
    after: [PRICED, site('eu', 1), site('us', 1), model('ml/q', 1, 4)],
    want: [
      'Moves 1 replica of `ml/q` from eu to us on 4 GPUs instead of 8, because `eu` has no room for old and new replicas at the same time',
      '| 1 moved: eu → us, because eu has no room for old and new replicas at the same time |',
    ],
  },
  'a cost that becomes a range has a range of percents': {
    before: [PRICED, site('us', 1)],
    after: [PRICED, aCluster('us', { pools: { h100: { minNodeCount: 2, maxNodeCount: 3 } } })],
    want: ['Cost: **+$7,300 to +$14,600 a month** (+100 to +200 %).'],
  },
  'nodes without a price that go save what is not known': {
    before: [aClass('h100'), site('us', 1), site('eu', 1)],
    after: [aClass('h100'), site('us', 1), site('eu', 0)],
    want: ['Cost: saves the price of `eu/h100`, which is unknown.'],
  },
  'a replica that is added says on which pools': {
    before: [PRICED, site('eu', 1), site('us', 1), model('ml/q', 1)],
    after: [PRICED, site('eu', 1), site('us', 1), model('ml/q', 3)],
    want: ['| 1 → 3 | 4 → 12 | 2 added on eu/h100, us/h100 |'],
  },
  'replicas that are added on many pools do not name them': {
    before: [PRICED, ...['a', 'b', 'c', 'd'].map((name) => site(name, 1))],
    after: [PRICED, ...['a', 'b', 'c', 'd'].map((name) => site(name, 1)), model('ml/q', 4)],
    want: ['| new: Qwen/Qwen3-8B in vllm-openai:v0.11.0; 4 added |'],
  },
  'a drain whose replicas come to several clusters names all of them': {
    before: [PRICED, site('eu', 1), model('ml/p', 1), model('ml/q', 1)],
    after: [PRICED, site('eu', 1, DRAINED), site('a', 1), site('b', 1), model('ml/p', 1, 8), model('ml/q', 1)],
    want: ['Drains `eu`: moves 1 replica of `ml/p` to a and 1 replica of `ml/q` to b. Adds '],
  },
  'deployments that leave a cluster that goes have the place of each': {
    before: [PRICED, site('eu', 1), model('ml/p', 1), model('ml/q', 1)],
    after: [PRICED, site('a', 1), site('b', 1), model('ml/p', 1, 8), model('ml/q', 1)],
    want: [
      '\nMoves 1 replica of `ml/p` from eu to a and 1 replica of `ml/q` from eu to b with **downtime of about 2 to 17 minutes**, removes ',
      '| 1 moved with downtime, about 2 to 17 min: eu → a | :warning: 0 of 1 |',
    ],
  },
  'pools are named where a replica gets nodes of another class': {
    before: [PRICED, site('eu', 1), model('ml/q', 1)],
    after: [
      PRICED,
      aClass('other', { price: { perHour: 5 } }),
      site('eu', 1, DRAINED),
      aCluster('us', { pools: { other: { nodeCount: 1 } } }),
      model('ml/q', 1),
    ],
    want: [
      'Drains `eu`: moves 1 replica of `ml/q` to us/other',
      '1 moved: eu/h100 → us/other',
      'eu/0 on h100 to other, ',
    ],
  },
  'a pool of a cluster that others create is named where replicas restart on another': {
    before: [PRICED, twoPools('a'), model('ml/q', 1)],
    after: [PRICED, twoPools('b'), model('ml/q', 1)],
    want: ['1 moved with downtime, about 2 to 17 min: us/a → us/b |'],
  },
  'where replicas move, it is said why they do not go to other clusters': {
    before: [PRICED, site('eu', 1), site('asia', 1), model('ml/big', 1, 8), model('ml/q', 1)],
    after: [PRICED, site('eu', 1, DRAINED), site('asia', 1), site('us', 1), model('ml/big', 1, 8), model('ml/q', 1)],
    want: ['    not elsewhere: asia / h100: needs 4 gpu on one node; all its devices are in use'],
  },
  'places that rely on a scheduler that others configure are named': {
    before: [PRICED, site('us', 1), model('ml/q', 1)],
    after: [PRICED, aCluster('us', { pools: { h100: { nodeCount: 1, packing: 'BinPack' } } }), model('ml/q', 1)],
    want: [
      'elies on the scheduler of `us` to pack pods on `h100`. ',
      'First, an administrator of `us` configures its scheduler to pack pods on `h100`; until then ',
    ],
  },
  'another number of nodes of a cluster that others create is named': {
    before: [PRICED, site('us', 1), model('ml/q', 1)],
    after: [PRICED, site('us', 2), model('ml/q', 1)],
    want: [
      'eclares 2 nodes instead of 1 in the node pool `us/h100`. Cost: **+$7,300 a month**',
      '| idle capacity | 4 → 12 |',
    ],
  },
  'a replica that takes idle GPUs of nodes without a known price has an estimate': {
    before: [H100, US, EU[0], model('ml/q', 1)],
    after: [H100, US, EU[0], model('ml/q', 2)],
    want: [
      'Cost unchanged: 4 idle GPUs are used.',
      '| ≈ $32,300 | ≈ $64,600 | +$32,299 |',
      '| idle capacity |  | 12 → 8 |',
      '≈: pools without a',
    ],
    not: ['no price:', 'unknown'],
  },
  'a difference that the amounts do not show is none': {
    before: [PRICED, site('us', 1), model('ml/q', 1, 8)],
    after: [aClass('h100', { price: { perHour: 10.00005 } }), site('us', 1), model('ml/q', 1, 8, LABELLED)],
    want: ['| $7,300 | $7,300 | $0 |'],
  },
  'nodes without a known price are estimated by another region, which is named': {
    before: [H100, US, EU[0], model('ml/q', 1)],
    after: [H100, US, EU[1], model('ml/q', 1)],
    want: ['**about +$64,600 a month** (about +50 %; `eu/h100` priced as in ', '; cost: about +$64,600 a month.'],
    not: ['no price:'],
  },
  'a cluster that is drained and that nothing uses costs until it is removed': {
    before: [PRICED, site('eu', 1), model('ml/q', 1)],
    after: [PRICED, site('eu', 1, DRAINED), site('us', 1), model('ml/q', 1)],
    want: ['Nothing runs on `eu` then, but it costs $7,300 a month until it is removed.'],
    not: ['removes the last replica'],
  },
  'a table has no costs, and no sign of them, where none of them is known': {
    before: [aClass('h100'), site('dc', 2), model('ml/q', 2, 8)],
    after: [aClass('h100'), site('dc', 1), model('ml/q', 1, 8)],
    want: ['| `ml/q` | 2 → 1 | 16 → 8 | 1 removed from dc | ≥ 1 of 2 |'],
    not: ['unknown |', '≥: without'],
  },
  'a sum that is known is exact next to an estimated one': {
    before: [H100, US, model('ml/q', 1)],
    after: [H100, US, EU[0], model('ml/q', 2)],
    want: ['| $32,299 | ≈ $64,600 |'],
  },
  'nodes that no cloud sells have no estimate, and their cluster is named once': {
    before: [H100, US, EU[0], site('dc', 1), model('ml/q', 1)],
    after: [H100, US, EU[1], site('dc', 2), model('ml/q', 1)],
    want: [
      '**about +$64,600 a month** (`eu/h100` priced as in us-central1); unknown for dc (no price stated).',
      '| **≥ $129,000** | **≥ $194,000** | **unknown** |',
      '≥: without the cost of dc.',
    ],
    not: ['$0', 'at known prices'],
  },
  'a cost of which nothing is known is unknown next to a known difference, and no lower bound of 0': {
    before: [H100, US, site('dc', 1), model('ml/q', 2, 8)],
    after: [H100, site('dc', 1), model('ml/q', 1, 8)],
    want: ['| ≥ $64,598 | unknown | -$64,598 |'],
    not: ['$0'],
  },
  'a fleet has the same total by estimates where what changes has a known price': {
    before: [H100, US, EU[0], model('ml/q', 1)],
    after: [H100, gke('us', 'us-central1', 2), EU[0], model('ml/q', 1)],
    want: ['**+$64,598 a month**', '| **≈ $129,000** | **≈ $194,000** | **+$64,598** |'],
  },
  'a new cluster has its missing prices by month below, and a note of what is not counted': {
    before: [H100, US, model('ml/q', 1)],
    after: [H100, US, EU[0], model('ml/q', 1)],
    want: [
      '<summary>No price</summary>\n\n```text\nno price: eu / h100 (us-central1: $64,598 a month a node). State a price',
      'not counted: the control plane and the system pool of `eu`.',
    ],
  },
  'a deployment that gets another name has one row, without a cost where its places stay': {
    before: [aClass('h100'), site('us', 1), model('ml/q', 1)],
    after: [aClass('h100'), site('us', 1), model('ml/p', 1)],
    want: [
      '| `ml/q` → `ml/p` | 1 | 4 | renamed, down for about 2 to 17 min; 1 added; 1 removed | :warning: 0 of 1 |\n',
      ', formerly `ModelDeployment ml/q`\n',
    ],
    not: ['unknown'],
  },
  'a deployment that gets another name and more GPUs costs more': {
    before: [PRICED, site('us', 1), model('ml/q', 1)],
    after: [PRICED, site('us', 1), model('ml/p', 1, 8)],
    want: [
      '| `ml/q` → `ml/p` | 1 | 4 → 8 | renamed, down for about 2 to 17 min; 1 added; 1 removed | :warning: 0 of 1 | $3,650 | $7,300 | +$3,650 |',
    ],
  },
};

describe('a comment', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want, not = [] }) => {
    const text = comment(before, after);
    for (const part of want) expect(text).toContain(part);
    const [head = ''] = text.split('<details>', 1);
    for (const part of not) expect(head).not.toContain(part);
  });

  test('lists all deployments that go down and all that share a row', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `ml/q${i}`);
    const fleet = (image: string): Resource[] => {
      const spec = { containers: [{ name: 'engine', image, args: ['Qwen/Qwen3-8B'] }] };
      const engines = [{ name: 'main', members: [aMember({ gpus: 1, template: { spec } })] }];
      const all = ids.map((id, i) => aDeployment(id, { replicas: i < 10 ? 1 : 2, engines }));
      return [PRICED, site('us', 20), ...all];
    };
    const text = comment(fleet('vllm/vllm-openai:v0.11.0'), fleet('vllm/vllm-openai:v0.12.0'));
    const [, down = '', shared = ''] = text
      .split('<details>')
      .filter((fold, i) => i === 0 || fold.includes('Deployments '));
    expect(down).toContain('Deployments that go down: 10<');
    expect(ids.filter((id) => new RegExp(`${id}\\b`).test(down))).toEqual(ids.slice(0, 10));
    expect(ids.filter((id) => new RegExp(`${id}\\b`).test(shared))).toEqual(ids.slice(10));
    expect(text).toContain('10 restarted, each with downtime, about 3 to 17 min: v0.11.0 → v0.12.0');
    expect(text).toContain('20 restarted, 1 of each deployment at a time, each about 3 to 17 min: v0.11.0 → v0.12.0');
  });
});

test('next to an estimate, which is of a month, all parts of a cost are of a month', () => {
  const after = [H100, gke('us', 'us-central1', 2), EU[0] as Resource];
  const lines = terminalLines(diffBlocks(diff([H100, US], after))).map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith('pool h100   1 -> 2'))).toEqual([
    'pool h100   1 -> 2 nodes, a month: $64,598 -> $129,195 (+$64,598)',
  ]);
  expect(lines).toContain('cluster eu   a month: $0 -> ≈ $64,600 (≈ +$64,600)');
  expect(comment([H100, US], after)).toContain('<summary>Cost a month</summary>');
});

test('a comparison in a terminal has the estimate, the idle GPUs and what is not counted', () => {
  const lines = terminalLines(diffBlocks(diff([H100, US], [H100, US, EU[0]]))).map((line) => line.trim());
  expect(lines).toContain('about +$64,600 a month (eu/h100 priced as in us-central1)');
  expect(lines).toContain('Cost a month: ≈ $64,600 -> ≈ $129,000 (≈ +$64,600)');
  expect(lines).toContain('pool h100   0 -> 1 node, a month: $0 -> ≈ $64,600 (≈ +$64,600)');
  expect(lines).toContain('cluster eu   a month: $0 -> ≈ $64,600 (≈ +$64,600)');
  expect(lines.filter((line) => line.includes('the difference is unknown'))).toEqual([]);
  expect(lines).toContain('idle GPUs: 8 -> 16');
  expect(lines).toContain('not counted: the control plane and the system pool of eu');
});
