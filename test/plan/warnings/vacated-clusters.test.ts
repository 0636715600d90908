import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, anEngine, byPath, type Doc } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

const base = [aClass('h100'), aDoor(['us'])];
const site = (name: string, nodes: number): Resource => aSite(name, { pools: { h100: { nodeCount: nodes } } });
const APPS = { from: [{ namespaceSelector: { matchLabels: { team: 'apps' } } }] };

/** A deployment whose replicas take a node each. */
const model = (name: string, on: string[], more: Doc = {}): Resource =>
  aModel(`ml/${name}`, { on, replicaLabels: { app: name }, engines: [anEngine('main', { gpus: 8 })], ...more });
const any = (more: Doc = {}): Resource => model('any', ['us', 'eu', 'ap'], { networkPolicy: APPS, ...more });
const service = aSplit('ml/chat', [to({ app: 'any' })]);

const WHY = expect.stringMatching(
  /^ModelDeployment ml\/any.*: the rebalance moves ml\/any and its Service any-\w+ off us once old replicas are finalized: clients there get no answer any more\. If a client uses it there, name another deployment that can move: '--rebalance NAMESPACE\/NAME'\. Or add nodes\.$/,
);
const WHY_AT_ONCE = expect.stringContaining(' off us: clients there get no answer any more. ');

interface Row {
  /** What the lock is written for. Default: a deployment on a cluster of one node. */
  before?: Resource[];
  /** What is added, with another cluster. Default: a deployment that only the first one suits. */
  added?: Resource[];

  /** What is declared instead of what the lock is written for. Default: the same. */
  after?: Resource[];
  rebalance?: false;
  want: unknown[];
}

const rows: Record<string, Row> = {
  'a rebalance that takes the last replica of a cluster warns of the clients there': { want: [WHY] },
  'it warns where no NetworkPolicy keeps pods out': {
    before: [site('us', 1), any({ networkPolicy: { enabled: false } })],
    want: [WHY],
  },
  'it says nothing where only gateways are admitted': { before: [site('us', 1), any({ networkPolicy: {} })], want: [] },
  'it says nothing where a service sends requests to the other replicas': {
    before: [site('us', 1), any(), service],
    want: [],
  },
  'it says nothing where another replica stays on the cluster': {
    before: [site('us', 2), any({ replicas: 2 })],
    want: [],
  },
  'where the replica stops before its replacement serves, the clients lose it at once': {
    before: [site('us', 1), site('eu', 1), model('one', ['us', 'eu'], { priority: 1 }), any()],
    added: [model('only', ['eu']), model('x', ['us'])],
    want: [WHY_AT_ONCE],
  },
  'it says nothing of moves that a declaration asks for': {
    before: [site('us', 0), site('eu', 1), any()],
    added: [model('only', ['us'])],
    after: [site('us', 2), any()],
    want: [],
  },
  'without a rebalance nothing moves': { rebalance: false, want: [] },
};

test.each(Object.entries(rows))('%s', (_, row) => {
  const {
    before = [site('us', 1), any()],
    added = [model('only', ['us'])],
    after = before,
    rebalance = {},
    want,
  } = row;
  const { lock } = decide(assemble([...base, ...before]), byPath, EMPTY_LOCK);
  const options = { notes: [], warnings: [], ...(rebalance && { rebalance }) };
  const { plan } = decide(assemble([...base, ...after, site('ap', 1), ...added]), byPath, lock, options);
  const found = plan.warnings.filter(({ code }) => code === 'cluster-left');
  expect(found.map(formatDiagnostic)).toEqual(want);
});
