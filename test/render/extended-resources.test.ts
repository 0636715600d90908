import { compileFleet } from '../../src/plan/compile-fleet';
import { renderCluster } from '../../src/render/cluster';
import { computeReplicas } from '../../src/replicas/compute-replicas';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { schedule } from '../../src/scheduler/schedule';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, request } from '../api/build';
import { fleetOf, ofKind } from './build';

const COUNTED = { extendedResource: 'nvidia.com/gpu' };
const NIC = {
  name: 'nic',
  driver: 'nic.example.com',
  deviceClassName: 'nic',
  extendedResource: 'example.com/nic',
};

/** What a deployment becomes on a cluster without DRA. */
function manifestsOf(engine: Doc) {
  const fleet = fleetOf(
    aClass('h100', { devices: [gpus(8, COUNTED), NIC], node: { allocatable: { cpu: '160' } } }),
    aCluster('us', { dra: false, pools: { h100: 4 } }),
    aDeployment('ml/q', { engines: [engine] }),
  );
  const model = compileFleet(fleet, byPath);
  const matcher = new PodMatcher();
  const { placements } = schedule(model, [], matcher);
  return renderCluster(fleet.clusters[0]!, computeReplicas(fleet, model, matcher, placements), { fleet });
}

const GPU = 'device.driver == "gpu.nvidia.com"';
const standalone = (container: Doc, ...devices: Doc[]): Doc => ({
  name: 'main',
  members: [
    aMember({
      devices,
      template: { spec: { containers: [{ name: 'engine', image: 'ollama:1', ...container }] } },
    }),
  ],
});

describe('without DRA', () => {
  test('a container requests what its requests add up to, with equal limits, next to CPU and memory', () => {
    const limits = { memory: '64Gi' };
    const engine = standalone(
      { resources: { limits } },
      request('a', 1, GPU),
      request('b', 3, GPU),
      request('nic', 1, 'device.driver == "nic.example.com"'),
    );
    const [{ spec }] = ofKind(manifestsOf(engine), 'Deployment') as unknown as [{ spec: Doc }];
    const { containers, resourceClaims, nodeSelector } = (spec['template'] as { spec: Doc }).spec;
    const devices = { 'nvidia.com/gpu': '4', 'example.com/nic': '1' };
    expect((containers as Doc[])[0]!['resources']).toEqual({
      requests: { cpu: '144', memory: '64Gi', ...devices },
      limits: { memory: '64Gi', ...devices },
    });
    expect(resourceClaims).toBeUndefined();
    expect(nodeSelector).toEqual({ 'fleetwright.dev/pool': 'h100' });
  });

  test('there is no claim template, for a gang neither', () => {
    const devices = [request('gpu', 8, GPU)];
    const members = [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', devices })];
    const manifests = manifestsOf({ name: 'main', members });
    expect(manifests.map(({ kind }) => kind)).toEqual(['NetworkPolicy', 'Service', 'LeaderWorkerSet']);
    expect(JSON.stringify(manifests)).toContain('"nvidia.com/gpu":"8"');
  });
});
