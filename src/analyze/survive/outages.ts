import { countReachable } from './service-capacity';
import type { Loss, Survival } from './survival';

/** Lists the losses after which no service stops taking requests or, in a fleet without services, no deployment serving. */
export function listWithoutOutage({ losses, services }: Pick<Survival, 'losses' | 'services'>): string[] {
  const isOutage = services.length > 0 ? stopsService : stopsDeployment;
  return losses.flatMap((loss) => (isOutage(loss) ? [] : [loss.lost]));
}

function stopsService({ services }: Loss): boolean {
  return services.some((hit) => countReachable({ ...hit, gateways: hit.gateways.atOnce }) === 0);
}

function stopsDeployment({ deployments }: Loss): boolean {
  return deployments.some(({ atOnce }) => atOnce === 0);
}
