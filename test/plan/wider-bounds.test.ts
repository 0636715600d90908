import type { DeploymentPlan } from '../../src/plan/plan';
import type { RemedyTrial } from '../../src/plan/remedy-trials';
import { joinBounds } from '../../src/plan/wider-bounds';
import type { Remedy } from '../../src/scheduler/remedy';

const AT = { kind: 'bound', pool: 'p', engine: 'main', request: 'gpu', selector: 0, from: '96Gi' };

const bound = (to: string, cluster: string, perMonth: number, more: object = {}): Remedy =>
  ({ ...AT, cluster, to, cost: { perMonth, currency: 'USD' }, ...more }) as Remedy;

/** The clusters on which each bound places the missing replicas. */
const ON: Record<string, string[]> = { '80Gi': ['us', 'us'], '79Gi': ['us', 'us', 'eu'], '24Gi': ['dc', 'dc', 'dc'] };

const trialOf = (_: string, remedy: Remedy) =>
  ({
    added: (ON['to' in remedy ? String(remedy.to) : ''] ?? []).map((cluster) => ({ cluster, pools: { main: 'p' } })),
  }) as unknown as RemedyTrial;

const [narrow, wide] = [bound('80Gi', 'us', 39), bound('79Gi', 'eu', 45.5)];
const nodes = { kind: 'nodes', cluster: 'us', pool: 'p', nodes: 1, gpus: 8, cost: { perMonth: 60 } } as Remedy;
const both = (perMonth: number) => ({ ...bound('79Gi', 'eu', perMonth), also: [{ cluster: 'us', pool: 'p' }] });

test.each<[string, Remedy[], Remedy[]]>([
  [
    'a smaller quantity that more replicas can use stands for a larger one, at the price of both',
    [narrow, wide],
    [both(84.5)],
  ],
  ['other remedies that then cost less come first', [narrow, wide, nodes], [nodes, both(84.5)]],
  [
    'a quantity that as many replicas can use opens other hardware, and stays',
    [narrow, bound('80Gi', 'dc', 50)],
    [narrow, bound('80Gi', 'dc', 50)],
  ],
  [
    'a quantity whose replicas go elsewhere stands for no other',
    [narrow, bound('24Gi', 'dc', 50)],
    [narrow, bound('24Gi', 'dc', 50)],
  ],
  [
    'a bound of another selector stays',
    [narrow, bound('79Gi', 'eu', 50, { selector: 1 })],
    [narrow, bound('79Gi', 'eu', 50, { selector: 1 })],
  ],
  [
    'a quantity that a policy rule denies stands for no other',
    [narrow, bound('79Gi', 'eu', 50, { breaks: [{}] })],
    [narrow, bound('79Gi', 'eu', 50, { breaks: [{}] })],
  ],
])('%s', (_, remedies, want) => {
  const plan = { deployment: 'ml/q', shortfall: { missing: 3, remedies } } as unknown as DeploymentPlan;
  expect(joinBounds([plan], trialOf)[0]?.shortfall?.remedies).toEqual(want);
});
