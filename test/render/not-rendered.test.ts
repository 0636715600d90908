import type { Resource } from '../../src/api/kinds';
import { notRendered } from '../../src/render/not-rendered';
import { aGateway, aGrant, anEndpoint, aService } from '../api/build';
import { fleetOf, GKE, withContainer } from './build';

describe('the plan says what is not rendered yet', () => {
  const cases: Record<string, { resources: Resource[]; want: string[] }> = {
    'nothing where all is rendered': { resources: [withContainer({})], want: [] },
    'routes, in one sentence': {
      resources: [
        GKE,
        aGateway('main', 'gke'),
        aService('ml/chat', { model: 'a' }),
        anEndpoint('ml/saas'),
        aGrant('ml/web', 'web', { kind: 'ModelEndpoint' }),
      ],
      want: [
        'Routes are not made yet (InferenceGateway main, ModelService ml/chat, ModelEndpoint ml/saas, Grant ml/web). Inside a cluster, the Service of a deployment reaches its replicas for those whom its networkPolicy names.',
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
  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    expect(notRendered(fleetOf(...resources))).toEqual(want);
  });
});
