import type { Access } from '../live/access';
import { examine } from '../live/doctor/examine';
import { rightsNeeded } from '../live/doctor/rights';
import type { DoctorSite } from '../live/doctor/site';
import type { Finding } from '../live/finding';
import type { ApiServerOptions } from './api-server';
import { seeCluster } from './see-cluster';
import type { Unreachable } from './unreachable';
import { withApiServer } from './with-api-server';

/** All checks of a cluster that answers. One that gives no answer is a result, too. */
export async function examineLive(
  site: Omit<DoctorSite, 'seen'>,
  access: Access,
  options: ApiServerOptions,
): Promise<Finding[] | Unreachable> {
  const rights = rightsNeeded(site);
  return withApiServer(access, options, async (api) =>
    examine({ ...site, seen: await seeCluster(api, rights) }),
  );
}
