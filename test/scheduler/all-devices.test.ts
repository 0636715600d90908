import { digestShape } from '../../src/scheduler/shape-digest';
import { ask, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

const tpu = (name: string, count: number, accelerator = 'tpu-v6e-slice') =>
  device(name, { count, className: 'tpu.google.com', attributes: { accelerator: { string: accelerator } } });
const { count: _, ...request } = ask('tpu', 1, 'device.driver == "tpu.google.com"') as { count: number };
const { count: _one, ...everyGpu } = ask('gpu', 1) as { count: number };
const everything = { ...request, allocationMode: 'All' };
const of = (id: string, replicas: number, one: object, spec = {}) =>
  deployment(id, { replicas, engines: [engine('main', [{ ...one }])], spec: { allowPartial: true, ...spec } });
const all = (id: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${id} eu/${i} a`);

const cases: Record<string, Case> = {
  'a pod takes all devices of a node that match': {
    resources: [nodeClass('tpu', tpu('tpu', 4)), cluster('eu', { a: 'tpu x 2' }), of('ml/q', 3, everything)],
    want: all('ml/q', 2),
  },
  'also where they differ': {
    resources: [
      nodeClass('tpu', tpu('one', 1), tpu('other', 3, 'tpu-v5-lite-podslice')),
      cluster('eu', { a: 'tpu x 1' }),
      of('ml/q', 2, everything),
    ],
    want: all('ml/q', 1),
  },
  'it needs a node of which none is taken': {
    resources: [
      nodeClass('gpu', device('gpu', { count: 4 })),
      cluster('eu', { a: 'gpu x 2' }),
      of('ml/small', 1, ask('gpu', 1), { priority: 1 }),
      of('ml/whole', 2, { ...everyGpu, allocationMode: 'All' }),
    ],
    want: ['ml/small eu/0 a', 'ml/whole eu/0 a'],
  },
  'devices that do not match are left to others': {
    resources: [
      nodeClass('tpu', tpu('tpu', 4), device('gpu', { count: 2 })),
      cluster('eu', { a: 'tpu x 1' }),
      of('ml/gpu', 2, ask('gpu', 1)),
      of('ml/tpu', 1, everything),
    ],
    want: [...all('ml/gpu', 2), 'ml/tpu eu/0 a'],
  },
};

test.each(Object.entries(cases))('%s', (_, row) => check(row));

function digest(one: object): string {
  const resource = of('ml/q', 1, one);
  return resource.kind === 'ModelDeployment' ? digestShape(resource.spec.template.spec.engines) : '';
}

test('all devices are another shape than one', () => {
  expect(digest(everything)).not.toBe(digest(request));
});
