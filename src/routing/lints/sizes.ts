import type { Fault } from '../../api/checks/fault';
import { bundlesOf, MOST_BACKENDS } from '../bundles';
import { namedOf, rulesOf } from '../rules';
import type { Scene } from './scene';

/** What Gateway API takes: rules of a route (HTTPRoute, v1). */
const MOST_RULES = 16;

/** Services that are more than one route can hold. */
export function* fitsRoute({ selections }: Scene): Iterable<Fault> {
  for (const { service, rules } of selections) {
    const made = rulesOf(namedOf(service), rules);
    const largest = Math.max(0, ...made.map((rule) => bundlesOf(rule).length));
    if (made.length > MOST_RULES) {
      yield {
        code: 'too-many-rules',
        resource: service,
        path: ['spec', 'endpoints'],
        what: `it takes ${made.length} rules to tell requests by headers and adapters apart, and a route has at most ${MOST_RULES}`,
        hint: 'Make several services of it',
      };
    }
    if (largest > MOST_BACKENDS) {
      yield {
        code: 'too-many-members',
        resource: service,
        path: ['spec', 'endpoints'],
        what: `requests would be split into ${largest} different shares, by entry and by how many replicas a cluster holds, and a rule takes at most ${MOST_BACKENDS}`,
        hint: 'Give clusters equally many replicas with maxPerCluster, select fewer, or make several services of it',
      };
    }
  }
}
