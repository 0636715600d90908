import { FleetwrightError } from '../../src/base/errors';
import { renderCluster } from '../../src/render/cluster';
import { renderFleet } from '../../src/render/fleet';
import { native } from '../../src/render/native';
import type { Renderer } from '../../src/render/renderer';
import { createRendererSelector, describeOtherRenderers } from '../../src/render/renderers';
import { aDeployment, aMember } from '../api/build';
import { aReplica, fleetOf, GKE, withContainer } from './build';

/** A renderer that takes deployments of these names. */
function house(name: string, ...takes: string[]): Renderer {
  return {
    name,
    version: 1,
    reject: ({ deployment }) => (takes.includes(deployment.metadata.name) ? undefined : 'it is not for us'),
    render: ({ deployment: { metadata }, index }) => [
      {
        apiVersion: 'house.example.com/v1',
        kind: 'ModelServer',
        metadata: { name: `${metadata.name}-${index}`, namespace: metadata.namespace ?? '', labels: {} },
        data: { weights: 'yes' },
      },
    ],
  };
}

const qwen = aReplica(withContainer({}));
const llama = aReplica(aDeployment('ml/llama'));
const pair = aReplica(
  aDeployment('ml/pair', {
    serving: { mode: 'PrefillDecode' },
    engines: [
      { name: 'p', phase: 'Prefill', members: [aMember()] },
      { name: 'd', phase: 'Decode', members: [aMember()] },
    ],
  }),
);

describe('the renderer of a replica', () => {
  const cases: Record<string, { given: Renderer[]; want: (string | undefined)[] }> = {
    'is ours where nothing else is given': { given: [], want: ['Native', 'Native'] },
    'is one that is given and takes it': { given: [house('a', 'llama')], want: ['Native', 'a'] },
    'is the first of several that take it': {
      given: [house('a', 'llama'), house('b', 'llama', 'qwen3')],
      want: ['b', 'a'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { given, want }) => {
    const rendererFor = createRendererSelector(given);
    expect([qwen, llama].map((replica) => rendererFor(replica).name)).toEqual(want);
  });

  test('is ours for a pair of prefill and decode, unless one is given that takes it', () => {
    expect(createRendererSelector([])(pair)).toBe(native);
    expect(createRendererSelector([house('a', 'pair')])(pair).name).toBe('a');
  });
});

describe('renderers that cannot be used are refused together', () => {
  const wrongVersion = { ...house('old', 'a'), version: 2 } as unknown as Renderer;
  const cases: Record<string, { given: Renderer[]; want: string[] }> = {
    'two of one name': {
      given: [house('a'), house('a')],
      want: ["renderer 'a': another renderer has this name. Rename one."],
    },
    'one with the name of ours': {
      given: [house('Native')],
      want: ["renderer 'Native': another renderer has this name. Rename one."],
    },
    'one whose name has a space, and one for another version': {
      given: [house('my own'), wrongVersion],
      want: [
        "renderer 'my own': this is not a name for a renderer. Use letters, digits, '.' and '-', with a letter or digit at both ends.",
        "renderer 'old': it reads version 2 of computed replicas, and this release makes 1. Use a release of it for this version.",
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { given, want }) => {
    expect(() => createRendererSelector(given)).toThrow(FleetwrightError);
    expect(() => createRendererSelector(given)).toThrow(want.join('\n'));
  });
});

describe('what another renderer makes', () => {
  const fleet = fleetOf(GKE, qwen.deployment, llama.deployment);
  const renderers = [house('house', 'llama')];

  test('keeps its own options of Argo CD', () => {
    const metadata = { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' } };
    const own: Renderer = {
      ...renderers[0]!,
      render: (replica) =>
        renderers[0]!.render(replica).map((one) => ({ ...one, metadata: { ...one.metadata, ...metadata } })),
    };
    const manifests = renderCluster(GKE, [llama], { fleet, renderers: [own] });
    expect(manifests.find((one) => one.metadata.name === 'llama-0')).toMatchObject({ metadata });
  });

  test('is next to ours, with fields of its own, and pruned last by Argo CD', () => {
    const manifests = renderCluster(GKE, [qwen, llama], { fleet, renderers });
    const own = renderers[0]!.render(llama).map((one) => {
      return {
        ...one,
        metadata: { ...one.metadata, annotations: { 'argocd.argoproj.io/sync-options': 'PruneLast=true' } },
      };
    });
    expect(manifests.filter(({ metadata }) => metadata.name === 'llama-0')).toEqual(own);
    expect(manifests.map(({ kind }) => kind)).toContain('Deployment');
  });

  test('is in the file of its deployment', () => {
    const files = renderFleet(fleet, [qwen, llama], { renderers });
    expect(files.get('gke/ml.llama.yaml')).toContain('kind: ModelServer\n');
    expect(files.get('gke/ml.llama.yaml')).toContain('data:\n  weights: "yes"\n');
  });

  test('is reported of, by renderer', () => {
    const some = [llama, qwen, { ...llama, index: 1 }];
    const rendererFor = createRendererSelector([house('z', 'qwen3'), house('a', 'llama')]);
    expect(describeOtherRenderers(some, rendererFor)).toEqual([
      'ModelDeployment ml/llama: rendered by a.',
      'ModelDeployment ml/qwen3: rendered by z.',
    ]);
    expect(describeOtherRenderers(some, createRendererSelector([]))).toEqual([]);
  });
});
