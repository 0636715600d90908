import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import { ask, cache, cluster, deployment, engine, nodeClassWith } from '../../scheduler/build';
import { settled } from '../what-if/build';

const H100 = nodeClassWith('h100', { price: 10 });
const on = (name: string, nodes: number, options = {}) => cluster(name, { a: `h100 x ${nodes}` }, options);
const stored = { storage: true };

const cached = (id: string, replicas: number) =>
  deployment(id, { replicas, template: { modelCacheRef: { name: 'w' } } });

function secondsOf(...resources: Resource[]): (number | undefined)[][] {
  const { losses } = survive(settled(H100, cache('ml/w'), ...resources));
  return losses.map(({ deployments }) => deployments.map(({ seconds }) => seconds));
}

describe('the time until a replica serves again', () => {
  // One GiB: a minute to read it, ten to compile; where it has to be staged, fifteen for its volume and one to fill it.
  const [loaded, staged] = [660, 660 + 900 + 60];

  const cases: Record<string, { resources: Resource[]; want: (number | undefined)[][] }> = {
    'is that of its start where the weights are there already': {
      resources: [on('eu', 2, stored), on('us', 2, stored), cached('ml/q', 2)],
      want: [[loaded], [loaded]],
    },
    'and that of staging them where they are not': {
      resources: [on('eu', 1, stored), on('us', 1, stored), cached('ml/q', 1)],
      want: [[staged], []],
    },
    'is that of the slowest': {
      resources: [on('a', 3, stored), on('b', 3, stored), on('c', 1, stored), cached('ml/q', 2)],
      want: [[staged], [staged], []],
    },
    'is nothing where nothing is placed': {
      resources: [on('eu', 1, stored), cached('ml/q', 1)],
      want: [[undefined]],
    },
  };

  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    expect(secondsOf(...resources)).toEqual(want);
  });
});

const fateOf = (...resources: Resource[]): string[] =>
  [
    ...writeTerminal(formatSurvival(survive(settled(H100, cache('ml/w'), ...resources)))).matchAll(/serves again.*$/gm),
  ].map(([text]) => text);

/** Two replicas with a startup budget. */
const budgeted = (budget: string) =>
  deployment('ml/q', {
    replicas: 2,
    engines: [{ ...engine('main', [ask('gpu', 8)]), startup: { budget } }],
    template: { modelCacheRef: { name: 'w' } },
  });

describe('what is said of that time', () => {
  const cases: Record<string, { resources: Resource[]; want: string }> = {
    'how long pods usually take, and the most': {
      resources: [on('eu', 2, stored), on('us', 2, stored), budgeted('30m')],
      want: 'serves again about 2 to 12 min (at most 30) after it is placed again',
    },
    'no most, where the usual time with the pull of an image exceeds the startup budget': {
      resources: [on('eu', 2, stored), on('us', 2, stored), budgeted('2m')],
      want: 'serves again about 2 to 5 min after it is placed again',
    },
    'that the weights are staged first': {
      resources: [on('eu', 1, stored), on('us', 1, stored), cached('ml/q', 1)],
      want: 'serves again about 2 to 12 min plus the time to stage its cache (at most 27) after it is placed again',
    },
    'the most, where the size of weights is unknown': {
      resources: [on('eu', 2), on('us', 2), deployment('ml/q', { replicas: 2 })],
      want: 'serves again at most 60 min after it is placed again',
    },
  };

  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    expect(new Set(fateOf(...resources))).toEqual(new Set([want]));
  });

  test('of many losses, the estimate spans all deployments', () => {
    const names = Array.from({ length: 9 }, (_, i) => `c${i}`);
    const resources = [H100, cache('ml/w'), ...names.map((name) => on(name, 2, stored)), cached('ml/q', 9)];
    expect(writeTerminal(formatSurvival(survive(settled(...resources)), 'survive --all'))).toContain(
      '1 deployment keeps serving, and all replicas serve again about 2 to 12 min after they are placed again',
    );
  });
});
