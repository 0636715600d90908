import type { ManagedCloud } from '../src/provision/managed-cloud';
import type { Cloud } from './cloud';
import type * as Eks from './eks-cloud';
import type * as Gke from './gke-cloud';
import { loadProvider, type ProviderLoader } from './load-provider';

/** What makes clusters of each cloud. Providers are installed, and loaded, only by those who use them. */
const CLOUD_LOADERS: Readonly<Record<ManagedCloud, ProviderLoader<Cloud>>> = {
  GKE: { provider: '@pulumi/gcp', load: () => (require('./gke-cloud') as typeof Gke).gke() },
  EKS: { provider: '@pulumi/aws', load: () => (require('./eks-cloud') as typeof Eks).eks() },
};

/** What makes clusters of a cloud, as it comes. */
export function loadDefaultCloud(source: ManagedCloud): Cloud {
  const loaded = loadProvider(CLOUD_LOADERS[source]);
  if ('made' in loaded) return loaded.made;
  return {
    source,
    refusal: () => loaded.missing,
    make() {
      throw new Error(`bug: ${source} was not refused`);
    },
  };
}
