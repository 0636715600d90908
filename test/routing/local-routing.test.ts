import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { renderCluster } from '../../src/render/cluster';
import { createLocalRouting } from '../../src/routing/local-routing';
import { daily } from '../daily';
import type { Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, decided, routed, to } from './build';
import { routedFleet } from './fleets';
import { FEW_UNLUCKY, unlessUnlucky } from './unlucky';

test('the objects of a cluster are the same from its part of the routing', () => {
  let routes = 0;
  fc.assert(
    fc.property(routedFleet, (resources) => {
      const { fleet, replicas, routing } = unlessUnlucky(() => decided(...resources.slice(1).map(withMonitoring)));
      const localRoutingOf = createLocalRouting(routing);
      for (const cluster of fleet.clusters) {
        const whole = renderCluster(cluster, replicas, { fleet, routing });
        const part = renderCluster(cluster, replicas, { fleet, routing: localRoutingOf(cluster.metadata.name) });
        expect(part).toEqual(whole);
        routes += whole.filter(({ kind }) => kind === 'HTTPRoute').length;
      }
    }),
    { numRuns: daily(32), ...FEW_UNLUCKY },
  );
  expect(routes).toBeGreaterThan(20);
});

function withMonitoring(resource: Resource): Resource {
  if (resource.kind !== 'InferenceCluster') return resource;
  const monitoring = aSite('monitored', { monitoring: { prometheus: {} } } as Doc).spec.monitoring;
  return { ...resource, spec: { ...resource.spec, ...(monitoring && { monitoring }) } };
}

test.each([
  ['with its replicas', 'north', true],
  ['with an ingress gateway', 'east', true],
  ['that does not serve it', 'west', false],
])('another entry of a service concerns a cluster %s: %p', (_, cluster, concerned) => {
  const routingOf = (weight: number) =>
    createLocalRouting(
      routed(
        aSite('east'),
        aSite('west'),
        aSite('north'),
        aModel('ml/one', { on: ['west'], replicaLabels: { app: 'a' } }),
        aModel('ml/two', { on: ['north'], replicas: 2, replicaLabels: { app: 'b' } }),
        aSplit('ml/chat', [to({ app: 'a' })]),
        aSplit('ml/code', [
          to({ app: 'b', 'fleetwright.dev/replica-index': '0' }, { weight }),
          to({ app: 'b', 'fleetwright.dev/replica-index': '1' }, { weight: 2 }),
        ]),
        aDoor(['east']),
      ),
    )(cluster);
  const [before, after] = [routingOf(1), routingOf(5)];
  if (concerned) expect(after).not.toEqual(before);
  else expect(after).toEqual(before);
});
