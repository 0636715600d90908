import { compareText } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { describePricedNode, priceOf } from '../fleet/prices/node-price';

/** A node that costs more or less than before, although it is the same. */
export interface PriceChange {
  /** What is bought: `p5.48xlarge in us-east-1`. */
  readonly node: string;

  /** The price of a node an hour. */
  readonly before: number;
  readonly after: number;

  /** Where the later price is from: the price file, the catalog or a class. */
  readonly source: string;
}

type PricedFleet = Pick<Fleet, 'classes' | 'clusters' | 'hardware'>;

/** Finds the nodes of pools of both states whose price changes, by name. A pool with another machine is another node. */
export function diffPrices(before: PricedFleet, after: PricedFleet): PriceChange[] {
  const earlier = findNodePrices(before);
  return [...findNodePrices(after)]
    .flatMap(([node, { perHour, source }]): PriceChange[] => {
      const was = earlier.get(node)?.perHour;
      return was === undefined || was === perHour ? [] : [{ node, before: was, after: perHour, source }];
    })
    .sort((a, b) => compareText(a.node, b.node));
}

function findNodePrices({ classes, clusters, hardware }: PricedFleet) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return new Map(
    clusters.flatMap((cluster) =>
      cluster.spec.nodePools.flatMap(({ className }) => {
        const declared = byName.get(className);
        const price = declared && priceOf({ declared, cluster }, hardware.prices);
        return price ? [[describePricedNode({ declared, cluster }), price] as const] : [];
      }),
    ),
  );
}
