import type { GitopsTool, StarterAnswers } from './starter-answers';
import { STARTER_CLOUDS } from './starter-clouds';
import { formatCommented, type StarterFile } from './starter-file';

interface GitopsRow {
  readonly comment: string;
  readonly build: (clusters: readonly string[]) => readonly object[];
}

const REPOSITORY = 'https://git.example.com/models.git';

const TOOLS: Readonly<Record<GitopsTool, GitopsRow>> = {
  argocd: {
    comment: [
      'An Application of Argo CD for each cluster. Set `repoURL` to your repository, and register each cluster in',
      'Argo CD under the name of its folder in manifests/.',
    ].join('\n'),
    build: () => [buildApplicationSet()],
  },
  flux: {
    comment: [
      'A Kustomization of Flux for each cluster. Set `url` to your repository, and create a Secret with the kubeconfig',
      'of each cluster.',
    ].join('\n'),
    build: (clusters) => [buildGitRepository(), ...clusters.map(buildKustomization)],
  },
};

/** The objects by which a tool applies the manifests of a fleet from git. */
export function buildGitopsFile(tool: GitopsTool, { clouds }: StarterAnswers): StarterFile {
  const { comment, build } = TOOLS[tool];
  const clusters = clouds.map((cloud) => STARTER_CLOUDS[cloud].cluster).sort();
  return { path: `gitops/${tool}.yaml`, text: formatCommented(build(clusters), comment) };
}

function buildApplicationSet(): object {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'models', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      // The deletion of an Application would also delete namespaces, with what others have in them.
      syncPolicy: { preserveResourcesOnDeletion: true },
      generators: [{ git: { repoURL: REPOSITORY, revision: 'main', directories: [{ path: 'manifests/*' }] } }],
      template: {
        metadata: { name: 'models-{{ .path.basename }}' },
        spec: {
          project: 'default',
          source: { repoURL: REPOSITORY, targetRevision: 'main', path: '{{ .path.path }}' },
          destination: { name: '{{ .path.basename }}' },
          syncPolicy: {
            automated: { prune: true, selfHeal: true, allowEmpty: true },
            syncOptions: ['ServerSideApply=true', 'PruneLast=true'],
          },
        },
      },
    },
  };
}

function buildGitRepository(): object {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'models', namespace: 'flux-system' },
    spec: { interval: '1m', url: REPOSITORY, ref: { branch: 'main' } },
  };
}

function buildKustomization(cluster: string): object {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: `models-${cluster}`, namespace: 'flux-system' },
    spec: {
      interval: '10m',
      path: `./manifests/${cluster}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: 'models' },
      kubeConfig: { secretRef: { name: `${cluster}-kubeconfig` } },
    },
  };
}
