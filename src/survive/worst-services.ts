import { groupBy } from '../order';
import type { Loss, ServiceHit, WorstService } from './survival';

/** The worst that any one loss does to each of some services. */
export function worstServices(services: readonly string[], losses: readonly Loss[]): WorstService[] {
  const hits = groupBy(
    losses.flatMap(({ lost, services: hit }) => hit.map((one): Struck => ({ ...one, lost }))),
    ({ service }) => service,
  );
  return services.map((service) => {
    const own = hits.get(service) ?? [];
    const [atOnce, after] = [worst(own, 'atOnce'), worst(own, 'after')];
    return {
      service,
      atOnce: atOnce?.atOnce ?? 1,
      ...(atOnce && { when: atOnce.lost }),
      after: after?.after ?? 1,
      ...(after && { whenAfter: after.lost }),
    };
  });
}

interface Struck extends ServiceHit {
  readonly lost: string;
}

/** The first that leaves the least; nothing where all leave everything. */
function worst(hits: readonly Struck[], of: 'atOnce' | 'after'): Struck | undefined {
  const least = Math.min(1, ...hits.map((hit) => hit[of]));
  return least < 1 ? hits.find((hit) => hit[of] === least) : undefined;
}
