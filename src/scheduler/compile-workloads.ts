import { cacheRefs } from '../api/cache/refs';
import { featuresOf } from '../api/claim-features';
import type { Fault } from '../api/checks/fault';
import type { DeviceConstraint as DeclaredConstraint } from '../api/device-constraint';
import type { DeviceRequest } from '../api/device-request';
import { domainLabel } from '../api/domains';
import { formSelectors } from '../api/form-selectors';
import type { Engine as DeclaredEngine, Member as DeclaredMember } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import type { Locate } from '../api/locate';
import { type Group, type Path, qualifiedName } from '../api/resource';
import type { Selector } from '../cel/selector';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { compareText, groupBy, sortedBy } from '../order';
import { ownContainers } from '../engine/own-containers';
import { Interner } from '../interner';
import { Vocabulary } from '../lint/vocabulary';
import { amountsOf } from './amounts';
import { type Helpers, helpersOf } from './helpers';
import { allRemarks, type KnownWorkloads, lookup } from './known-workloads';
import type { CacheNeed, Demand, Engine, Member, Preference, Workload } from './model';
import { Selectors } from './selectors';
import { shapeDigest } from './shape-digest';
import type { Alternative, Constraint, PodRequest, PodShape } from './shapes';

/** The deployments of a fleet, and what its selectors are worth. */
export interface CompiledWorkloads {
  /** In the order in which they are placed. */
  readonly workloads: Workload[];

  /** Every selector that does not compile or can never match. */
  readonly problems: readonly Problem[];

  /** Selectors that work by luck. */
  readonly remarks: readonly Fault[];
}

/**
 * Compiles the deployments of a fleet, but for those that are known. Of engines of the past only that they compile is
 * asked.
 */
export function compileWorkloads(fleet: Fleet, locate: Locate, known?: KnownWorkloads): CompiledWorkloads {
  const knownOf = lookup(known);
  const compiler = new WorkloadCompiler(fleet, locate, new Vocabulary(fleet.classes));
  const formerly = new WorkloadCompiler(
    fleet,
    ({ metadata }) => `former engines of ${qualifiedName({ metadata })}`,
  );
  const former = groupBy(fleet.former ?? [], ({ deployment }) => deployment);
  const workloads = fleet.deployments.map((deployment): Workload => {
    const same = knownOf(deployment);
    if (same) return same;
    const id = qualifiedName(deployment);
    const demands = former.get(id)?.map(({ shape, declared }) => [shape, formerly.demand(declared)] as const);
    return { ...compiler.compile(deployment), id, former: demands ? new Map(demands) : NONE };
  });
  workloads.sort((a, b) => b.priority - a.priority || compareText(a.id, b.id));
  const { problems, remarks } = compiler;
  return {
    workloads,
    problems: [...problems, ...formerly.problems],
    remarks: allRemarks(fleet.deployments, remarks, known),
  };
}

const NONE: Workload['former'] = new Map();

/** What a deployment asks for, whatever its name. */
type Asked = Omit<Workload, 'id' | 'former'>;

