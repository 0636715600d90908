import * as fc from 'fast-check';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { resolveFleet } from '../../src/files/read-fleet';
import { loadManifests } from '../../src/manifest/load-manifests';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { parsed } from '../api/build';

const SOURCES = {
  GKE: { source: 'GKE', gke: { region: 'us-central1', zone: 'us-central1-a' } },
  EKS: { source: 'EKS', eks: { region: 'us-east-1', kubernetesVersion: '1.30' } },
  AKS: { source: 'AKS', aks: { location: 'westeurope' } },
  Existing: { source: 'Existing', existing: { context: 'a' } },
};

const label = (max: number): fc.Arbitrary<string> =>
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,70}[a-z0-9])?$/).map((text) => text.slice(0, max).replace(/-+$/, ''));
const count = fc.option(fc.nat(600), { nil: undefined });
const range = fc.oneof(
  fc.string({ maxLength: 18 }),
  fc.constantFrom('10.0.0.0/14', '10.0.0.0/33', '10.0.0.0/0', '/', '1.2.3/8', '0.0.0.0/32', '256.0.0.0/8', ''),
);

const pool = fc.record({
  name: label(70),
  className: fc.constantFrom('h100', 'none'),
  nodeCount: count,
  minNodeCount: count,
  maxNodeCount: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
  zones: fc.array(fc.constantFrom('us-central1-a', 'us-east-1a', 'nowhere'), { maxLength: 3 }),
});

const cluster = fc.record({
  name: label(70),
  source: fc.constantFrom(...Object.values(SOURCES)),
  nodePools: fc.uniqueArray(pool, { maxLength: 3, selector: ({ name }) => name }),
  network: fc.record({
    cidr: fc.option(range, { nil: undefined }),
    authorizedNetworks: fc.array(range, { maxLength: 2 }),
  }),
  storageClassName: fc.constantFrom('standard-rwx', 'gp2', 'managed', 'own'),
});

const H100 = parsed('InferenceClass', 'h100', {
  provisioning: {
    provider: 'EKS',
    eks: { instanceType: 'p5.48xlarge', accelerator: { type: 'x', count: 8 } },
  },
  devices: [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 }],
});
const { group, ...h100 } = H100;

test('whatever rules clusters break, all of it is reported and nothing crashes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(cluster, { maxLength: 3, selector: ({ name }) => name }), (clusters) => {
      const documents = clusters.map(({ name, source, storageClassName, ...spec }) => ({
        kind: 'InferenceCluster',
        metadata: { name },
        spec: { cluster: source, storage: { sharedFilesystem: { storageClassName } }, ...spec },
      }));
      const text = [h100, ...documents]
        .map((one) => JSON.stringify({ apiVersion: `${group}/v1alpha1`, ...one }))
        .join('\n---\n');
      const loaded = loadManifests([{ path: 'f.yaml', text }]);
      expect(loaded.unread).toEqual([]);
      let said: string[] = [];
      try {
        const read = resolveFleet({ ...loaded, snapshots: [], otherParts: [], definitions: [], missing: [] });
        decide(read.fleet, read.locate, EMPTY_LOCK);
      } catch (error) {
        if (!(error instanceof FleetwrightError)) throw error;
        said = error.diagnostics.map(formatDiagnostic);
      }
      expect(said).toEqual(expect.arrayContaining(loaded.problems.map(formatDiagnostic)));
      expect(said.join()).not.toMatch(/NaN|undefined|Infinity/);
    }),
    { numRuns: 100 },
  );
});
