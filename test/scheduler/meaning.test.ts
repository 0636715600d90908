import type { Selector } from '../../src/cel/selector';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { ask, cluster, deployment, device, engine, modelOf, nodeClass, placed, run } from './build';

const H100 = nodeClass('h100', device('gpu', { memory: '81559Mi' }));
const us = cluster('us', { h100: 'h100 x 8' });
const MEMORY = 'device.capacity["gpu.nvidia.com"].memory';

const where = (fields: object, extra: object = {}) => ({ name: 'gpu', count: 1, where: fields, ...extra });
const model = (...requests: object[]) =>
  requests.map((request, i) => deployment(`ml/d${i}`, { engines: [engine('main', [{ ...request }])] }));

/** Every selector of a fleet, and how often each of them is evaluated when all is placed. */
function evaluations(...requests: object[]): { selectors: number; evaluated: number } {
  const compiled = modelOf(H100, us, ...model(...requests));
  const all = new Set<Selector>();
  let evaluated = 0;
  for (const workload of compiled.deployments) {
    const { requests: asked } = workload.demand.engines[0]!.members[0]!.pod;
    for (const selector of asked[0]!.alternatives[0]!.selectors) {
      if (all.has(selector)) continue;
      all.add(selector);
      const { match } = selector;
      Object.assign(selector, {
        match: (on: never) => {
          evaluated += 1;
          return match(on);
        },
      });
    }
  }
  const matcher = new PodMatcher();
  for (const { demand } of compiled.deployments) {
    matcher.fit(demand.engines[0]!.members[0]!.pod, compiled.clusters[0]!.pools[0]!.node);
  }
  return { selectors: all.size, evaluated };
}

describe('selectors of one meaning', () => {
  test('are evaluated once, through whichever door they came', () => {
    const three = evaluations(
      where({ memory: '>= 79Gi' }),
      ask('gpu', 1, `0 <= ${MEMORY}.compareTo(quantity("79Gi"))`),
      ask('gpu', 1, `!${MEMORY}.isLessThan(quantity("80896Mi"))`),
    );
    expect(three).toEqual({ selectors: 3, evaluated: 1 });
  });

  test('are kept apart from those of another', () => {
    const two = evaluations(where({ memory: '>= 79Gi' }), where({ memory: '>= 70Gi' }));
    expect(two).toEqual({ selectors: 2, evaluated: 2 });
  });
});

describe('where', () => {
  test('selects as the CEL that it stands for', () => {
    const deployments = model(where({ memory: '>= 79Gi' }), where({ memory: '>= 80Gi' }));
    expect(placed(run([H100, us, ...deployments]))).toEqual(['ml/d0 us/0 h100']);
  });

  test('is met together with selectors', () => {
    const both = where({ memory: '>= 79Gi' }, ask('gpu', 1, 'device.driver == "gpu.amd.com"'));
    expect(placed(run([H100, us, ...model(both)]))).toEqual([]);
  });

  test('may be that of an alternative', () => {
    const forms = [where({ memory: '>= 80Gi' }), where({ memory: '>= 79Gi' })];
    const request = { name: 'gpu', firstAvailable: forms.map((form, i) => ({ ...form, name: `f${i}` })) };
    expect(placed(run([H100, us, ...model(request)]))).toEqual(['ml/d0 us/0 h100']);
  });
});
