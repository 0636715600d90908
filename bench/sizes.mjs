/** `FLEETWRIGHT_BENCH=tiny` runs every case on a fleet so small that only its code is tried, and no goal counts. */
export const TINY = process.env.FLEETWRIGHT_BENCH === 'tiny';

/** How often something is done whose times are compared: once where only its code is tried. */
export function repeats(count) {
  return TINY ? 1 : count;
}

/** The fleet on which the peer was measured: one deployment, one selector. */
export const SMALL = { clusters: 100, pools: 4, nodes: 4, deployments: 1, replicas: 10 };
export const LARGE = sized({ clusters: 1000, pools: 10, nodes: 16, deployments: 10_000, replicas: 10 });

/** Ten thousand replicas, ten of each deployment on as many clusters. */
export const RENDERED = sized({ clusters: 100, pools: 10, nodes: 64, deployments: 1000, replicas: 10 });

/** Nodes enough that nothing is short however a dimension doubles: a shortfall has its reasons to compute. */
export const HALF = sized({ clusters: 500, pools: 10, nodes: 128, deployments: 5000, replicas: 10 });

/** Ten thousand replicas behind a thousand services. Of each cluster that is lost some replicas find no other place. */
export const ROUTED = sized({
  clusters: 100,
  pools: 1,
  nodes: 110,
  deployments: 1000,
  replicas: 10,
  services: 1000,
});

/** A stack of twenty clusters with about 4,000 resources. Five of its models have a service, as routes are most of them. */
export const STACK = sized({ clusters: 20, pools: 1, nodes: 48, deployments: 80, replicas: 10, services: 5 }, 2);

/** @param clusters those of the tiny fleet */
function sized(size, clusters = 10) {
  return TINY
    ? {
        ...size,
        clusters,
        deployments: 2 * clusters,
        ...('services' in size && { services: Math.min(size.services, 2 * clusters) }),
      }
    : size;
}

/** The fleet in examples/quickstart. */
export const QUICKSTART = { clusters: 3, pools: 1, deployments: 3, replicas: 2 };
