import { CLAIMS_SINCE } from '../../api/claim-features';
import { versionOf } from '../../api/cluster-features';
import { failure, ok, type Said, unknown, warning } from '../finding';
import type { Check } from './site';

const MINOR = /^v?1\.(\d+)/;

/** Whether claims can be made at all, and whether what the plan assumes of the version is so. */
export const version: Check = {
  name: 'version',
  look({ cluster, seen }): readonly Said[] {
    const runs = minorIn(seen.version);
    if (runs === undefined) {
      return [unknown('the API server does not say its version', 'Ask it with kubectl version')];
    }
    if (cluster.spec.dra && runs < CLAIMS_SINCE) {
      const what = `Kubernetes ${seen.version} serves no claims for devices, which came with 1.${CLAIMS_SINCE}`;
      return [failure(what, 'Upgrade it, or set dra: false on the cluster and ask a device plugin')];
    }
    const declared = versionOf(cluster);
    const wanted = minorIn(declared ?? '');
    if (wanted === undefined || wanted === runs) return [ok(`Kubernetes ${seen.version}`)];
    const what = `Kubernetes ${seen.version} runs, and ${declared} is declared`;
    return [warning(what, 'Correct kubernetesVersion: what claims may use is judged by it')];
  },
};

function minorIn(text: string): number | undefined {
  const [, minor] = MINOR.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
