import type { Fault } from '../../api/checks/fault';
import { namedOf, rulesOf } from '../rules';
import type { Scene } from './scene';

/** What Gateway API takes: rules of a route, backends of a rule (HTTPRoute, v1). */
const MOST = 16;

/** Services that are more than one route can hold. */
export function* fitsRoute({ selections }: Scene): Iterable<Fault> {
  for (const { service, rules } of selections) {
    const made = rulesOf(namedOf(service), rules);
    const largest = Math.max(0, ...made.map(({ members }) => members.length));
    if (made.length > MOST) {
      yield {
        code: 'too-many-rules',
        resource: service,
        path: ['spec', 'endpoints'],
        what: `it takes ${made.length} rules to tell requests by headers and adapters apart, and a route has at most ${MOST}`,
        hint: 'Make several services of it',
      };
    }
    if (largest > MOST) {
      yield {
        code: 'too-many-members',
        resource: service,
        path: ['spec', 'endpoints'],
        what: `requests would be split over ${largest} deployments on clusters and endpoints, and a rule takes at most ${MOST}`,
        hint: 'Select fewer clusters, or make several services of it',
      };
    }
  }
}
