import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';

const H100 = aClass('h100', { price: { perHour: 10 } });
const site = (name: string, nodeCount: number) => aCluster(name, { pools: { h100: { nodeCount } } });
const taking = (id: string, gpus: number, spec: Doc = {}) =>
  aDeployment(id, { engines: [{ name: 'main', members: [aMember({ gpus })] }], ...spec });

const onCluster = (name: string): Doc => ({ clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': name } } });

/** The kinds of remedies, where clusters get other numbers of nodes under the same deployments. */
function remediesOf(deployments: ReturnType<typeof taking>[], before: Sites, after: Sites): string[] {
  const fleetOf = (sites: Sites) =>
    assemble([H100, ...Object.entries(sites).map(([name, count]) => site(name, count)), ...deployments]);
  const { lock } = decide(fleetOf(before), byPath, EMPTY_LOCK);
  const { plan } = decide(fleetOf(after), byPath, lock);
  return plan.deployments.flatMap(({ shortfall }) => shortfall?.remedies.map(({ kind }) => kind) ?? []);
}

type Sites = Record<string, number>;

const spread = [taking('ml/large', 4, { replicas: 4 }), taking('ml/whole', 8)];

test.each<[string, ReturnType<typeof taking>[], Sites, Sites, boolean]>([
  [
    'are offered where the replica has a place once the change is declared again',
    [taking('ml/any', 8), taking('ml/only', 8, onCluster('us'))],
    { ap: 0, us: 2 },
    { ap: 1, us: 1 },
    true,
  ],
  ['are offered where replicas of two clusters change places', spread, { ap: 2, us: 2 }, { ap: 2, us: 1 }, true],
  ['are not offered where none gives a place', spread, { ap: 2, us: 2 }, { ap: 1, us: 1 }, false],
])('moves before a change %s', (_, deployments, before, after, isOffered) => {
  expect(remediesOf(deployments, before, after).includes('move')).toBe(isOffered);
});
