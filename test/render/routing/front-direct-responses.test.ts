import type { Doc } from '../../api/build';
import { aMember, aRouted, aRouting, routedOn, specOf } from './build';

describe('a front answers itself', () => {
  const all = routedOn(aRouting());
  const rules = specOf(all, 'HTTPRoute', 'chat-public-answers').rules as { matches: Doc[] }[];

  test('which models a service has', () => {
    expect(rules[0]!.matches).toEqual([{ path: { type: 'Exact', value: '/team-a/chat/v1/models' }, method: 'GET' }]);
    const { directResponse } = specOf(all, 'HTTPRouteFilter', 'chat-models') as { directResponse: Doc };
    expect(JSON.parse((directResponse['body'] as { inline: string }).inline)).toEqual({
      object: 'list',
      data: [{ id: 'llama', object: 'model', created: 0, owned_by: 'fleetwright' }],
    });
  });

  test('404 where engines have what is for their operators', () => {
    expect(rules[1]!.matches).toContainEqual({ path: { type: 'PathPrefix', value: '/team-a/chat/metrics' } });
    expect(specOf(all, 'HTTPRouteFilter', 'chat-hidden')).toEqual({ directResponse: { statusCode: 404 } });
    // The most that a rule may have.
    expect(rules[1]!.matches.length).toBeLessThanOrEqual(64);
  });

  test.each([
    ['nobody knows them', []],
    ['they are more than Envoy answers by itself', Array.from({ length: 80 }, (_, i) => `model-${i}`)],
  ])('nothing about models where %s', (_, models) => {
    const made = routedOn(aRouting({ services: [aRouted([aMember()], { models })] }));
    expect(specOf(made, 'HTTPRoute', 'chat-public-answers').rules).toHaveLength(1);
  });

  test('to those who may send requests', () => {
    const { targetRefs } = specOf(all, 'SecurityPolicy', 'chat-public') as { targetRefs: Doc[] };
    expect(targetRefs.map(({ name }) => (name as string).replace(/-[0-9a-f]{5}$/, ''))).toEqual([
      'chat-public',
      'chat-public-answers',
    ]);
  });
});
