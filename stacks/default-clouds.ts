import type { MadeOn } from '../src/provision/made-on';
import type { Cloud } from './cloud';
import type * as Eks from './eks-cloud';
import type * as Gke from './gke-cloud';

/** What makes clusters of each cloud. Providers are installed, and loaded, only by those who use them. */
const CLOUDS: Readonly<Record<MadeOn, { readonly provider: string; load(): Cloud }>> = {
  GKE: { provider: '@pulumi/gcp', load: () => (require('./gke-cloud') as typeof Gke).gke() },
  EKS: { provider: '@pulumi/aws', load: () => (require('./eks-cloud') as typeof Eks).eks() },
};

/** What makes clusters of a cloud, as it comes. */
export function defaultCloud(source: MadeOn): Cloud {
  const { provider, load } = CLOUDS[source];
  try {
    return load();
  } catch (error) {
    if (!isMissing(error, provider)) throw error;
    return without(source, provider);
  }
}

function isMissing(error: unknown, provider: string): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    ? error.message.includes(`'${provider}/`)
    : false;
}

function without(source: MadeOn, provider: string): Cloud {
  return {
    source,
    refusal: () => ({
      code: 'no-provider',
      what: `${provider} is not installed`,
      hint: `Run 'npm install ${provider}'`,
    }),
    make() {
      throw new Error(`bug: ${source} was not refused`);
    },
  };
}