class WorkloadCompiler {
  readonly #selectors: Selectors;
  readonly #pods = new Interner<PodShape>();
  readonly #demands = new Interner<Demand>();
  readonly #sound: Readonly<Record<Group, Map<ModelDeployment['spec'], Asked>>> = {
    'fleetwright.dev': new Map(),
    'modelplane.ai': new Map(),
  };
  readonly #caches: ReadonlyMap<string, Fleet['caches'][number]>;
  readonly #settings: Fleet['settings'];

  constructor(
    { caches, settings }: Fleet,
    private readonly locate: Locate,
    vocabulary?: Vocabulary,
  ) {
    this.#selectors = new Selectors(vocabulary);
    this.#settings = settings;
    this.#caches = new Map(caches.map((cache) => [qualifiedName(cache), cache]));
  }

  get problems(): readonly Problem[] {
    return this.#selectors.faults.map(({ resource, path, ...said }) => ({
      ...said,
      where: this.locate(resource, path),
    }));
  }

  get remarks(): readonly Fault[] {
    return this.#selectors.warnings;
  }

  /** Deployments of one spec ask for the same: it is found once, unless there is something to tell of each. */
  compile(deployment: ModelDeployment): Asked {
    const sound = this.#sound[deployment.group];
    const known = sound.get(deployment.spec);
    if (known) return known;
    const { told } = this.#selectors;
    const asked = this.#asked(deployment);
    // Which caches a name stands for depends on the namespace.
    const alike = this.#selectors.told === told && cacheRefs(deployment).length === 0;
    if (alike) sound.set(deployment.spec, asked);
    return asked;
  }

  #asked(deployment: ModelDeployment): Asked {
    const { spec } = deployment;
    const { replicas, allowPartial, priority, paused, rollout } = spec;
    return {
      replicas,
      allowPartial,
      priority,
      paused,
      placement: this.#preference(spec.placement),
      parallel: rollout.strategy === 'Recreate' ? Infinity : rollout.parallel,
      demand: this.demand(deployment),
      shape: shapeDigest(spec.template.spec.engines),
    };
  }

  #preference({ spreadBy, ...placement }: ModelDeployment['spec']['placement']): Preference {
    const domainKey = spreadBy === undefined ? undefined : domainLabel(spreadBy, this.#settings);
    return { ...placement, ...(domainKey !== undefined && { domainKey }) };
  }

  /** What its replicas ask for. */
  demand(deployment: ModelDeployment): Demand {
    const { clusterSelector: selector, tolerations, engines } = deployment.spec.template.spec;
    const caches = this.#cachesOf(deployment);
    const waits = caches.some(({ staged }) => staged);
    const compiled = engines.map((engine, e) => this.#engine(engine, { deployment, waits }, e));
    const sorted = sortedBy(compiled, ({ name }) => name);
    const poolOrder = deployment.spec.placement.policy === 'Cheapest' ? 'price' : 'memory';
    const key = JSON.stringify([selector, tolerations, caches, poolOrder, sorted.map(engineKey)]);
    return this.#demands.intern(key, () => ({
      poolOrder,
      selector,
      tolerations,
      caches,
      engines: sorted,
    }));
  }

  #cachesOf(deployment: ModelDeployment): CacheNeed[] {
    return cacheRefs(deployment).flatMap((ref) => {
      const name = `${deployment.metadata.namespace}/${ref.name}`;
      const declared = this.#caches.get(name);
      if (!declared) return [];
      const { clusterSelector: selector, source } = declared.spec;
      return [{ name, selector, staged: source !== 'ExistingPVC' }];
    });
  }

  #engine(declared: DeclaredEngine, { deployment, waits }: Surroundings, e: number): Engine {
    const { name, copies, members } = declared;
    const { surge } = deployment.spec.rollout;
    const compiled = members.map((member, m): Member => {
      const helpers = helpersOf(member.template.spec, ownContainers(deployment, declared, member, waits));
      const at = ['spec', 'template', 'spec', 'engines', e, 'members', m];
      const pod = this.#pod(member, helpers, { resource: deployment, path: at });
      const nodes = member.worker?.nodes ?? 1;
      return { role: member.role, pods: (copies + surge) * nodes, surge: surge * nodes, pod };
    });
    return { name, members: sortedBy(compiled, ({ role }) => role) };
  }

  #pod({ nodeSelector, template }: DeclaredMember, helpers: Helpers, { resource, path }: Place): PodShape {
    const requests = (nodeSelector?.devices ?? []).map((request, d): PodRequest => {
      const at = [...path, 'nodeSelector', 'devices', d];
      const compile = (form: Form, there: Path): Alternative => ({
        count: form.count,
        selectors: this.#compileAll(form, resource, there),
      });
      const several = request.firstAvailable.map((form, f): Alternative => {
        return { name: form.name, ...compile(form, [...at, 'firstAvailable', f]) };
      });
      return { name: request.name, alternatives: several.length > 0 ? several : [compile(request, at)] };
    });
    const constraints = (nodeSelector?.constraints ?? []).map(toConstraint);
    const [{ resources: declared }] = template.spec.containers;
    // As Kubernetes has it: a limit alone is a request too.
    const resources = amountsOf({ ...declared.limits, ...declared.requests });
    const uses = [...new Set(featuresOf(nodeSelector).map(({ feature }) => feature))].sort(compareText);
    const pod = { requests, constraints, uses, resources, helpers };
    return this.#pods.intern(JSON.stringify(podKey(pod)), () => pod);
  }

  #compileAll(form: Form, deployment: ModelDeployment, at: Path): Selector[] {
    return formSelectors(form).flatMap(({ cel, path }) => {
      return this.#selectors.compile(cel, { resource: deployment, path: [...at, ...path] }) ?? [];
    });
  }
}

/** What a deployment says of all its engines. */
interface Surroundings {
  readonly deployment: ModelDeployment;

  /** Whether pods wait until a cache is staged. */
  readonly waits: boolean;
}

/** Where something is declared. */
interface Place {
  readonly resource: ModelDeployment;
  readonly path: Path;
}

type Form = Pick<DeviceRequest, 'count' | 'where' | 'selectors'>;

function toConstraint({ matchAttribute, distinctAttribute = '', requests }: DeclaredConstraint): Constraint {
  const rule = matchAttribute === undefined ? 'distinct' : 'match';
  return { rule, attribute: matchAttribute ?? distinctAttribute, requests };
}

function podKey({ requests, constraints, uses, resources, helpers }: PodShape): unknown {
  return [requests.map(requestKey), constraints, uses, resources, helpers];
}

function requestKey({ name, alternatives }: PodRequest): unknown {
  const forms = alternatives.map((form) => [
    form.name,
    form.count,
    form.selectors.map(({ expression }) => expression),
  ]);
  return [name, forms];
}

function engineKey({ name, members }: Engine): unknown {
  return [name, members.map(({ role, pods, surge, pod }) => [role, pods, surge, podKey(pod)])];
}
