import type { Resource } from '../../src/api/kinds';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { findStaleRoutes } from '../../src/diff/stale-routes';
import { aClass, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const CANARY = to({ app: 'canary' }, { weight: 10 });

interface Fleet {
  /** The clusters with an ingress gateway. Default: both. */
  doors?: string[];

  /** The clusters of the canary. Default: us. */
  on?: string[];

  /** The entry of the canary. Null: there is none. */
  entry?: Doc | null;

  /** Whether a third cluster is declared. Default: false. */
  gone?: boolean;

  /** The nodes of us. Default: 4. */
  nodes?: number;

  /** Whether the canary is declared. Default: true. */
  declared?: boolean;
}

function fleet({
  doors = ['eu', 'us'],
  on = ['us'],
  entry = CANARY,
  nodes = 4,
  declared = true,
  gone = false,
}: Fleet): Resource[] {
  const canary = aModel('ml/canary', {
    on,
    replicas: on.length,
    replicaLabels: { app: 'canary' },
  });
  return [
    aClass('h100'),
    aSite('us', { pools: { h100: nodes } }),
    aSite('eu'),
    ...(gone ? [aSite('gone')] : []),
    aDoor(doors),
    aModel('ml/q', { replicas: 2, replicaLabels: { app: 'q' } }),
    ...(declared ? [canary] : []),
    aSplit('ml/chat', [to({ app: 'q' }, { weight: 90 }), ...(entry ? [entry] : [])]),
  ];
}

const REMOVED =
  /^ml\/chat sends no requests to ml\/canary any more: if us applies the change before eu, 10 % of the requests that enter on eu get 404 until the next health check \(every 10 s\)\. Apply the change to eu first \(with Argo CD or Flux, pause us until then\), or lower the weight of ml\/canary to next to nothing in an earlier change$/;

interface Row {
  before?: Fleet;
  after: Fleet;
  applied?: ApplyMode;
  want: unknown[];
}

const rows: Record<string, Row> = {
  'a canary that is removed with its entry is still asked by gateways on other clusters': {
    after: { entry: null, declared: false },
    want: [expect.stringMatching(REMOVED)],
  },
  'so is one of which the entry alone goes: its cluster gateway has no route either': {
    after: { entry: null },
    want: [expect.stringMatching(REMOVED)],
  },
  'what is on all clusters with gateways has no order that loses nothing': {
    before: { on: ['eu', 'us'] },
    after: { on: ['eu', 'us'], entry: null },
    want: [expect.stringMatching(/any more: if eu and us do not apply the change together, .*\. Lower the weight of /)],
  },
  'requests with a header are not a part of all': {
    before: { entry: { ...CANARY, match: { headers: { 'x-canary': '1' } } } },
    after: { entry: null },
    want: [expect.stringContaining('before eu, requests for it that enter on eu get 404')],
  },
  'of replicas without a place, other findings say that they serve nothing': {
    after: { nodes: 0 },
    want: [],
  },
  'a stack of all clusters changes routes first': {
    after: { entry: null, declared: false },
    applied: 'withWaves',
    want: [],
  },
  'a gateway on the same cluster changes its routes first': {
    before: { doors: ['us'] },
    after: { doors: ['us'], entry: null },
    want: [],
  },
  'a gateway that comes with the change has never asked it': {
    before: { doors: ['us'] },
    after: { doors: ['eu', 'us'], entry: null },
    want: [],
  },
  'a gateway that goes with the change has an end of its own': {
    after: { doors: ['us'], entry: null },
    want: [],
  },
  'a cluster that goes with the change answers nothing': {
    before: { on: ['gone'], gone: true },
    after: { entry: null, declared: false },
    want: [],
  },
  'an entry that takes over only gets no requests, so nothing is lost': {
    before: { entry: { ...CANARY, tier: 1 } },
    after: { entry: null },
    want: [],
  },
  'an entry that only takes over from now on has other routes': {
    after: { entry: { ...CANARY, tier: 1 } },
    want: [expect.stringMatching(REMOVED)],
  },
  'an entry with another weight keeps its routes': { after: { entry: { ...CANARY, weight: 1 } }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, { before = {}, after, applied = 'perCluster', want }) => {
  const [was, is] = [fleet(before), fleet(after)];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here', applied };
  const found = findStaleRoutes(diff(was, is), states);
  expect(found.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
});

test('the warning is at the entry that goes', () => {
  const [was, is] = [fleet({}), fleet({ entry: null, declared: false })];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here' };
  expect(findStaleRoutes(diff(was, is), { ...states, applied: 'atOnce' }).map(({ at }) => at)).toEqual([
    'ModelService ml/chat spec.endpoints.1',
  ]);
});
