import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { FleetStack } from '../../stacks/index';
import type { Doc } from './build';
import { record, type Registered } from './record';

const work = mkdtempSync(join(tmpdir(), 'peer-'));
afterAll(() => rmSync(work, { recursive: true }));
beforeEach(() => void jest.spyOn(console, 'warn').mockImplementation());
afterEach(() => jest.restoreAllMocks());

function resource(kind: string, name: string, spec: Doc, namespace?: string): Doc {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind,
    metadata: { name, ...(namespace && { namespace }) },
    spec,
  };
}

const CLASSES = [
  resource('InferenceClass', 'gke', { from: 'gcp/g2-standard-24' }),
  resource('InferenceClass', 'eks', { from: 'aws/g6.12xlarge' }),
];

/** A cluster on GKE and one on EKS, with a pool each. */
function clusters(pool: Doc, eks: Doc = {}): Doc[] {
  const gke = { source: 'GKE', gke: { region: 'us-central1' } };
  return [
    resource('InferenceCluster', 'g', {
      cluster: gke,
      nodePools: [{ name: 'p', className: 'gke', zones: ['us-central1-a', 'us-central1-b'], ...pool }],
    }),
    resource('InferenceCluster', 'e', {
      cluster: { source: 'EKS', eks: { region: 'us-east-1' } },
      nodePools: [{ name: 'p', className: 'eks', zones: ['us-east-1a'], ...pool }],
      ...eks,
    }),
  ];
}

async function registered(...items: Doc[]): Promise<Registered[]> {
  writeFileSync(
    join(work, 'fleet.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...CLASSES, ...items] }),
  );
  pulumi.runtime.setAllConfig({ 'gcp:project': 'models' });
  return record(() => new FleetStack('all', { fleet: work, lockMode: 'ephemeral' }));
}

function inputsOf(all: readonly Registered[], name: string, kind: string): Doc {
  const one = all.find((other) => other.name === name && other.type.endsWith(`:${kind}`));
  return { ...one?.inputs };
}

describe('what the peer gets wrong of clusters, and we do not:', () => {
  test('a pool without maxNodeCount has the size that placement counts on, and no autoscaler', async () => {
    const all = await registered(...clusters({ nodeCount: 4 }));
    const onGke = inputsOf(all, 'g_p', 'NodePool');
    expect(onGke).toMatchObject({ nodeCount: 2 });
    expect(onGke).not.toHaveProperty('autoscaling');
    expect(inputsOf(all, 'e_p', 'NodeGroup')['scalingConfig']).toEqual({
      minSize: 4,
      maxSize: 4,
      desiredSize: 4,
    });
  });

  test('an autoscaler on GKE is bound over all zones, not for each of them', async () => {
    const all = await registered(...clusters({ nodeCount: 2, minNodeCount: 2, maxNodeCount: 6 }));
    expect(inputsOf(all, 'g_p', 'NodePool')['autoscaling']).toEqual({
      totalMinNodeCount: 2,
      totalMaxNodeCount: 6,
      locationPolicy: 'ANY',
    });
  });

  test('a pool on EKS in the last zones has subnets there, that overlap in no range', async () => {
    const zones = ['us-east-1d', 'us-east-1f'];
    const network = { cidr: '10.255.240.0/20' };
    const all = await registered(...clusters({ nodeCount: 2 }, { network }).slice(0, 1), {
      ...clusters({ nodeCount: 2, zones }, { network })[1],
    });
    const subnets = all.filter(({ type }) => type === 'aws:ec2/subnet:Subnet');
    const ids = new Map(subnets.map(({ name, inputs }) => [`${name}-id`, inputs['availabilityZone']]));
    const used = inputsOf(all, 'e_p', 'NodeGroup')['subnetIds'] as string[];
    expect(used.map((id) => ids.get(id))).toEqual(zones);
    const ranges = subnets.map(({ inputs }) => rangeOf(String(inputs['cidrBlock']))).sort(([a], [b]) => a - b);
    const whole = rangeOf(network.cidr);
    expect(ranges.every(([from, to]) => from >= whole[0] && to <= whole[1])).toBe(true);
    expect(ranges.every(([from], i) => i === 0 || from >= ranges[i - 1]![1])).toBe(true);
  });

  test('a cluster that holds nothing but a cache is protected, and goes after all that the cache is made of', async () => {
    const cache = {
      source: 'HuggingFace',
      huggingFace: { repo: 'Qwen/Qwen3-8B' },
      sizeGiB: 20,
      stage: 'Everywhere',
    };
    const all = await registered(...clusters({ nodeCount: 2 }), resource('ModelCache', 'weights', cache, 'ml'));
    const dependencies = new Map(all.map((one) => [`${one.type} ${one.name}`, [...one.dependsOn, one.provider]]));
    for (const name of ['g', 'e']) {
      expect(inputsOf(all, name, 'Cluster')['deletionProtection']).toBe(true);
      const own = all.filter(
        ({ type, name: id }) => /:(Job|PersistentVolumeClaim)$/.test(type) && id.startsWith(`${name}/`),
      );
      expect(own.length).toBeGreaterThan(1);
      for (const one of own) {
        const waits = closure(`${one.type} ${one.name}`, dependencies);
        expect([...waits].some((id) => /cluster:Cluster (g|e)$/.test(id) && id.endsWith(name))).toBe(true);
      }
    }
  });
});

function rangeOf(cidr: string): [from: number, to: number] {
  const [address = '', bits] = cidr.split('/');
  const from = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [from, from + 2 ** (32 - Number(bits))];
}

function closure(
  id: string,
  dependencies: ReadonlyMap<string, readonly string[]>,
  seen = new Set<string>(),
): Set<string> {
  for (const other of dependencies.get(id) ?? []) {
    if (seen.has(other)) continue;
    seen.add(other);
    closure(other, dependencies, seen);
  }
  return seen;
}
