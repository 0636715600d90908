import type { Toleration } from '../api/shared/toleration';
import { cel } from '../cel/cel';
import { compareText } from '../order';
import { rejectNew } from './filters';
import { engineFit, fitReplica } from './fit';
import type { Ledger } from './ledger';
import type { Matcher } from './matcher';
import type { Demand, Engine, Pool, Site } from './model';
import type { Alternative, NodeShape } from './shapes';
import { untolerated } from './tolerate';
import type { Rejection, Remedy } from './types';

/** What remedies are tried against. */
export interface Trial {
  /** By name. */
  readonly sites: ReadonlyMap<string, Site>;
  readonly matcher: Matcher;
  readonly ledger: Ledger;
}

/** Few enough to try: the reasons of a large fleet are many times the same. */
const MOST_TRIED = 64;

/**
 * The smallest change of each kind with which one more replica has a place: nodes for a pool, a toleration, another
 * bound in a selector. Each was tried; a kind of which nothing helps is left out.
 */
export function remediesFor(demand: Demand, rejections: readonly Rejection[], trial: Trial): Remedy[] {
  return REMEDIES.flatMap((remedy) => {
    const sorted = rejections.flatMap((rejection) => remedy.propose(rejection, demand, trial)).sort(bySize);
    return (
      sorted.slice(0, MOST_TRIED).find((proposal) => remedy.helps(proposal, demand, trial))?.remedy ?? []
    );
  });
}

/** A remedy that may help, and how much it asks for: fewer nodes are less. */
interface Proposal {
  readonly remedy: Remedy;
  readonly size: number;
  /** The demand as it would be with the remedy. Absent where the remedy changes a cluster. */
  readonly changed?: Demand;
}

interface Kind {
  readonly propose: (rejection: Rejection, demand: Demand, trial: Trial) => Proposal[];
  readonly helps: (proposal: Proposal, demand: Demand, trial: Trial) => boolean;
}

const REMEDIES: readonly Kind[] = [
  { propose: moreNodes, helps: withNodes },
  { propose: toleration, helps: withChange },
  { propose: otherBound, helps: withChange },
];

function moreNodes({ cluster, pool, reason }: Rejection): Proposal[] {
  if (pool === undefined || reason.filter !== 'capacity') return [];
  const nodes = reason.missingNodes;
  return [{ remedy: { kind: 'nodes', cluster, pool, nodes }, size: nodes }];
}

function withNodes({ remedy }: Proposal, demand: Demand, { sites, matcher, ledger }: Trial): boolean {
  const site = sites.get(remedy.cluster);
  const pool = remedy.kind === 'nodes' && site?.pools.find(({ name }) => name === remedy.pool);
  if (!site || !pool || remedy.kind !== 'nodes') return false;
  return fitReplica(demand, site, matcher, ledger.enlarged(pool, remedy.nodes)) !== undefined;
}

function toleration({ cluster, reason }: Rejection, demand: Demand, { sites }: Trial): Proposal[] {
  const site = sites.get(cluster);
  if (!site || reason.filter !== 'taint') return [];
  const taints = site.taints.filter((taint) => untolerated([taint], demand.tolerations));
  const added = taints.map(({ key, value }): Toleration => ({ key, operator: 'Equal', value }));
  const changed = { ...demand, tolerations: [...demand.tolerations, ...added] };
  return [{ remedy: { kind: 'toleration', cluster, taints }, size: taints.length, changed }];
}

function otherBound({ cluster, pool: name, reason }: Rejection, demand: Demand, trial: Trial): Proposal[] {
  if (reason.filter !== 'devices' || reason.misfit !== 'no-match') return [];
  const pool = poolOf(trial, cluster, name);
  const engine = demand.engines.find((one) => one.name === reason.engine);
  const form = engine && formOf(engine, reason.request);
  const relaxed = pool && form && relaxOn(form, reason.selector, reason.device, pool.node);
  if (!relaxed || !engine) return [];
  const { selectors, from, to } = relaxed;
  const change = { engine: reason.engine, request: reason.request, selector: reason.selector, from, to };
  const changed = {
    ...demand,
    engines: demand.engines.map((one) => (one === engine ? withForm(one, form, selectors) : one)),
  };
  return [{ remedy: { kind: 'bound', cluster, pool: pool.name, ...change }, size: 1, changed }];
}

/** Whether a replica of the changed demand has a place on the cluster of the remedy. */
function withChange({ remedy, changed }: Proposal, _: Demand, { sites, matcher, ledger }: Trial): boolean {
  const site = sites.get(remedy.cluster);
  if (!site || !changed || rejectNew(changed, site)) return false;
  const suits = changed.engines.every((engine) =>
    site.pools.some((pool) => !('misfit' in engineFit(engine, pool, site, matcher))),
  );
  return suits && fitReplica(changed, site, matcher, ledger) !== undefined;
}

function poolOf({ sites }: Trial, cluster: string, pool: string | undefined): Pool | undefined {
  return sites.get(cluster)?.pools.find(({ name }) => name === pool);
}

/** The one form of a request; a request with alternatives has no one bound to change. */
function formOf({ members }: Engine, request: string): Alternative | undefined {
  const found = members.flatMap(({ pod }) => pod.requests).find(({ name }) => name === request);
  const [only, ...others] = found?.alternatives ?? [];
  return others.length === 0 ? only : undefined;
}

function relaxOn({ selectors }: Alternative, failing: number, device: string, { kinds }: NodeShape) {
  const kind = kinds.find(({ name }) => name === device);
  const selector = selectors[failing];
  const relaxed = kind && selector && cel().relax(selector, kind.prepared);
  if (!relaxed) return undefined;
  const { compiled, from, to } = relaxed;
  return { selectors: selectors.map((other, s) => (s === failing ? compiled : other)), from, to };
}

function withForm(engine: Engine, form: Alternative, selectors: Alternative['selectors']): Engine {
  const members = engine.members.map((member) => ({
    ...member,
    pod: {
      ...member.pod,
      requests: member.pod.requests.map((request) =>
        request.alternatives.includes(form)
          ? { ...request, alternatives: [{ ...form, selectors }] }
          : request,
      ),
    },
  }));
  return { ...engine, members };
}

function bySize(a: Proposal, b: Proposal): number {
  return a.size - b.size || compareText(a.remedy.cluster, b.remedy.cluster);
}
