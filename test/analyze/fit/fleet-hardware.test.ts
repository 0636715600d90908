import { listFleetHardware } from '../../../src/analyze/fit/fleet-hardware';
import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { nameHardware } from '../../../src/report/fit/fit-table';
import { parsed } from '../../api/build';
import { ask, cluster, deployment, device, engine, fleetOf, nodeClass } from '../../scheduler/build';

const EIGHT = nodeClass('eight', device('gpu', { count: 8, extendedResource: 'nvidia.com/gpu' }));
const TAINT = { taints: [{ key: 'drain', value: 'now', effect: 'NoSchedule' }] };

/** A deployment of pods with some GPUs each. */
function using(name: string, gpus: number, replicas: number): Resource {
  return deployment(name, { replicas, spec: { priority: 2 }, engines: [engine('main', [ask('gpu', gpus)])] });
}

const cases: Record<string, { resources: Resource[]; gpus: number; nodes?: number; want: number }> = {
  'an empty pool takes as many as its nodes hold': { resources: [cluster('a', { p: 'eight x 2' })], gpus: 4, want: 4 },
  'free GPUs on which a larger replica depends do not count': {
    resources: [cluster('a', { p: 'eight x 2' }), using('ml/large', 4, 2)],
    gpus: 1,
    want: 5,
  },
  'free GPUs that the cluster may scatter do not count': {
    resources: [cluster('a', { p: 'eight x 2' }), using('ml/small', 1, 6)],
    gpus: 4,
    want: 1,
  },
  'a replica of two nodes needs both': { resources: [cluster('a', { p: 'eight x 3' })], gpus: 16, nodes: 2, want: 1 },
  'a cluster with a taint takes none': { resources: [cluster('a', { p: 'eight x 2' }, TAINT)], gpus: 4, want: 0 },
  'a paused cluster takes none': { resources: [cluster('a', { p: 'eight x 2' }, { paused: true })], gpus: 4, want: 0 },
  'equal nodes count, whatever their class calls the device': {
    resources: [
      nodeClass('another', device('card', { count: 8, extendedResource: 'nvidia.com/gpu' })),
      cluster('a', { p: 'eight x 1', q: 'another x 1' }),
    ],
    gpus: 8,
    want: 1,
  },
};

test.each(Object.entries(cases))('%s', (_, { resources, gpus, nodes = 1, want }) => {
  const perNode = gpus / nodes;
  const members = (replicas: number): Resource =>
    deployment('ml/new', { replicas, engines: [engine('main', [ask('gpu', perNode)])] });
  const decision = decide(fleetOf(EIGHT, ...resources, ...(nodes === 1 ? [members(0)] : [])), () => '', EMPTY_LOCK);
  const own = listFleetHardware(decision).filter(({ hardware }) => hardware === 'eight');
  expect(own.map(({ roomFor }) => roomFor?.({ tp: perNode, pp: nodes, dp: 1, ep: 1, nodes }))).toEqual([want]);
  const others = listFleetHardware(decision).filter(({ hardware }) => hardware !== 'eight');
  if (nodes > 1 || others.length > 0) return;
  const scale = (replicas: number) =>
    whatIf(decision, [{ name: '', steps: [{ kind: 'scale', deployment: 'ml/new', replicas }] }]);
  expect(scale(want)[0]?.totals).toMatchObject({ unplaced: 0, place: want });
  expect(scale(want + 1)[0]?.totals).toMatchObject({ unplaced: 1, place: want });
});

test('TPUs of the catalog are sized although they publish no memory, with room for whole nodes only', () => {
  const attributes = { accelerator: { string: 'tpu-v6e-slice' } };
  const driver = { driver: 'tpu.google.com', deviceClassName: 'tpu.google.com', capacity: {} };
  const fleet = fleetOf(
    nodeClass('tpu', { ...device('chip', { count: 4 }), ...driver, attributes }),
    nodeClass('unknown', { ...device('chip', { count: 4 }), ...driver, attributes: {} }),
    cluster('a', { p: 'tpu x 2', q: 'unknown x 2' }),
  );
  const [found, ...others] = listFleetHardware(decide(fleet, () => '', EMPTY_LOCK));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ hardware: 'tpu', gpu: { name: 'tpu-v6e' }, gpusPerNode: 4, wholeNodes: true });
  expect(found?.roomFor?.({ tp: 4, pp: 1, dp: 1, ep: 1, nodes: 1 })).toBe(2);
});

function onGke(name: string, region: string): Resource {
  const nodePools = [{ name: 'p', className: 'h100', nodeCount: 1, zones: [`${region}-a`] }];
  return parsed('InferenceCluster', name, { cluster: { source: 'GKE', gke: { region } }, nodePools });
}

test.each<[string[], string[]]>([
  [
    ['us-central1', 'europe-west4'],
    ['h100 on us-central1', 'h100 on europe-west4'],
  ],
  [['us-central1', 'us-central1'], ['h100']],
])('a class with a price in each region is told apart by its clusters: %j', (regions, want) => {
  const h100 = parsed('InferenceClass', 'h100', { from: 'gcp/a3-highgpu-8g' });
  const clusters = regions.map((region, i) => onGke(regions.indexOf(region) === i ? region : `${region}-too`, region));
  const hardware = listFleetHardware(decide(assemble([h100, ...clusters]), () => '', EMPTY_LOCK));
  expect(hardware.map(nameHardware).sort()).toEqual(want.sort());
});

test('a pool without a known price has that of another region, as in a plan', () => {
  const h100 = parsed('InferenceClass', 'h100', { from: 'gcp/a3-highgpu-8g' });
  const hardware = listFleetHardware(decide(assemble([h100, onGke('eu', 'europe-west4')]), () => '', EMPTY_LOCK));
  expect(hardware).toMatchObject([{ hardware: 'h100', pricedAs: 'us-central1', pricePerHour: expect.any(Number) }]);
});
