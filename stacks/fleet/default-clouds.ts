import type { ManagedCloud } from '../../src/provision/managed-cloud';
import type * as Aks from '../aks/cloud';
import { type Cloud, listManagedProblems } from '../cloud/cloud';
import type * as Eks from '../eks/cloud';
import type * as Gke from '../gke/cloud';
import { loadProvider, type ProviderLoader } from '../runtime/load-provider';

/** The loaders of clouds. Provider packages are optional and loaded on first use. */
const CLOUD_LOADERS: Readonly<Record<ManagedCloud, ProviderLoader<Cloud>>> = {
  GKE: { provider: '@pulumi/gcp', load: () => (require('../gke/cloud') as typeof Gke).gke() },
  EKS: { provider: '@pulumi/aws', load: () => (require('../eks/cloud') as typeof Eks).eks() },
  AKS: { provider: '@pulumi/azure-native', load: () => (require('../aks/cloud') as typeof Aks).aks() },
};

/** Loads a cloud with its default options. If its provider package is missing, the cloud rejects clusters. */
export function loadDefaultCloud(source: ManagedCloud): Cloud {
  const loaded = loadProvider(CLOUD_LOADERS[source]);
  if ('made' in loaded) return loaded.made;
  const { code, message, hint } = loaded.missing;
  const refuse = (): never => {
    throw new Error(`bug: ${source} was not refused`);
  };
  return {
    source,
    check: (cluster, fleet) => [{ code, message, hint }, ...listManagedProblems(cluster, fleet)],
    plan: refuse,
    make: refuse,
  };
}
