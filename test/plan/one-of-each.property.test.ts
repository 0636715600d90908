import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { FleetwrightError } from '../../src/base/errors';
import { assemble } from '../../src/fleet/fleet';
import { DeclarationInterner } from '../../src/manifest/reuse-declarations';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, byPath, type Doc, request } from '../api/build';
import { daily } from '../daily';

const NO_SOURCE = { huggingFace: undefined, sizeGiB: undefined };

const FLEET: readonly Resource[] = [
  aClass('h100', { node: { allocatable: { cpu: '100' } } }),
  aCluster('eu', { pools: { h100: 3 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
  aCluster('us', { pools: { h100: 3 } }),
  aCache('a/weights'),
  // Pods wait for the one above, and not for this.
  aCache('b/weights', { source: 'ExistingPVC', existingPVC: { claimName: 'weights' }, ...NO_SOURCE }),
  aCache('a/more'),
];

const engine = (container: Doc, { devices, ...pod }: { devices?: Doc[] } & Doc = {}): Doc => {
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m'], ...container }];
  const more = pod['beside'] ? [pod['beside']] : [];
  const spec = {
    containers: [...containers, ...more],
    ...(pod['volumes'] ? { volumes: pod['volumes'] } : {}),
  };
  return { engines: [{ name: 'main', members: [aMember({ devices, template: { spec } })] }] };
};

/** What deployments run: fine in most rows; elsewhere each that runs it is reported. */
const RUNS: readonly Doc[] = [
  {},
  engine({ args: ['m', '--tensor-parallel-size=2'] }),
  engine({ env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'hub', key: 'token' } } }] }),
  engine({}, { volumes: [{ name: 'host', hostPath: { path: '/data' } }] }),
  engine({}, { devices: [{ name: 'gpu', firstAvailable: [{ name: 'one', count: 1, selectors: [{ cel: 'true' }] }] }] }),
  { cache: 'weights' },
  { cache: 'more' },
  { rollout: { strategy: 'Recreate' } },
  engine({ image: 'example.com/own:v1' }),
  engine({}, { beside: { name: 'log', image: 'log:v1', ports: [{ containerPort: 8000 }] } }),
  engine({}, { devices: [request('gpu', 1, 'device.attributes["gpu.nvidia.com"].nope == "x"')] }),
  engine({}, { devices: [request('gpu', 9, 'true')] }),
];

const deployment = fc.record({
  namespace: fc.constantFrom('a', 'b'),
  name: fc.constantFrom('one', 'two', 'three'),
  group: fc.constantFrom('fleetwright.dev', 'fleetwright.dev', 'modelplane.ai'),
  second: fc.boolean(),
  replicas: fc.integer({ min: 1, max: 2 }),
});

/** Deployments that run one of two things each, so that many run the same. */
const fleet = fc
  .tuple(
    fc.tuple(fc.constantFrom(...RUNS), fc.constantFrom(...RUNS)),
    fc.uniqueArray(deployment, {
      minLength: 2,
      maxLength: 5,
      selector: ({ namespace, name }) => `${namespace}/${name}`,
    }),
  )
  .map(([[first, other], all]): Resource[] => [
    ...FLEET,
    ...all.map(({ namespace, name, group, second, replicas }) =>
      aDeployment(`${namespace}/${name}`, {
        ...(second ? other : first),
        replicas,
        group: group as 'fleetwright.dev',
      }),
    ),
  ]);

function decided(resources: readonly Resource[]): Decision | string {
  try {
    return decide(assemble(resources), byPath, EMPTY_LOCK);
  } catch (error) {
    if (error instanceof FleetwrightError) return error.message;
    throw error;
  }
}

function outcome(resources: readonly Resource[]): string {
  const decision = decided(resources);
  if (typeof decision === 'string') return decision;
  const { plan, replicas, lock, model } = decision;
  return JSON.stringify({ plan, replicas, placements: lock.placements, demands: model.deployments });
}

const apart = (resources: readonly Resource[]): Resource[] =>
  resources.map((one) => JSON.parse(JSON.stringify(one)) as Resource);

function shared(resources: readonly Resource[]): Resource[] {
  const oneOfEach = new DeclarationInterner();
  return resources.map((one) => oneOfEach.of(one));
}

test('a fleet of which equal parts are one object is decided as one of which none are', () => {
  fc.assert(
    fc.property(fleet, (resources) => {
      expect(outcome(shared(resources))).toBe(outcome(apart(resources)));
    }),
    { numRuns: daily(25), seed: 3 },
  );
});
