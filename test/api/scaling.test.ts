import { copyBoundsOf, isAutoscaled } from '../../src/api/engine-copies';
import { aDeployment, anEngine } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const ENGINES = 'spec.template.spec.engines';
const ALONE = `${ENGINES}.0`;
const GANG = `${ENGINES}.1`;

const UNIFIED = { 'spec.template.spec.serving': { mode: 'Unified' } };

const scaled = (engine: string, copies: unknown, scaling: unknown = { on: [{ queue: 4 }] }) => ({
  [`${engine}.copies`]: copies,
  [`${engine}.scaling`]: scaling,
});
const on = (...signals: unknown[]) => scaled(ALONE, { min: 1, max: 4 }, { on: signals });
const paced = (pace: object) => scaled(ALONE, { min: 1, max: 4 }, { on: [{ queue: 4 }], ...pace });

const UNSELECTED = `${ALONE}.scaling.on.0.prometheus.query: the query counts all deployments, because it selects no label of this one. Write $(labels) into its selectors, as in 'sum(my_metric{$(labels)})'.`;

const bad: Record<string, BadRow> = {
  'bounds do not cross': {
    change: scaled(ALONE, { min: 3, max: 2 }),
    want: [`${ALONE}.copies.min: min 3 is more than max 2. Lower min, or raise max.`],
  },
  'bounds have both ends': {
    change: scaled(ALONE, { max: 2 }),
    want: [
      `${ALONE}.copies.min: the field 'min' is missing. Add the fewest copies. 0: none without requests, where the HTTP add-on of KEDA holds requests until the first copy serves.`,
    ],
  },
  'bounds have no third field': {
    change: scaled(ALONE, { min: 1, max: 2, start: 1 }),
    want: [`${ALONE}.copies.start: unknown field 'start'. Use one of min, max.`],
  },
  'an upper bound is at least 1': {
    change: scaled(ALONE, { min: 1, max: 0 }),
    want: [
      `${ALONE}.copies.max: 0 is less than the minimum of 1. Use at least 1.`,
      `${ALONE}.copies.min: min 1 is more than max 0. Lower min, or raise max.`,
    ],
  },
  'copies are a number or bounds': {
    change: { [`${ALONE}.copies`]: 'many' },
    want: [`${ALONE}.copies: expected a number, got the text "many". Write a whole number from 1 to 64.`],
  },
  'bounds need signals': {
    change: { [`${ALONE}.copies`]: { min: 1, max: 2 } },
    want: [`${ALONE}.scaling: the field 'scaling' is missing. Bounds of copies need signals: write scaling.on.`],
  },
  'bounds from zero need signals, and name what else they need': {
    change: { [`${ALONE}.copies`]: { min: 0, max: 2 } },
    want: [
      `${ALONE}.scaling: the field 'scaling' is missing. Write 'scaling: { on: [{ running: 16 }] }'. With 'min: 0' a replica also needs 'servingStack.kedaHttpAddOn' on its cluster, a ModelService that routes to it, and no other replica of the deployment on that cluster.`,
      `${ALONE}.copies.min: a prefill and decode pair serves only with a copy of each, and a waiting request starts only one. Set it to 1 or more.`,
    ],
  },
  'signals are not empty': {
    change: scaled(ALONE, { min: 1, max: 2 }, { on: [] }),
    want: [`${ALONE}.scaling.on: the field 'on' is missing. Write what each copy can bear, as in '{ queue: 4 }'.`],
  },
  'a fixed number takes no signals': {
    change: scaled(ALONE, 2),
    want: [
      `${ALONE}.scaling: 'scaling' needs bounds of copies, and 'copies' is 2, a fixed number. Write 'copies: { min: 1, max: 4 }', or remove 'scaling'.`,
    ],
  },
  'only requests in progress start the first copy': {
    change: {
      ...UNIFIED,
      [ENGINES]: [anEngine('main', { copies: { min: 0, max: 2 }, scaling: { on: [{ queue: 4 }] } })],
    },
    want: [
      `${ALONE}.scaling.on: without a copy, the engine measures nothing, so only requests in progress can start the first one. Add the signal 'running', as in '{ running: 16 }'.`,
    ],
  },
  'one of several engines never starts from zero': {
    change: {
      ...UNIFIED,
      [ENGINES]: [
        anEngine('main', { copies: { min: 0, max: 2 }, scaling: { on: [{ running: 4 }] } }),
        anEngine('other'),
      ],
    },
    want: [
      `${ALONE}.copies.min: a waiting request starts only one engine, and this deployment has several. Set it to 1 or more.`,
    ],
  },
  'an engine of a pair never starts from zero': {
    change: scaled(ALONE, { min: 0, max: 2 }),
    want: [
      `${ALONE}.copies.min: a prefill and decode pair serves only with a copy of each, and a waiting request starts only one. Set it to 1 or more.`,
    ],
  },
  'a gang never starts from zero': {
    change: scaled(GANG, { min: 0, max: 2 }),
    want: [
      `${GANG}.copies.min: a gang starts only when all its nodes are there, so it never starts from zero for a waiting request. Set it to 1 or more.`,
    ],
  },
  'the plan reserves room for all copies': {
    change: paced({ reserve: 'Min' }),
    want: [
      `${ALONE}.scaling.reserve: the field 'reserve' is not allowed here. Remove it: the plan reserves devices for every copy up to 'copies.max'.`,
    ],
  },
  'bounds in one text are two fields': {
    change: scaled(ALONE, '1-6'),
    want: [
      `${ALONE}.copies: expected a number, got the text "1-6". Write bounds as 'copies: { min: 1, max: 3 }', or a whole number.`,
    ],
  },
  'an entry is one signal': {
    change: on({ queue: 4, running: 8 }),
    want: [
      `${ALONE}.scaling.on.0: the signal has both queue and running. Set exactly one of queue, running, kvUse, prometheus.`,
    ],
  },
  'an entry is not empty': {
    change: on({}),
    want: [`${ALONE}.scaling.on.0: the signal has no value. Set exactly one of queue, running, kvUse, prometheus.`],
  },
  'a signal is listed once': {
    change: on({ queue: 4 }, { queue: 8 }),
    want: [
      `${ALONE}.scaling.on.1: the signal 'queue' is listed twice, first as item 1. Rename or remove one of the two.`,
    ],
  },
  'an unknown signal names the known ones': {
    change: on({ cpu: '80%' }),
    want: [`${ALONE}.scaling.on.0.cpu: unknown field 'cpu'. Use one of queue, running, kvUse, prometheus.`],
  },
  'use of the KV cache is a percentage': {
    change: on({ kvUse: '0.8' }),
    want: [
      `${ALONE}.scaling.on.0.kvUse: '0.8' is not a percentage. Write a whole number from 1 to 100 and the sign, as in '80%'.`,
    ],
  },
  'a query selects the pods of the engine': {
    change: on({ prometheus: { query: 'sum(queue)', threshold: 1 } }),
    want: [UNSELECTED],
  },
  'a query has the labels of the engine in a selector': {
    change: on({ prometheus: { query: 'sum(queue) * $(labels)', threshold: 1 } }),
    want: [UNSELECTED],
  },
  'a query does not have the labels of the engine in a text': {
    change: on({ prometheus: { query: 'sum(queue{name="{$(labels)}"})', threshold: 1 } }),
    want: [UNSELECTED],
  },
  'a query can have texts with braces next to the labels': {
    change: on({ prometheus: { query: 'sum(queue{path=~"a{2}", $(labels)})', threshold: 0 } }),
    want: [`${ALONE}.scaling.on.0.prometheus.threshold: 0 is less than the minimum of 0.001. Use at least 0.001.`],
  },
  'a threshold is more than 0': {
    change: on({ prometheus: { query: 'sum(queue{$(labels)})', threshold: 0 } }),
    want: [`${ALONE}.scaling.on.0.prometheus.threshold: 0 is less than the minimum of 0.001. Use at least 0.001.`],
  },
  'additions are at most 30 minutes apart': {
    change: paced({ up: { every: '31m' } }),
    want: [`${ALONE}.scaling.up.every: 31m is more than the maximum of 30m. Use 1s to 30m.`],
  },
  'removals wait at most an hour': {
    change: paced({ down: { after: '2h' } }),
    want: [`${ALONE}.scaling.down.after: 2h is more than the maximum of 1h. Use 1s to 1h.`],
  },
};

describe('copies of an engine', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test('bounds are copies with an autoscaler, and a number is both bounds', () => {
    const signals = { on: [{ queue: 4 }, { kvUse: '80%' }] };
    const engines = [anEngine('a', { copies: { min: 1, max: 4 }, scaling: signals }), anEngine('b', { copies: 2 })];
    const read = aDeployment('ml/q', { engines }).spec.template.spec.engines;
    expect(read.map(copyBoundsOf)).toEqual([
      { min: 1, max: 4 },
      { min: 2, max: 2 },
    ]);
    expect(read.map(isAutoscaled)).toEqual([true, false]);
  });
});
