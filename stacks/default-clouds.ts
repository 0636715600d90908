import type { MadeOn } from '../src/provision/made-on';
import type { Cloud } from './cloud';
import type * as Eks from './eks-cloud';
import type * as Gke from './gke-cloud';
import { type Loading, loadProvider } from './missing-provider';

/** What makes clusters of each cloud. Providers are installed, and loaded, only by those who use them. */
const CLOUDS: Readonly<Record<MadeOn, Loading<Cloud>>> = {
  GKE: { provider: '@pulumi/gcp', load: () => (require('./gke-cloud') as typeof Gke).gke() },
  EKS: { provider: '@pulumi/aws', load: () => (require('./eks-cloud') as typeof Eks).eks() },
};

/** What makes clusters of a cloud, as it comes. */
export function defaultCloud(source: MadeOn): Cloud {
  const loaded = loadProvider(CLOUDS[source]);
  if ('made' in loaded) return loaded.made;
  return {
    source,
    refusal: () => loaded.missing,
    make() {
      throw new Error(`bug: ${source} was not refused`);
    },
  };
}
