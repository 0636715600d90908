import type { Resource } from '../../src/api/kinds';
import { aModel, aSplit, to } from '../routing/build';
import { atLeast, canary, findings, named, NEWER, stable } from './gate-fleet';

const SERVICE = aSplit('ml/chat', [to({ track: 'stable' })]);

/** A deployment that admits clients of namespaces, or of others too where one has no name. */
function admitting(name: string, namespaces: (string | undefined)[]): Resource {
  const from = namespaces.map((one) =>
    one === undefined
      ? { podSelector: { matchLabels: { role: 'client' } } }
      : { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': one } } },
  );
  return aModel(name, { replicas: 2, networkPolicy: { from } });
}

const cases: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'passes a deployment that is renamed, where that is accepted': {
    before: [stable()],
    after: [named('ml', 'p', stable())],
    accept: true,
    want: [],
  },
  'refuses a deployment that gets another name together with another image': {
    before: [stable()],
    after: [named('ml', 'p', stable({ engines: [NEWER] }))],
    want: [expect.stringContaining('its new name is ml/p, and clients in its clusters that use its Service chat-')],
  },
  'refuses a deployment that gets another name with other labels, if its model keeps its name': {
    before: [stable({ engines: [NEWER] })],
    after: [named('ml', 'p', stable({ engines: [NEWER], replicas: 3, replicaLabels: { track: 'other' } }))],
    want: [expect.stringContaining('its new name is ml/p, ')],
  },
  'pairs a deployment that gets another name with the most similar of two': {
    before: [stable({ engines: [NEWER] })],
    after: [
      named('ml', 'a', stable({ engines: [NEWER], replicas: 1, priority: 5 })),
      named('ml', 'b', stable({ engines: [NEWER], replicas: 3 })),
    ],
    want: [expect.stringContaining('its new name is ml/b, ')],
  },
  'refuses that a deployment is removed that no service selects': {
    before: [stable(), canary()],
    after: [canary()],
    want: [
      expect.stringMatching(
        /^ml\/chat and its 2 replicas are removed: clients on us that use its Service chat-\w+ get no answer any more\. Keep the deployment until no client uses it; or if no client uses it, add --accept-removals to plan --gate$/,
      ),
    ],
  },
  'names the namespaces of clients, where a network policy admits no others': {
    before: [admitting('ml/chat', ['search', 'batch']), admitting('ml/next', ['search', undefined])],
    after: [],
    want: [
      expect.stringMatching(/^ml\/chat and its 2 replicas are removed: pods of namespaces batch, search on us that /),
      expect.stringMatching(/^ml\/next and its 2 replicas are removed: clients on us that /),
    ],
  },
  'passes that a deployment is removed or renamed that no client can reach': {
    before: [
      SERVICE,
      stable(),
      canary({ replicaLabels: {}, replicas: 2 }),
      named('ml', 'p', canary({ replicaLabels: {}, replicas: 2 })),
    ],
    after: [SERVICE, stable(), named('ml', 'r', canary({ replicaLabels: {}, replicas: 2 }))],
    want: [],
  },
  'passes that a deployment is removed, where that is accepted': {
    before: [stable(), canary()],
    after: [canary()],
    accept: true,
    want: [],
  },
  'refuses that fewer than minAvailable serve': {
    before: [atLeast(3, stable({ replicas: 3 }))],
    after: [atLeast(3, stable({ replicas: 3, engines: [NEWER] }))],
    want: [expect.stringContaining('ml/chat: 2 replicas serve during the rollout, fewer than minAvailable: 3')],
  },
  'says how many replicas have to serve of a deployment without one': {
    before: [atLeast(2, stable({ replicas: 2, rollout: { parallel: 2 } }))],
    after: [atLeast(2, stable({ replicas: 2, rollout: { parallel: 2 }, engines: [NEWER] }))],
    want: [expect.stringContaining('ml/chat has no serving replica (minAvailable: 2) for about ')],
  },
  'says that downtime that is accepted is less than minAvailable asks for': {
    before: [atLeast(1, stable({ replicas: 1 }))],
    after: [atLeast(1, stable({ replicas: 1, engines: [NEWER] }))],
    want: [expect.stringContaining("accept downtime with 'rollout: Recreate', which also voids 'minAvailable: 1'")],
  },
  'asks to raise minAvailable after a rollout that comes with it, before what costs more': {
    before: [atLeast(2, stable({ replicas: 3 }))],
    after: [atLeast(3, stable({ replicas: 3, engines: [NEWER] }))],
    want: [expect.stringContaining("minAvailable: 3. Keep 'minAvailable: 2' until this rollout is done; or set")],
  },
  'passes a deployment that did not have minAvailable before': {
    before: [stable({ replicas: 2 })],
    after: [atLeast(3, stable({ replicas: 3, engines: [NEWER] }))],
    want: [],
  },
};
test.each(Object.entries(cases))('the gate %s', (_, { before, after, accept, want }) => {
  expect(findings(before, after, accept)).toEqual(want);
});
