import { demandOf } from './demand-of';
import { rejectPlaced } from './filters';
import { type Assignment, fitOn } from './fit';
import type { Matcher } from './matcher';
import type { Demand, Site, Workload } from './model';
import { poolOf } from './pool-of';
import type { Eviction, EvictionReason, Placement } from './types';

/** A replica that has its place. */
export interface Placed {
  readonly placement: Placement;
  readonly assignment: Assignment;
}

/** A previous placement that was leaving, or has to leave now. */
export interface Leaving {
  readonly workload: Workload;
  readonly placed: Placed;

  /** Why it has to leave, be that new or not. */
  readonly leaves: EvictionReason | undefined;

  /** It was leaving before. */
  readonly wasLeaving: boolean;

  /** Nothing may take it away: its deployment or its cluster is paused. */
  readonly paused: boolean;
}

/** What the lines of a deployment come to where they stand, whatever else is placed. */
export interface Held {
  /** Those that can be there, with the pools that they take. */
  readonly placed: readonly Placed[];

  /** Of these what is leaving. */
  readonly leaving: readonly Leaving[];

  /** Those that cannot be there. */
  readonly evictions: readonly Eviction[];

  /** Whether all lines can be there as they are. */
  readonly intact: boolean;
}

/** Clusters to find by name, and how pods fit on their nodes. */
export interface Grounds {
  readonly sites: ReadonlyMap<string, Site>;
  readonly model: { readonly sites: readonly Site[] };
  readonly matcher: Matcher;
}

/**
 * Looks at lines where they stand. Two states of a fleet share most deployments, clusters and lines, which never change
 * once they are made: of what is the same object in both it is found once.
 *
 * @param lines all of the deployment, sorted
 */
export function heldOf(workload: Workload, lines: readonly Placement[], grounds: Grounds): Held {
  const { sites } = grounds.model;
  const known = HELD.get(lines);
  if (known?.workload === workload && known.sites === sites) return known.held;
  const held = hold(workload, lines, grounds);
  HELD.set(lines, { workload, sites, held });
  return held;
}

/** What was found last of some lines, and of what. */
interface Known {
  readonly workload: Workload;
  readonly sites: readonly Site[];
  readonly held: Held;
}

const HELD = new WeakMap<readonly Placement[], Known>();

function hold(workload: Workload, lines: readonly Placement[], grounds: Grounds): Held {
  const placed: Placed[] = [];
  const leaving: Leaving[] = [];
  const evictions: Eviction[] = [];
  for (const line of lines) {
    const site = grounds.sites.get(line.cluster);
    const verdict = site ? whereItIs(workload, site, line, grounds.matcher) : GONE;
    if (!site || 'kind' in verdict) {
      evictions.push({ placement: line, reason: 'kind' in verdict ? verdict : GONE });
      continue;
    }
    const paused = workload.paused || site.paused;
    const leaves = paused ? undefined : reasonToLeave(workload, site, line);
    const one = { placement: leaves ? asLeaving(line) : line, assignment: verdict };
    placed.push(one);
    const wasLeaving = line.leaving === true;
    if (leaves || wasLeaving) leaving.push({ workload, placed: one, leaves, wasLeaving, paused });
  }
  const intact = evictions.length === 0 && placed.every(({ placement }, i) => placement === lines[i]);
  return { placed, leaving, evictions, intact };
}

const GONE = { kind: 'cluster-gone' } as const;

function asLeaving(line: Placement): Placement {
  return line.leaving ? line : { ...line, leaving: true };
}

function reasonToLeave(workload: Workload, site: Site, { shape }: Placement): EvictionReason | undefined {
  const reason = rejectPlaced(workload.demand, site);
  if (reason) return { kind: 'rejected', rejection: { cluster: site.name, reason } };
  return shape === workload.shape ? undefined : { kind: 'shape' };
}

function whereItIs(
  workload: Workload,
  site: Site,
  line: Placement,
  matcher: Matcher,
): Assignment | EvictionReason {
  const demand = demandOf(workload, line);
  if (!demand) return { kind: 'shape', gap: 'unknown' };
  const pools = demand.engines.map(({ name }) => poolOf(site, line, name));
  if (pools.includes(undefined)) return poolGone(demand, site, line);
  const fit = fitOn(demand, pools, matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  return {
    kind: 'rejected',
    rejection: { cluster: site.name, pool: pool.name, reason: { filter: 'devices', engine, ...misfit } },
  };
}

function poolGone({ engines }: Demand, site: Site, line: Placement): EvictionReason {
  const gone = engines.find(({ name }) => !poolOf(site, line, name));
  return { kind: 'pool-gone', pool: (gone && line.pools[gone.name]) ?? '' };
}
