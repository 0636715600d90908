import { aDeployment, anEngine, type Doc } from '../api/build';
import { manifestsOf } from './build';

interface Case {
  rollout: unknown;
  standalone: Doc;
  gang: Doc;
}

const rolling = (maxSurge: number, maxUnavailable: number): Omit<Case, 'rollout'> => ({
  standalone: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  gang: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable, maxSurge } },
});

const cases: Record<string, Case> = {
  'an old pod goes first, since the new one needs its devices': { rollout: {}, ...rolling(0, 1) },
  'a declared surge comes first, and no old pod goes before it is ready': {
    rollout: { surge: 1 },
    ...rolling(1, 0),
  },
  'all pods go at once where that is asked for': {
    rollout: 'Recreate',
    standalone: { type: 'Recreate' },
    gang: rolling(0, 3).gang,
  },
};

/** The rollout of the workload of one engine of three copies. */
function strategyOf(rollout: unknown, engine: Doc): unknown {
  const engines = [anEngine('main', { copies: 3, ...engine })];
  const manifests = manifestsOf(aDeployment('ml/q', { rollout, engines }));
  const { strategy, rolloutStrategy } = manifests.at(-1)!.spec as Doc;
  return strategy ?? rolloutStrategy;
}

test.each(Object.entries(cases))('a rollout: %s', (_, { rollout, standalone, gang }) => {
  expect(strategyOf(rollout, {})).toEqual(standalone);
  expect(strategyOf(rollout, { workers: 1 })).toEqual(gang);
});

test('workloads wait for those of earlier waves on their cluster, and for all that they need', () => {
  const manifests = manifestsOf(aDeployment('ml/q'), { index: 3 });
  const waves = manifests.map(({ kind, metadata }) => [kind, metadata.annotations?.['argocd.argoproj.io/sync-wave']]);
  expect(waves).toEqual([
    ['Namespace', '-2'],
    ['ResourceClaimTemplate', undefined],
    ['NetworkPolicy', '4'],
    ['Service', undefined],
    ['Deployment', '4'],
  ]);
});
