import type { DeploymentSpec, EngineSpec, FleetSpec } from './fleets';

/** How many smaller fleets are tried, each of which may have to be waited for. */
const MOST_TRIES = 40;

/**
 * The smallest fleet that still fails, as far as one change at a time leads to it: no deployment, cluster or pool of
 * it can go, and nothing can be one instead of many. What the real scheduler does is not the same in every run, so
 * a fleet that fails only now and then may stay larger than it could be.
 */
export async function shrink(
  spec: FleetSpec,
  fails: (spec: FleetSpec) => Promise<boolean>,
  tries = MOST_TRIES,
): Promise<FleetSpec> {
  let smallest = spec;
  let left = tries;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of simpler(smallest)) {
      if (left-- <= 0) return smallest;
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

/** Fleets that are a little simpler, those that lack most first. */
function simpler(spec: FleetSpec): FleetSpec[] {
  const { clusters, deployments } = spec;
  const half = Math.ceil(deployments.length / 2);
  return [
    ...(half > 1 ? [deployments.slice(0, half), deployments.slice(half)] : []).map((some) => {
      return { ...spec, deployments: some };
    }),
    ...without(clusters).map((some) => ({ ...spec, clusters: some })),
    ...without(deployments).map((some) => ({ ...spec, deployments: some })),
    ...changed(clusters, (cluster) => without(cluster.pools).map((pools) => ({ ...cluster, pools }))).map((some) => ({
      ...spec,
      clusters: some,
    })),
    ...changed(deployments, simplerDeployments).map((some) => ({ ...spec, deployments: some })),
  ];
}

function simplerDeployments(deployment: DeploymentSpec): DeploymentSpec[] {
  const { replicas, engines } = deployment;
  return [
    ...(replicas > 1 ? [{ ...deployment, replicas: replicas - 1 }] : []),
    ...without(engines).map((some) => ({ ...deployment, engines: some })),
    ...changed(engines, simplerEngines).map((some) => ({ ...deployment, engines: some })),
  ];
}

function simplerEngines(engine: EngineSpec): EngineSpec[] {
  const { copies, workers, requests } = engine;
  return [
    ...(copies > 1 ? [{ ...engine, copies: 1 }] : []),
    ...(workers > 0 ? [{ ...engine, workers: 0, idleLeader: false }] : []),
    ...without(requests).map((some) => ({ ...engine, requests: some })),
  ];
}

/** A list without each of its items in turn; none of one, which has to stay. */
function without<T>(items: readonly T[]): (readonly T[])[] {
  return items.length > 1 ? items.map((_, i) => items.toSpliced(i, 1)) : [];
}

/** A list with each of its items changed in turn, in each way. */
function changed<T>(items: readonly T[], ways: (item: T) => readonly T[]): (readonly T[])[] {
  return items.flatMap((item, i) => ways(item).map((other) => items.with(i, other)));
}
