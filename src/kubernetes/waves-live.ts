import type { Access } from '../live/access';
import type { FindingProblems } from '../live/finding-problems';
import type { WaveSite } from '../live/waves/in-vain';
import { waveFindings, waveUnseen } from '../live/waves/wave-findings';
import { WORKLOAD_LISTS } from '../live/waves/workload-lists';
import type { ApiServerOptions } from './api-server';
import { listAll, serverVersion } from './see-cluster';
import { Unreachable } from './unreachable';
import { withApiServer } from './with-api-server';

/** What waves of a change would wait for in vain on a cluster. One that gives no answer is a warning. */
export async function wavesLive(
  site: WaveSite,
  access: Access,
  options: ApiServerOptions,
): Promise<FindingProblems> {
  const found = await withApiServer(access, options, async (api) => {
    await serverVersion(api);
    return waveFindings(site, await listAll(api, WORKLOAD_LISTS));
  });
  return found instanceof Unreachable ? waveUnseen(site, found.message) : found;
}
