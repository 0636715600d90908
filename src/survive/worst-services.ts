import { groupBy } from '../order';
import { type Reached, reachedBy } from './answering';
import type { Fewest, Loss, ServiceHit, WorstService } from './survival';

/**
 * The worst that any one loss does to each of some services.
 *
 * @param before what answers each before anything is lost
 */
export function worstServices(
  services: readonly string[],
  before: ReadonlyMap<string, Reached>,
  losses: readonly Loss[],
): WorstService[] {
  const hits = groupBy(
    losses.flatMap(({ lost, services: hit }) => hit.map((one): Struck => ({ ...one, lost }))),
    ({ service }) => service,
  );
  return services.map((service) => {
    const own = hits.get(service) ?? [];
    const [atOnce, after] = [worst(own, 'atOnce'), worst(own, 'after')];
    const reached = before.get(service);
    return {
      service,
      atOnce: atOnce?.atOnce ?? 1,
      ...(atOnce && { when: atOnce.lost }),
      after: after?.after ?? 1,
      ...(after && { whenAfter: after.lost }),
      ...(reached && { fewest: fewestOf(reached, own) }),
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

/** The first that leaves the least to answer. */
function fewestOf(before: Reached, hits: readonly Struck[]): Fewest {
  const left = hits.map(({ lost: when, doors, replicas, endpoints }): Fewest => {
    return { doors: doors.atOnce, replicas, endpoints, when };
  });
  return left.reduce<Fewest>((least, one) => (reachedBy(one) < reachedBy(least) ? one : least), before);
}
