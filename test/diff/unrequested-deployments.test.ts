import type { Resource } from '../../src/api/kinds';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import { aClass } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const site = [aClass('h100'), aSite('us'), aDoor(['us'])];
const model = (name: string, label: string, more: object = {}): Resource =>
  aModel(name, { replicaLabels: { app: label }, ...more });
const stable = model('ml/stable', 'stable');
const canary = model('ml/canary', 'canary');
const both = [to({ app: 'stable' }, { weight: 95 }), to({ app: 'canary' }, { weight: 5 })];
const fallback = [to({ app: 'stable' }), to({ app: 'canary' }, { tier: 1 })];
const chat = (entries: Parameters<typeof aSplit>[1]): Resource => aSplit('ml/chat', entries);
const withBoth = [...site, stable, canary, chat(both)];
const toStable = chat([to({ app: 'stable' })]);

const cases: Record<string, { before?: Resource[]; after: Resource[]; want: RegExp[] }> = {
  'a deployment whose entry is removed keeps its devices': {
    after: [...site, stable, canary, toStable],
    want: [/^ml\/canary gets no requests any more \(before: 5 % of ml\/chat\), and keeps 1 GPU \(price unknown\)$/],
  },
  'so does one that was a fallback': {
    before: [...site, stable, canary, chat(fallback)],
    after: [...site, stable, canary, toStable],
    want: [/\(before: a fallback of ml\/chat\)/],
  },
  'so do all deployments of a service that is removed': {
    after: [...site, stable, canary],
    want: [/^ml\/canary gets no requests/, /^ml\/stable gets no requests/],
  },
  'a deployment that another service selects still gets requests': {
    before: [...withBoth, aSplit('ml/next', [to({ app: 'canary' })])],
    after: [...site, stable, canary, toStable, aSplit('ml/next', [to({ app: 'canary' })])],
    want: [],
  },
  'a deployment that goes with its entry keeps nothing': {
    after: [...site, stable, toStable],
    want: [],
  },
  'a deployment without replicas keeps nothing': {
    after: [...site, stable, model('ml/canary', 'canary', { replicas: 0 }), toStable],
    want: [],
  },
  'a deployment that no service selected before is not meant for one': {
    before: [...site, stable, canary, toStable],
    after: [...site, stable, canary, chat([to({ app: 'stable' }, { weight: 2 })])],
    want: [],
  },
  'an entry that stays and selects nothing is a finding of the gate': {
    after: [...site, stable, model('ml/canary', 'canery'), chat(both)],
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { before = withBoth, after, want }) => {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const change = { before: earlier.decision, after: later.decision, mustExist: [], at: 'a' };
  const found = findChangeWarnings(diff(before, after), change);
  const messages = found.filter(({ code }) => code === 'no-requests').map(({ message }) => message);
  expect(messages).toEqual(want.map((one) => expect.stringMatching(one)));
});
