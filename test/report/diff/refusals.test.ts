import type { GateFinding } from '../../../src/diff/gate-findings';
import type { Resource } from '../../../src/api/kinds';
import { collectRefusals } from '../../../src/report/diff/refusals';
import type { RemedyOutcome } from '../../../src/report/diff/unplaced-findings';
import type { Remedy } from '../../../src/scheduler/remedy';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { compare } from '../pull-request/unplaced-comment';

/** Two deployments on two nodes, whose pods a packing scheduler would have to arrange. */
const fleet = (replicas: number): Resource[] => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 2 } } }),
  aDeployment('ml/large', { engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
  aDeployment('ml/small', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] }),
];

/** The kinds of remedies that are offered where some of them turn out to help no replica. */
function offered(isUseless: (kind: Remedy['kind']) => boolean): string[] {
  const { diff, plan } = compare(fleet(1), fleet(2));
  const trialOf = ([one]: readonly { readonly remedy: Pick<Remedy, 'kind'> }[]): RemedyOutcome => {
    return { findings: [], displaced: [], missing: 0, helped: one && isUseless(one.remedy.kind) ? 0 : 1 };
  };
  const { unplaced } = collectRefusals({ diff, plan, problems: [], findings: [], trialOf });
  return unplaced.flatMap(({ deployments: [{ shortfall }] }) => shortfall?.remedies.map(({ kind }) => kind) ?? []);
}

test.each<[string, (kind: Remedy['kind']) => boolean, string[]]>([
  ['remedies that help are offered', () => false, ['packing', 'nodes']],
  ['one with which the replicas still have no place is not', (kind) => kind === 'packing', ['nodes']],
  ['nor is the next one, if it is as useless', () => true, []],
])('%s', (_, isUseless, want) => {
  expect(offered(isUseless)).toEqual(want);
});

test('one with which the change passes comes before cheaper ones with which the gate refuses it', () => {
  const { diff, plan } = compare(fleet(1), fleet(2));
  const outage = { kind: 'outage', change: { deployment: 'ml/large' } } as unknown as GateFinding;
  const trialOf = ([one]: readonly { readonly remedy: Pick<Remedy, 'kind'> }[]): RemedyOutcome => {
    return { findings: one?.remedy.kind === 'packing' ? [outage] : [], displaced: [], helped: 1, missing: 0 };
  };
  const { unplaced } = collectRefusals({ diff, plan, problems: [], findings: [], trialOf });
  const kinds = unplaced.flatMap(({ deployments: [{ shortfall }] }) => shortfall?.remedies.map(({ kind }) => kind));
  expect(kinds).toEqual(['nodes', 'packing']);
});

test.each<[string, Partial<RemedyOutcome>, Remedy['kind'] | undefined]>([
  ['where nothing fails the change with it', {}, 'packing'],
  ['not where other replicas have no place', { missing: 1 }, undefined],
])('of two problems, a remedy solves both %s', (_, outcome, want) => {
  const { diff, plan } = compare(fleet(1), fleet(2));
  const findings = [{ kind: 'outage', change: { deployment: 'ml/large', changes: [] } } as unknown as GateFinding];
  const trialOf = (): RemedyOutcome => ({ findings: [], displaced: [], helped: 1, missing: 0, ...outcome });
  const { joint } = collectRefusals({ diff, plan, problems: [], findings, trialOf });
  expect(joint?.remedy.kind).toBe(want);
});

test.each<[string, RemedyOutcome['displaced'], number]>([
  ['is said', [], 1],
  ['is not said again where its replicas have no place then', [{ deployment: 'ml/large', count: 1 }], 0],
])('what the gate refuses of another deployment with a remedy %s', (_, displaced, count) => {
  const { diff, plan } = compare(fleet(1), fleet(2));
  const outage = { kind: 'outage', change: { deployment: 'ml/large' } } as unknown as GateFinding;
  const trialOf = (): RemedyOutcome => ({ findings: [outage], displaced, helped: 1, missing: 0 });
  const { effects } = collectRefusals({ diff, plan, problems: [], findings: [], trialOf });
  expect([...effects.values()].slice(0, 1).flatMap((one) => one.afterwards)).toHaveLength(count);
});
