import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { compareText } from '../../src/base/order';
import { diffStates, type FleetDiff } from '../../src/diff/fleet-diff';
import type { FleetState } from '../../src/diff/fleet-state';
import { createObjectComparer, diffObjects } from '../../src/diff/object-changes';
import type { Decision } from '../../src/plan/decision';
import { aClass, aCluster, type Doc, MACHINES } from '../api/build';
import { withNamedSources } from '../cost/named-sources';
import { routedFleet } from '../routing/fleets';
import { FEW_UNLUCKY, unlessUnlucky } from '../routing/unlucky';
import { state } from './build';
import { daily } from '../daily';

const pool = fc.record({
  name: fc.constantFrom('a', 'b'),
  nodeCount: fc.integer({ min: 1, max: 3 }),
  maxNodeCount: fc.constantFrom(undefined, undefined, 4),
});

/** A cluster that a cloud makes, or two of them. */
const clouds: fc.Arbitrary<Resource[]> = fc
  .record({
    source: fc.constantFrom('GKE' as const, 'EKS' as const),
    pools: fc.uniqueArray(pool, { selector: ({ name }) => name, minLength: 1 }),
    spot: fc.boolean(),
    clusters: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ source, pools, spot, clusters }) => {
    const key = source.toLowerCase();
    const machine = (MACHINES[source] as unknown as Record<string, Doc>)[key];
    const sized = pools.map(({ name, maxNodeCount, ...size }): [string, Doc] => {
      return [name, { className: 'made', ...size, ...(maxNodeCount && { maxNodeCount }) }];
    });
    return [
      aClass('made', { provisioning: { provider: source, [key]: { ...machine, spot } } }),
      ...Array.from({ length: clusters }, (_, i) =>
        aCluster(`cloud-${i}`, { source, gateway: 'None', pools: Object.fromEntries(sized) }),
      ),
    ];
  });

const fleet = fc.tuple(routedFleet, clouds).map(([routed, made]) => [...routed, ...made]);

function stateOf(
  resources: readonly Resource[],
  more: readonly string[] = [],
): FleetState & { readonly decision: Decision } {
  return unlessUnlucky(() => state('some', resources), more);
}

test('nothing is otherwise than it is', () => {
  fc.assert(
    fc.property(fleet, (resources) => {
      const one = stateOf(resources);
      const same = state('same', [...resources].reverse());
      const { cost, idleAccelerators, ...diff } = diffStates(one, same, same.decision);
      expect(idleAccelerators.after).toBe(idleAccelerators.before);
      expect(diff).toEqual({
        against: 'some',
        declarations: [],
        deployments: [],
        copies: [],
        caches: [],
        routes: { services: [], gateways: [] },
        cloud: [],
        objects: [],
      });
      expect(cost).toMatchObject({ clusters: [], namespaces: [], deployments: [] });
      expect([cost?.delta.least, cost?.delta.most]).toEqual([NOTHING, NOTHING]);
    }),
    { numRuns: 3, seed: 11, ...FEW_UNLUCKY },
  );
});

const NOTHING = { perHour: 0, perMonth: 0, unknown: 0 };

test('clusters and namespaces that are not rendered have no other objects, and every object that changes a cause', () => {
  fc.assert(
    fc.property(fleet, fc.nat(), (resources, seed) => {
      const one = stateOf(resources);
      const other = stateOf(edited(resources, seed), NAMES_WHAT_IS_GONE);
      const clusters = new Set(
        [...one.decision.fleet.clusters, ...other.decision.fleet.clusters].map(({ metadata }) => metadata.name),
      );
      const everywhere = [...clusters].sort(compareText).map((cluster) => ({ cluster }));
      const all = diffObjects(one, other, everywhere).map(({ change }) => change);
      const { objects } = diffStates(one, other, other.decision);
      expect(objects.map((one) => ({ ...one, causes: undefined }))).toEqual(all);
      expect(objects.filter(({ causes }) => causes.length === 0)).toEqual([]);
    }),
    { numRuns: daily(4), seed: 11, ...FEW_UNLUCKY },
  );
});

