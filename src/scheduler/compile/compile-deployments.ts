import { cacheReferencesOf } from '../../api/cache/cache-references';
import { cacheNeedOf } from '../../api/cache/delivery';
import { internetSourceOf } from '../../api/cache/source-access';
import { resolveDomainLabel } from '../../api/cluster-labels';
import type { DeviceConstraint as DeclaredConstraint, DeviceRequest } from '../../api/device-request';
import type { Engine as DeclaredEngine, EngineMember as DeclaredMember } from '../../api/engine';
import { copyBoundsOf, isGang, reservedCopiesOf } from '../../api/engine-copies';
import { isDynamo } from '../../api/engine-phases';
import { type Locate, locateAll, type ResourcePath } from '../../api/kinds';
import { listMissingForScaling, loadNeedOf, type ScalingSupport, sharedScalingSupportOf } from '../../api/load-metrics';
import { backendTypeOf, usedClaimFeaturesOf } from '../../api/kubernetes-features';
import type { ModelDeployment } from '../../api/model-deployment';
import { celSelectorsOf } from '../../api/request-alternatives';
import { type Group, type Path, qualifiedNameOf } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import { Interner } from '../../base/interning';
import { compareText, groupBy, sortedBy } from '../../base/order';
import { BACKEND_TYPES } from '../../catalog/backends';
import type { Selector } from '../../cel/selector';
import { type AddedContainer, listAddedContainers, listCacheContainers } from '../../engine/added-containers';
import { type BackendLimit, findKServeLimits, replacesShippedPreset } from '../../engine/backend-limits';
import { findDynamoLimits } from '../../engine/dynamo-limits';
import { profileOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import { listCatalogueDevices } from '../../fleet/hardware/catalogue-devices';
import type { ModelExpansion, ModelLayout } from '../../fleet/models/model-layouts';
import type {
  BackendDemand,
  CacheDemand,
  CompiledDeployment,
  CompiledFleet,
  EngineDemand,
  MemberDemand,
  PlacementPreference,
  ReplicaDemand,
} from '../compiled-fleet';
import { compareByPriority } from '../deployment-order';
import { KnownAttributes } from '../lint/known-attributes';
import type { PlacedBackend } from '../placement';
import { nameLayout } from '../../sizing/layout-rules';
import { shapeDigestOf } from '../shape-digest';
import { SelectorCompiler } from './compile-selectors';
import { parseResources, sidecarRequestsOf } from './resource-requests';
import type { AttributeConstraint, PodDeviceRequest, PodShape, RequestAlternative } from './shapes';

/**
 * Compiles the deployments of a fleet, in scheduling order. The problems are selectors that do not compile or can never
 * match. The selectors of earlier engines only have to compile.
 */
export function compileDeployments(
  fleet: Fleet,
  locate: Locate,
): Pick<CompiledFleet, 'deployments' | 'warnings'> & { readonly problems: readonly Diagnostic[] } {
  const compiler = new DeploymentCompiler(
    fleet,
    locate,
    new KnownAttributes(fleet.classes, () => listCatalogueDevices(fleet.hardware.catalogue)),
  );
  const revisionCompiler = new DeploymentCompiler(
    fleet,
    ({ metadata }) => `former engines of ${qualifiedNameOf({ metadata })}`,
  );
  const restricted = new Interner<ReplicaDemand>();
  const revisions = groupBy(fleet.former ?? [], ({ deployment }) => deployment);
  const deployments = fleet.deployments.map((deployment): CompiledDeployment => {
    const id = qualifiedNameOf(deployment);
    const previous = revisions.get(id) ?? [];
    const demands = previous.map(({ shape, declared }) => [shape, revisionCompiler.demand(declared)] as const);
    const layouts = compileVariants(fleet.expansions?.get(id), compiler, restricted);
    return { ...compiler.compile(deployment), ...layouts, id, previousRevisions: new Map(demands) };
  });
  deployments.sort(compareByPriority);
  const { problems, warnings } = compiler;
  return { deployments, problems: [...problems, ...revisionCompiler.problems], warnings };
}

/** The demands of the layouts of a model, each on its classes alone. Nothing without a model. */
function compileVariants(
  expansion: ModelExpansion | undefined,
  compiler: DeploymentCompiler,
  known: Interner<ReplicaDemand>,
): Partial<CompiledDeployment> {
  if (!expansion) return {};
  // Clusters are closed by demand: deployments share one only if all their layouts are the same.
  const all = JSON.stringify(expansion.variants.map(({ layout }) => [layout.classes, shapeKeyOf(layout)]));
  const variants = expansion.variants.map(({ layout, deployment }) => {
    const { demand, shape } = compiler.compile(deployment);
    const classes = new Set(layout.classes);
    const name = nameLayout(layout);
    const restrict = (): ReplicaDemand => ({
      ...demand,
      engines: demand.engines.map((engine) => ({ ...engine, classes, layout: name })),
    });
    return {
      shape,
      demand: known.intern(`${compiler.keyOf(demand)} ${name} ${all}`, restrict),
    };
  });
  const [first, ...others] = variants;
  return { ...first, ...(others.length > 0 && { variants }) };
}

function shapeKeyOf({ tp, pp, dp, nodes }: ModelLayout): readonly number[] {
  return [tp, pp, dp, nodes];
}

const FIND_LIMITS: Readonly<Record<PlacedBackend, (deployment: ModelDeployment) => readonly BackendLimit[]>> = {
  KServe: findKServeLimits,
  Dynamo: findDynamoLimits,
};

type UnnamedDeployment = Omit<CompiledDeployment, 'id' | 'previousRevisions'>;

class DeploymentCompiler {
  readonly #selectors: SelectorCompiler;
  readonly #pods = new Interner<PodShape>();
  readonly #demands = new Interner<ReplicaDemand>();
  readonly #keys = new Map<ReplicaDemand, string>();
  readonly #compiled: Readonly<Record<Group, Map<ModelDeployment['spec'], UnnamedDeployment>>> = {
    'fleetwright.dev': new Map(),
    'modelplane.ai': new Map(),
  };
  readonly #caches: ReadonlyMap<string, Fleet['caches'][number]>;
  readonly #settings: Fleet['settings'];
  /** The software for pods that clusters have, other than Kubernetes alone. */
  readonly #backends: readonly PlacedBackend[];
  /** What every cluster has, so that engines that need it can be on any. */
  readonly #shared: ScalingSupport;

  constructor(
    { caches, clusters, settings }: Fleet,
    private readonly locate: Locate,
    vocabulary?: KnownAttributes,
  ) {
    this.#selectors = new SelectorCompiler(vocabulary);
    this.#settings = settings;
    this.#backends = BACKEND_TYPES.filter(
      (type): type is PlacedBackend => type !== 'Native' && clusters.some((cluster) => backendTypeOf(cluster) === type),
    );
    this.#shared = sharedScalingSupportOf(clusters);
    this.#caches = new Map(caches.map((cache) => [qualifiedNameOf(cache), cache]));
  }

  get problems(): readonly Diagnostic[] {
    return locateAll(this.#selectors.faults, this.locate);
  }

  get warnings(): readonly Diagnostic<ResourcePath>[] {
    return this.#selectors.warnings;
  }

  /** Compiles each spec once for all deployments that share it, unless its selectors have diagnostics. */
  compile(deployment: ModelDeployment): UnnamedDeployment {
    const compiled = this.#compiled[deployment.group];
    const known = compiled.get(deployment.spec);
    if (known) return known;
    const { reportedCount } = this.#selectors;
    const result = this.#compileSpec(deployment);
    // Cache references and presets of KServe are in the namespace of the deployment.
    const isLocal = cacheReferencesOf(deployment).length > 0 || this.#backends.length > 0;
    const reusable = this.#selectors.reportedCount === reportedCount && !isLocal;
    if (reusable) compiled.set(deployment.spec, result);
    return result;
  }

  #compileSpec(deployment: ModelDeployment): UnnamedDeployment {
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
      shape: shapeDigestOf(deployment),
    };
  }

  #preference({ spreadBy, ...placement }: ModelDeployment['spec']['placement']): PlacementPreference {
    const domainKey = spreadBy === undefined ? undefined : resolveDomainLabel(spreadBy, this.#settings);
    return { ...placement, ...(domainKey !== undefined && { domainKey }) };
  }

  demand(deployment: ModelDeployment): ReplicaDemand {
    const { clusterSelector: selector, tolerations, engines } = deployment.spec.template.spec;
    const caches = this.#cachesOf(deployment);
    const helpers = this.#helpersOf(deployment);
    const compiled = engines.map((engine, e) => this.#engine(engine, e, deployment, helpers));
    const sorted = sortedBy(compiled, ({ name }) => name);
    const poolOrder = deployment.spec.placement.policy === 'Cheapest' ? 'price' : 'memory';
    const backend = this.#backendOf(deployment);
    const key = JSON.stringify([selector, tolerations, caches, poolOrder, sorted.map(engineKey), backend]);
    const found = this.#demands.intern(key, () => ({
      poolOrder,
      selector,
      tolerations,
      caches,
      engines: sorted,
      ...(backend && { backend }),
    }));
    this.#keys.set(found, key);
    return found;
  }

  #backendOf(deployment: ModelDeployment): BackendDemand | undefined {
    const requires = deployment.spec.template.spec.engines.flatMap((engine) => {
      const type = engine.requires.backend ?? (isDynamo(engine) ? 'Dynamo' : undefined);
      return type === undefined ? [] : [{ engine: engine.name, type }];
    });
    if (this.#backends.length === 0) return requires.length > 0 ? { requires, limits: {} } : undefined;
    const { namespace = '' } = deployment.metadata;
    const limits = Object.fromEntries(this.#backends.map((type) => [type, FIND_LIMITS[type](deployment)]));
    const usesPresets = this.#backends.includes('KServe') && replacesShippedPreset(deployment);
    return { requires, limits, ...(usesPresets && { presetNamespace: namespace }) };
  }

  /** The key of a demand that this compiler made. */
  keyOf(demand: ReplicaDemand): string {
    return this.#keys.get(demand) ?? '';
  }

  #cachesOf(deployment: ModelDeployment): CacheDemand[] {
    return cacheReferencesOf(deployment).flatMap((ref) => {
      const name = `${deployment.metadata.namespace}/${ref.name}`;
      const declared = this.#caches.get(name);
      if (!declared) return [];
      const needs = cacheNeedOf(declared.spec);
      const reads = internetSourceOf(declared.spec);
      const { clusterSelector: selector } = declared.spec;
      return [{ name, selector, ...(needs !== undefined && { needs }), ...(reads && { reads }) }];
    });
  }

  /** The containers that fill or mount the caches of a deployment before its engines start. */
  #helpersOf(deployment: ModelDeployment): AddedContainer[] {
    const references = cacheReferencesOf(deployment);
    return listCacheContainers(
      references.flatMap(({ name }) => this.#caches.get(`${deployment.metadata.namespace}/${name}`)?.spec ?? []),
    );
  }

  #engine(
    declared: DeclaredEngine,
    e: number,
    deployment: ModelDeployment,
    helpers: readonly AddedContainer[],
  ): EngineDemand {
    const { name, members } = declared;
    const copies = reservedCopiesOf(declared);
    const spare = copies - copyBoundsOf(declared).min;
    const { surge } = deployment.spec.rollout;
    const { processes = 1 } = profileOf(deployment, declared).profile;
    const compiled = members.map((member, m): MemberDemand => {
      const added = listAddedContainers(deployment, declared, member, helpers);
      const sidecars = sidecarRequestsOf(member.template.spec, added);
      const at = ['spec', 'template', 'spec', 'engines', e, 'members', m];
      const gang = isGang(declared) ? ({ gang: true } as const) : {};
      const pod = this.#pod(member, { sidecars, processes, ...gang }, { resource: deployment, path: at });
      const nodes = member.worker?.nodes ?? 1;
      const charged = {
        pods: (copies + surge) * nodes,
        podsOfCopy: nodes,
        surge: surge * nodes,
        ...(spare > 0 && { scaled: spare * nodes }),
      };
      return { role: member.role, ...charged, pod };
    });
    const need = loadNeedOf(declared);
    const load = need && listMissingForScaling(need, this.#shared).length > 0 ? need : undefined;
    return { name, members: sortedBy(compiled, ({ role }) => role), ...(load && { load }) };
  }

  #pod(
    { nodeSelector, template }: DeclaredMember,
    load: Pick<PodShape, 'sidecars' | 'processes' | 'gang'>,
    { resource, path }: ResourcePath,
  ): PodShape {
    const requests = (nodeSelector?.devices ?? []).map((request, d): PodDeviceRequest => {
      const at = [...path, 'nodeSelector', 'devices', d];
      const compile = (form: RequestForm, formPath: Path): RequestAlternative => ({
        count: form.count,
        ...(form.allocationMode === 'All' && { all: true }),
        selectors: this.#compileAll(form, { resource, path: formPath }),
        ...(form.capacity && {
          capacity: Object.fromEntries(sortedBy(Object.entries(form.capacity.requests), ([name]) => name)),
        }),
        ...(form.where !== undefined && { where: true }),
      });
      const several = request.firstAvailable.map((form, f): RequestAlternative => {
        return { name: form.name, ...compile(form, [...at, 'firstAvailable', f]) };
      });
      return { name: request.name, alternatives: several.length > 0 ? several : [compile(request, at)] };
    });
    const constraints = (nodeSelector?.constraints ?? []).map(toConstraint);
    const [{ resources: declared }] = template.spec.containers;
    // Like Kubernetes, counts a limit without a request as a request.
    const resources = parseResources({ ...declared.limits, ...declared.requests });
    const uses = [...new Set(usedClaimFeaturesOf(nodeSelector).map(({ feature }) => feature))].sort(compareText);
    const pod = { requests, constraints, uses, resources, ...load };
    return this.#pods.intern(JSON.stringify(podKey(pod)), () => pod);
  }

  #compileAll(form: RequestForm, use: ResourcePath): Selector[] {
    return celSelectorsOf(form).flatMap((selector) => this.#selectors.compile(selector, use) ?? []);
  }
}

type RequestForm = Pick<DeviceRequest, 'count' | 'allocationMode' | 'where' | 'selectors' | 'capacity'>;

function toConstraint({ matchAttribute, distinctAttribute = '', requests }: DeclaredConstraint): AttributeConstraint {
  const rule = matchAttribute === undefined ? 'distinct' : 'match';
  return { rule, attribute: matchAttribute ?? distinctAttribute, requests };
}

function podKey({ requests, constraints, uses, resources, sidecars, processes, gang }: PodShape): unknown {
  return [requests.map(requestKey), constraints, uses, resources, sidecars, processes, gang];
}

function requestKey({ name, alternatives }: PodDeviceRequest): unknown {
  const forms = alternatives.map(({ name, count, all, selectors, where, capacity }) => {
    return [name, count, selectors.map(({ expression }) => expression), where, capacity, all];
  });
  return [name, forms];
}

function engineKey({ name, members, load }: EngineDemand): unknown {
  const pods = members.map((one) => [one.role, one.pods, one.surge, one.scaled, podKey(one.pod)]);
  return load ? [name, pods, load] : [name, pods];
}
