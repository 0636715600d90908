import type { Engine as DeclaredEngine, Member as DeclaredMember } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import type { Locate, Path } from '../api/resource';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { compareText, sortedBy } from '../order';
import { Interner } from './interner';
import type { Demand, Engine, Member, Workload } from './model';
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

  constructor(
    { caches }: Fleet,
    private readonly locate: Locate,
  ) {
    this.#caches = new Map(
      caches.map((cache) => [`${cache.metadata.namespace}/${cache.metadata.name}`, cache]),
    );
  }

  get problems(): readonly Problem[] {
    return this.#selectors.problems;
  }

  compile(deployment: ModelDeployment): Workload {
    const { metadata, spec } = deployment;
    const { replicas, allowPartial, priority } = spec;
    const id = `${metadata.namespace}/${metadata.name}`;
    const shape = shapeDigest(spec.template.spec.engines);
    return { id, replicas, allowPartial, priority, demand: this.#demand(deployment), shape };
  }

  #demand(deployment: ModelDeployment): Demand {
    const { clusterSelector: selector, tolerations, modelCacheRef, engines } = deployment.spec.template.spec;
    const cacheId = modelCacheRef && `${deployment.metadata.namespace}/${modelCacheRef.name}`;
    const declared = cacheId === undefined ? undefined : this.#caches.get(cacheId);
    const cache = declared && { name: cacheId ?? '', selector: declared.spec.clusterSelector };
    const compiled = engines.map((engine, e) => this.#engine(engine, deployment, e));
    const sorted = sortedBy(compiled, ({ name }) => name);
    const key = JSON.stringify([selector, tolerations, cache, sorted.map(engineKey)]);
    return this.#demands.intern(key, () => ({
      selector,
      tolerations,
      ...(cache && { cache }),
      engines: sorted,
    }));
  }

  #engine({ name, copies, members }: DeclaredEngine, deployment: ModelDeployment, e: number): Engine {
    const compiled = members.map((member, m): Member => {
      const pod = this.#pod(member, deployment, ['spec', 'template', 'spec', 'engines', e, 'members', m]);
      return { role: member.role, pods: copies * (member.worker?.nodes ?? 1), ...(pod && { pod }) };
    });
    return { name, members: sortedBy(compiled, ({ role }) => role) };
  }

  #pod({ nodeSelector }: DeclaredMember, deployment: ModelDeployment, path: Path): PodShape | undefined {
    if (!nodeSelector) return undefined;
    const requests = nodeSelector.devices.map(({ name, count, selectors }, d): PodRequest => {
      const compiled = selectors.flatMap(({ cel }, s) => {
        const at = [...path, 'nodeSelector', 'devices', d, 'selectors', s, 'cel'];
        return this.#selectors.compile(cel, () => this.locate(deployment, at)) ?? [];
      });
      return { name, count, selectors: compiled };
    });
    return this.#pods.intern(JSON.stringify(requests.map(requestKey)), () => ({ requests }));
  }
}

function requestKey({ name, count, selectors }: PodRequest): unknown {
  return [name, count, selectors.map(({ expression }) => expression)];
}

function engineKey({ name, members }: Engine): unknown {
  return [name, members.map(({ role, pods, pod }) => [role, pods, pod?.requests.map(requestKey)])];
}
