import { backendTypeOf } from '../../api/kubernetes-features';
import type { ReleaseContext, ReleaseDefinition } from './release';

const REPOSITORY = 'oci://ghcr.io/kserve/charts';
const VERSION = 'v0.20.0';

/** Whether a Pulumi program installs KServe, whose webhooks have certificates of cert-manager. */
export function installsKServe({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.kserve?.install === true;
}

/**
 * The releases of KServe. They are installed only on request, because other teams share them. The chart of its presets is
 * left out: manifests include an empty preset for each that applies.
 */
export const KSERVE_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'kserveCrds',
    name: 'kserve-llmisvc-crd',
    namespace: 'kserve',
    chart: 'kserve-llmisvc-crd',
    repository: REPOSITORY,
    version: VERSION,
    needed: installsKServe,
  },
  {
    key: 'kserve',
    name: 'kserve-llmisvc-resources',
    namespace: 'kserve',
    chart: 'kserve-llmisvc-resources',
    repository: REPOSITORY,
    version: VERSION,
    needs: ['certManager', 'leaderWorkerSet', 'kserveCrds'],
    optIn: true,
    needed: ({ cluster }) => backendTypeOf(cluster) === 'KServe',
    values: () => ({
      kserve: {
        llmisvc: {
          // Gateways and endpoint pickers of Fleetwright do not use the kinds of the inference extension.
          createGIECRDs: false,
          // The limit of the chart, 300Mi, is too low for many services: each merges several presets.
          controller: { resources: { limits: { cpu: '1', memory: '1Gi' } } },
        },
      },
    }),
    imageValues: (mirror) => ({
      kserve: { llmisvc: { controller: { image: `${mirror}/kserve/llmisvc-controller` } } },
    }),
  },
];
