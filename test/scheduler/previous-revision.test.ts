import type { Group } from '../../src/api/resource';
import { assemble } from '../../src/fleet/fleet';
import { compileFleet } from '../../src/plan/compile-fleet';
import { formatLock } from '../../src/scheduler/lock/lock';
import { computeNextLock } from '../../src/scheduler/lock/next-lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { schedule } from '../../src/scheduler/schedule';
import { type Doc, parsed } from '../api/build';
import { cluster, deployment, modelOf, nodeClass } from './build';
import { at, formerly, lockOf, SHAPES } from './lock/build';

test('what a draining replica is made of is one line of its deployment, without what has a default', () => {
  const former = formerly('ml/a', 2, 'x');
  const { shape } = former;
  expect(formatLock(lockOf([at('ml/a', 'us/0', { shape, draining: true })], { 'ml/a': 1 }, [former]))).toContain(`
  ml/a:
    unplaced: 1
    shape ${shape}: {"spec":{"replicas":1,"template":{"spec":{"engines":[{"name":"main","members":[{"nodeSelector":{"devices":[{"name":"gpu","count":2,"selectors":[{"cel":"true"}]}]},"template":{"spec":{"containers":[{"name":"engine","image":"a","args":["x"]}]}}}]}]}}}}
    replicas:
      - {cluster: us, index: 0, pools: {main: h100}, shape: "${shape}", draining: true}
`);
});

test('what is read back is the same deployment', () => {
  for (const one of SHAPES) {
    const lock = lockOf([at(one.deployment, 'us/0', { shape: one.shape })], {}, [one]);
    expect(parseLock(formatLock(lock), 'f').shapes).toEqual([one]);
  }
});

const aSpec = (value: Doc, group: Group = 'fleetwright.dev') =>
  parsed('ModelDeployment', 'ml/a', value, { group, labels: { x: 'y' } });

test('only what decides where replicas go is left out, and the API group stays', () => {
  const engine = {
    nodeSelector: { devices: [{ name: 'gpu', selectors: [{ cel: 'true' }] }] },
    template: { spec: { containers: [{ name: 'engine', image: 'a' }] } },
  };
  const spec = (more: object, placing: object) => ({
    replicas: 3,
    ...placing,
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { ...more, engines: [{ name: 'm', members: [engine] }] },
    },
  });
  const kept = { modelCacheRef: { name: 'weights' } };
  const placing = { priority: 2, allowPartial: true, paused: true, placement: { maxPerCluster: 3 } };
  const where = { clusterSelector: { matchLabels: { a: 'b' } }, tolerations: [{ operator: 'Exists' }] };
  const { declared } = recordRevision(aSpec(spec({ ...kept, ...where }, placing)))!;
  expect(declared.spec).toEqual({ ...aSpec(spec(kept, {})).spec, replicas: 1 });
  expect(recordRevision(aSpec(spec({}, {}), 'modelplane.ai'))?.text).toContain('"group":"modelplane.ai"');
});

test('a recorded selector that does not compile is an error, and points at nothing that the user wrote', () => {
  const devices = [{ name: 'gpu', selectors: [{ cel: 'device.driver ==' }] }];
  const template = { spec: { containers: [{ name: 'engine', image: 'a' }] } };
  const engines = [{ name: 'm', members: [{ nodeSelector: { devices }, template }] }];
  const former = recordRevision(aSpec({ replicas: 1, template: { spec: { engines } } }))!;
  const fleet = assemble([deployment('ml/a')]);
  expect(() => compileFleet({ ...fleet, former: [former] }, () => '')).toThrow(/^former engines of ml\/a: /m);
});

test('what no line has any more is forgotten', () => {
  const resources = [nodeClass('h100'), cluster('eu', { a: 'h100 x 2' }), deployment('ml/x')];
  const model = modelOf(...resources);
  const result = schedule(model);
  expect(computeNextLock(model, result, lockOf([], {}, SHAPES)).shapes).toEqual([]);
});
