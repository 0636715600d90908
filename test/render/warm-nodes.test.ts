import { copyStartOf } from '../../src/replicas/start-time';
import { renderCluster } from '../../src/render/cluster';
import { aClass, aCluster, anEngine, aDeployment, type Doc } from '../api/build';
import { decided, wrong } from '../routing/build';
import { ofKind } from './build';

const SIZED = aClass('sized', { node: { allocatable: { cpu: '100', memory: '1Ti' } } });

const site = (pool: Doc, more: Doc = {}) =>
  aCluster('us', { pools: { sized: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4, ...pool } }, ...more });

function manifestsOf(cluster: ReturnType<typeof site>) {
  const { fleet } = decided(SIZED, cluster);
  return renderCluster(cluster, [], { fleet });
}

describe('a pool that keeps nodes in reserve', () => {
  const manifests = manifestsOf(site({ overprovision: 2, reserved: { cpu: '10' } }, { namespaces: 'Managed' }));
  const [deployment] = ofKind(manifests, 'Deployment');
  const { template, replicas } = deployment!.spec as { template: { spec: Doc }; replicas: number };

  test('has a pod for each, on a node of the pool, that gives way to every pod of an engine', () => {
    const [priority] = ofKind(manifests, 'PriorityClass');
    expect(priority).toMatchObject({ value: -5, preemptionPolicy: 'Never' });
    expect(replicas).toBe(2);
    expect(template.spec).toMatchObject({
      priorityClassName: priority!.metadata.name,
      terminationGracePeriodSeconds: 0,
      nodeSelector: { 'fleetwright.dev/pool': 'sized' },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
    });
  });

  test('fills most of the CPU that is not reserved, and claims no device', () => {
    const [container] = template.spec['containers'] as [{ resources: Doc }];
    expect(container.resources).toMatchObject({ requests: { cpu: '72000m' } });
    expect(template.spec).not.toHaveProperty('resourceClaims');
  });

  test('creates the namespace of those pods, or requires it', () => {
    expect(ofKind(manifests, 'Namespace').map(({ metadata }) => metadata.name)).toEqual(['fleetwright-system']);
    const { mustExist } = decided(SIZED, site({ overprovision: 2 }, { namespaces: 'Existing' })).plan;
    const namespace = expect.objectContaining({ kind: 'Namespace', name: 'fleetwright-system' });
    expect(mustExist.flatMap(({ objects }) => objects)).toContainEqual(namespace);
  });

  test('is named in the plan', () => {
    expect(decided(SIZED, site({ overprovision: 2 })).plan.notes).toContain(
      'InferenceCluster us: pool sized keeps 2 nodes without engines, which cost as much as others.',
    );
  });

  test('has no such pods without the field', () => {
    expect(manifestsOf(site({}))).toEqual([]);
  });
});

const AT = 'InferenceCluster us spec.nodePools.0.overprovision';

test('a pool keeps no nodes in reserve where nothing states the CPU of its nodes', () => {
  const plain = aClass('plain');
  const pools = { plain: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4, overprovision: 1 } };
  expect(wrong(plain, aCluster('us', { pools }))).toEqual([
    `${AT}: InferenceClass 'plain' does not state the CPU of its nodes, which the pods that keep them fill. Set spec.node.allocatable.cpu of the class, or use from.`,
  ]);
});

test('a copy waits for an image, and not for a node, where one is in reserve', () => {
  const [engine] = aDeployment('ml/q', { engines: [anEngine('main')] }).spec.template.spec.engines;
  const partsOf = (overprovision?: number) => {
    const pool = { minNodeCount: 0, maxNodeCount: 2, overprovision };
    return copyStartOf(engine!, pool, []).node.map(({ what }) => what);
  };
  expect([partsOf(), partsOf(1)]).toEqual([['node', 'image'], ['image']]);
});