test('the objects of a second state are compared as if it were the first', () => {
  fc.assert(
    fc.property(fleet, fc.nat(), fc.nat(), (resources, seed, another) => {
      const before = stateOf(resources);
      const [first, second] = [seed, another].map((one) => stateOf(edited(resources, one), NAMES_WHAT_IS_GONE));
      const compare = createObjectComparer(before);
      compare(first as FleetState);
      expect(compare(second as FleetState)).toEqual(createObjectComparer(before)(second as FleetState));
    }),
    { numRuns: daily(12), seed: 11, ...FEW_UNLUCKY },
  );
});

/** Why a fleet may be refused that has one resource fewer. */
const NAMES_WHAT_IS_GONE = ['unknown-reference', 'no-target'];

/** A fleet with one resource fewer, or with other labels of one deployment, or one of another number of replicas. */
function edited(resources: readonly Resource[], seed: number): Resource[] {
  const at = seed % resources.length;
  return resources.flatMap((one, i): Resource[] => {
    if (i !== at) return [one];
    if (one.kind !== 'ModelDeployment') return [];
    return [{ ...one, spec: { ...one.spec, replicas: (seed % 3) + 1 } }];
  });
}

test('the way back is the way there with its sides turned', () => {
  fc.assert(
    fc.property(fleet, fleet, (first, second) => {
      const [one, other] = [stateOf(first), stateOf(second)];
      const [there, back] = [diffStates(one, other, other.decision), diffStates(other, one, one.decision)];
      expect(sides(there, false)).toEqual(sides(back, true));
    }),
    { numRuns: daily(4), seed: 11, ...FEW_UNLUCKY },
  );
});

const OPPOSITE: Record<string, string> = {
  add: 'remove',
  remove: 'add',
  added: 'removed',
  removed: 'added',
  create: 'delete',
  delete: 'create',
};

/** What a comparison says without its reasons, as lines in one order. */
function sides({ declarations, routes, cloud, objects, cost }: FleetDiff, turned: boolean): string[] {
  const act = (action: string): string => (turned ? (OPPOSITE[action] ?? action) : action);
  const two = <T>({ before, after }: { before?: T; after?: T }): string =>
    JSON.stringify(turned ? [after ?? null, before ?? null] : [before ?? null, after ?? null]);
  // Where a field of the later side has another type, its position is that of the later side.
  const fields = (all: readonly { field: string; before?: unknown; after?: unknown }[]): string =>
    all
      .map((one) => `${one.field} ${two(one)}`)
      .sort()
      .join();
  const amount = (value = 0): number => (turned ? -value : value) + 0;
  const costs = cost && withNamedSources(cost);
  return [
    ...declarations.map((one) => `${one.id} ${act(one.action)} ${fields(one.fields)}`),
    ...routes.services.map((one) => `${one.service} ${act(one.action)} ${fields(one.fields)}`),
    ...routes.services.flatMap(({ service, members, targets }) =>
      [...members, ...targets].map((one) => `${service} ${one.target} ${one.cluster} ${one.match} ${two(one)}`),
    ),
    ...routes.gateways.map((one) => `${one.cluster} ${one.kind} ${act(one.action)} ${fields(one.fields)}`),
    ...cloud.map((one) =>
      [one.cluster, one.kind, one.name, act(one.action), two(one.nodes ?? {}), fields(one.fields)].join(' '),
    ),
    ...objects.map((one) => `${one.cluster} ${one.kind} ${one.name} ${act(one.action)} ${fields(one.fields)}`),
    `${amount(costs?.delta.least.perHour)} ${amount(costs?.delta.most.perHour)} ${costs?.delta.most.unknown}`,
    ...(costs?.clusters ?? []).map((one) => `${one.cluster} ${two(one)} ${amount(one.delta.most.perHour)}`),
    ...(costs?.deployments ?? []).map((one) => `${one.deployment} ${two(one)} ${amount(one.delta.perHour)}`),
  ].sort();
}
