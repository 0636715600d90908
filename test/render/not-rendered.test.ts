import type { Resource } from '../../src/api/kinds';
import { notRendered } from '../../src/render/not-rendered';
import type { ComputedReplica } from '../../src/render/replica';
import { aCache, aCluster, aGateway, aGrant, anEndpoint, aService } from '../api/build';
import { aReplica, fleetOf, GKE, withContainer } from './build';

const OWN = aCluster('onprem', { pools: { h100: 2 } });
const cached = withContainer({}, { cache: 'weights' });
const UNUSED = 'ModelCache ml/weights is not staged yet, and no replica mounts it.';

describe('the plan says what is not rendered yet', () => {
  const cases: Record<string, { resources: Resource[]; replicas?: ComputedReplica[]; want: string[] }> = {
    'nothing where all is rendered': { resources: [withContainer({})], want: [] },
    'a cache, with the claim that must exist, once for each cluster that mounts it': {
      resources: [aCache('ml/weights')],
      replicas: [aReplica(cached, { cluster: OWN }), aReplica(cached), aReplica(cached, { index: 1 })],
      want: [
        'ModelCache ml/weights is not staged yet. Make PersistentVolumeClaim ml/weights-24d10 (ReadWriteMany) with its files on gke, onprem.',
      ],
    },
    'a cache that no replica mounts': {
      resources: [aCache('ml/weights')],
      replicas: [aReplica(withContainer({}))],
      want: [UNUSED],
    },
    'a cache of the same name in another namespace': {
      resources: [aCache('web/weights')],
      replicas: [aReplica(cached)],
      want: ['ModelCache web/weights is not staged yet, and no replica mounts it.'],
    },
    'routes, in one sentence': {
      resources: [
        GKE,
        aGateway('main', 'gke'),
        aService('ml/chat', { model: 'a' }),
        anEndpoint('ml/saas'),
        aGrant('ml/web', 'web', { kind: 'ModelEndpoint' }),
      ],
      want: [
        'Routes are not made yet (InferenceGateway main, ModelService ml/chat, ModelEndpoint ml/saas, Grant ml/web). Inside a cluster, the Service of a deployment reaches its replicas.',
      ],
    },
    'the first of many routes': {
      resources: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => anEndpoint(`ml/${name}`)),
      want: [expect.stringContaining('ModelEndpoint ml/e, 2 more)') as unknown as string],
    },
    'not more of them than there are': {
      resources: ['a', 'b', 'c', 'd', 'e'].map((name) => anEndpoint(`ml/${name}`)),
      want: [expect.stringContaining('ModelEndpoint ml/e)') as unknown as string],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { resources, replicas = [], want }) => {
    expect(notRendered(fleetOf(...resources), replicas)).toEqual(want);
  });
});
