import type { Resource } from '../../src/api/kinds';
import { findGateFindings } from '../../src/diff/gate-findings';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { listPeerClauses } from '../../src/report/pull-request/peer-clauses';
import { aClass, aCluster, aDeployment, byPath, type Doc } from '../api/build';
import { change, state } from './build';

const FLEET = [aClass('h100'), aCluster('us', { pools: { h100: 4 } })];
const admits = (networkPolicy: Doc | undefined, replicas = 1): Resource[] => [
  ...FLEET,
  aDeployment('ml/q', { replicas, ...(networkPolicy && { networkPolicy }) }),
];
const namespace = (name: string): Doc => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});
const from = (...peers: Doc[]): Doc => ({ from: peers });
const APPS = from(namespace('apps'));
const LABELED = {
  podSelector: { matchLabels: { app: 'rag' }, matchExpressions: [{ key: 'old', operator: 'Exists' }] },
};

interface Case {
  readonly before: Resource[];
  readonly after: Resource[];
  readonly clause?: string;

  /** Who loses access. Absent: no one. */
  readonly lost?: string;
}

const cases: Record<string, Case> = {
  'another namespace takes the place of one': {
    before: admits(APPS),
    after: admits(from(namespace('search'))),
    clause: 'admits pods of namespace search instead of pods of namespace apps to `ml/q`',
    lost: 'pods of namespace apps',
  },
  'a further peer takes nothing from others': {
    before: admits(APPS),
    after: admits(from(LABELED, namespace('apps'))),
    clause: 'also admits pods with app=rag and old Exists of its namespace to `ml/q`',
  },
  'all peers go': {
    before: admits(from(namespace('apps'), { ipBlock: { cidr: '10.0.0.0/8' } })),
    after: admits(undefined),
    clause: 'no longer admits pods of namespace apps and addresses of 10.0.0.0/8 to `ml/q`',
    lost: 'pods of namespace apps, addresses of 10.0.0.0/8',
  },
  'all namespaces include one': {
    before: admits(APPS),
    after: admits(from({ namespaceSelector: {} })),
    clause: 'also admits pods of all namespaces to `ml/q`',
  },
  'a policy that is new admits fewer': {
    before: admits({ enabled: false }),
    after: admits(APPS),
    clause: 'no longer admits all other pods to `ml/q`',
    lost: 'all other pods',
  },
  'a policy that goes admits all': {
    before: admits(APPS),
    after: admits({ enabled: false }),
    clause: 'also admits all other pods to `ml/q`',
  },
  'the order of peers is no change': {
    before: admits(from(namespace('apps'), LABELED)),
    after: admits(from(LABELED, namespace('apps'))),
  },
  'a deployment without replicas before has no clients': {
    before: admits(APPS, 0),
    after: admits(undefined, 1),
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, clause, lost }) => {
  const earlier = state('main', before);
  const { later, diff } = change(earlier, after);
  expect(listPeerClauses(diff).map(({ text }) => text)).toEqual(clause === undefined ? [] : [clause]);
  const context = { before: earlier.decision, after: later.decision, applied: 'withWaves' as const };
  const located = { fleet: later.decision.fleet, locate: byPath };
  const [refused, accepted] = [false, true].map((acceptRemovals) => {
    return findGateFindings(diff, { ...context, acceptRemovals }).map((one) => formatGateFinding(one, located));
  });
  expect(accepted).toEqual([]);
  const what = `ml/q no longer admits ${lost}: clients there get no answer any more; because `;
  expect(refused).toEqual(lost === undefined ? [] : [expect.stringContaining(what)]);
});
