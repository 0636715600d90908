import type { Engine as DeclaredEngine, Member as DeclaredMember } from '../api/engine';
import { PROVIDER, REGION } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import type { Locate, Path } from '../api/resource';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { compareText, sortedBy } from '../order';
import { amountsOf } from './amounts';
import { Interner } from './interner';
import type { Demand, Engine, Member, Preference, Workload } from './model';
import { Selectors } from './selectors';
import { shapeDigest } from './shape-digest';
import type { PodRequest, PodShape } from './shapes';

/** The deployments of a fleet, in the order in which they are placed, and every selector that does not compile. */
export function compileWorkloads(
  fleet: Fleet,
  locate: Locate,
): { workloads: Workload[]; problems: readonly Problem[] } {
  const compiler = new WorkloadCompiler(fleet, locate);
  const workloads = fleet.deployments.map((deployment) => compiler.compile(deployment));
  workloads.sort((a, b) => b.priority - a.priority || compareText(a.id, b.id));
  return { workloads, problems: compiler.problems };
}

class WorkloadCompiler {
  readonly #selectors = new Selectors();
  readonly #pods = new Interner<PodShape>();
  readonly #demands = new Interner<Demand>();
  readonly #caches: ReadonlyMap<string, Fleet['caches'][number]>;
  readonly #domains: Readonly<Record<string, string>>;

  constructor(
    { caches, settings }: Fleet,
    private readonly locate: Locate,
  ) {
    this.#domains = { ...DOMAINS, ...settings?.spec.domains };
    this.#caches = new Map(
      caches.map((cache) => [`${cache.metadata.namespace}/${cache.metadata.name}`, cache]),
    );
  }

  get problems(): readonly Problem[] {
    return this.#selectors.problems;
  }

  compile(deployment: ModelDeployment): Workload {
    const { metadata, spec } = deployment;
    const { replicas, allowPartial, priority, paused } = spec;
    return {
      id: `${metadata.namespace}/${metadata.name}`,
      replicas,
      allowPartial,
      priority,
      paused,
      placement: this.#preference(spec.placement),
      demand: this.#demand(deployment),
      shape: shapeDigest(spec.template.spec.engines),
    };
  }

  #preference({ spreadBy, ...placement }: ModelDeployment['spec']['placement']): Preference {
    const domainKey = spreadBy === undefined ? undefined : (this.#domains[spreadBy] ?? spreadBy);
    return { ...placement, ...(domainKey !== undefined && { domainKey }) };
  }

  #demand(deployment: ModelDeployment): Demand {
    const { clusterSelector: selector, tolerations, modelCacheRef, engines } = deployment.spec.template.spec;
    const cacheId = modelCacheRef && `${deployment.metadata.namespace}/${modelCacheRef.name}`;
    const declared = cacheId === undefined ? undefined : this.#caches.get(cacheId);
    const cache = declared && { name: cacheId ?? '', selector: declared.spec.clusterSelector };
    const compiled = engines.map((engine, e) => this.#engine(engine, deployment, e));
    const sorted = sortedBy(compiled, ({ name }) => name);
    const poolOrder = deployment.spec.placement.policy === 'Cheapest' ? 'price' : 'memory';
    const key = JSON.stringify([selector, tolerations, cache, poolOrder, sorted.map(engineKey)]);
    return this.#demands.intern(key, () => ({
      poolOrder,
      selector,
      tolerations,
      ...(cache && { cache }),
      engines: sorted,
    }));
  }

  #engine({ name, copies, members }: DeclaredEngine, deployment: ModelDeployment, e: number): Engine {
    const compiled = members.map((member, m): Member => {
      const pod = this.#pod(member, deployment, ['spec', 'template', 'spec', 'engines', e, 'members', m]);
      return { role: member.role, pods: copies * (member.worker?.nodes ?? 1), pod };
    });
    return { name, members: sortedBy(compiled, ({ role }) => role) };
  }

  #pod({ nodeSelector, template }: DeclaredMember, deployment: ModelDeployment, path: Path): PodShape {
    const requests = (nodeSelector?.devices ?? []).map(({ name, count, selectors }, d): PodRequest => {
      const compiled = selectors.flatMap(({ cel }, s) => {
        const at = [...path, 'nodeSelector', 'devices', d, 'selectors', s, 'cel'];
        return this.#selectors.compile(cel, () => this.locate(deployment, at)) ?? [];
      });
      return { name, count, selectors: compiled };
    });
    const [{ resources: declared }] = template.spec.containers;
    // As Kubernetes has it: a limit alone is a request too.
    const resources = amountsOf({ ...declared.limits, ...declared.requests });
    const pod = { requests, resources };
    return this.#pods.intern(JSON.stringify(podKey(pod)), () => pod);
  }
}

/** Names for failure domains that every fleet has. */
const DOMAINS: Readonly<Record<string, string>> = { region: REGION, provider: PROVIDER };

function podKey({ requests, resources }: PodShape): unknown {
  return [requests.map(requestKey), resources];
}

function requestKey({ name, count, selectors }: PodRequest): unknown {
  return [name, count, selectors.map(({ expression }) => expression)];
}

function engineKey({ name, members }: Engine): unknown {
  return [name, members.map(({ role, pods, pod }) => [role, pods, podKey(pod)])];
}
