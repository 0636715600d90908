import type { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { errorAt } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { joinNames } from '../../src/base/text';
import type { Json, JsonObject, Manifest } from '../../src/manifest/kubernetes/manifest';
import type { Labels } from '../../src/manifest/kubernetes/labels-and-annotations';
import { findReferences } from '../../src/manifest/kubernetes/references';
import { findEmitted } from '../charts';
import type {
  Cdk8sPlus,
  ClaimReference,
  ConfigMapReference,
  PodsReference,
  SecretReference,
  ServiceAccountReference,
  ServiceReference,
} from './cdk8s-plus';
import { EmittedObject } from './emitted-object';
import { Workload } from './workload';

/** A Service that a controller makes of the objects of a cluster. */
export interface ControllerService {
  readonly name: string;
  readonly namespace: string;
  readonly ports: readonly number[];
}

/** The objects of one resource on a cluster. */
export interface ReferenceSource<P extends Cdk8sPlus> {
  readonly plus: P;
  readonly chart: Chart;

  /** Where references are. */
  readonly scope: Construct;

  /** The resource, for messages and IDs: `ModelDeployment ml/qwen3`. */
  readonly id: string;
  readonly namespace: string;
  readonly manifests: readonly Manifest[];

  /** Objects by kind that exist already: the claim of a cache. */
  readonly existing?: readonly { readonly kind: string; readonly name: string }[];
  readonly controllerServices?: readonly ControllerService[];

  /** The labels that select the pods of a deployment in its namespace. */
  readonly podLabels?: Labels;

  /** The Service that clients of the resource use, where there are several. */
  readonly mainService?: string | undefined;
}

/** The kinds of workloads, which have pods and a number of them. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet']);

/**
 * What a resource has on a cluster, as references of cdk8s-plus: the objects that Fleetwright emits, and those that
 * they refer to. By name; empty where there is none.
 */
export class ObjectReferences<P extends Cdk8sPlus> {
  /** The namespace of the resource. Your own objects that name its objects belong there, too. */
  readonly namespace: string;

  readonly #source: ReferenceSource<P>;
  readonly #scope: Construct;

  /** @internal */
  constructor(source: ReferenceSource<P>) {
    const { scope, id } = source;
    this.#source = source;
    this.namespace = source.namespace;
    this.#scope = new Construct(scope, id.replace(/[ /]/g, '.'));
  }

  /**
   * The Service that clients use: that of a deployment, or the public gateway of a service.
   *
   * @throws FleetwrightError when there is none, or more than one
   */
  get service(): ServiceReference<P> {
    const { mainService } = this.#source;
    const names = [...this.services.keys()];
    const name = mainService ?? (names.length === 1 ? names[0] : undefined);
    const found = name === undefined ? undefined : this.services.get(name);
    if (found) return found;
    const what = names.length === 0 ? 'it has no Service' : `it has several Services: ${joinNames(names)}`;
    const hint = names.length === 0 ? 'Ask for another resource' : 'Take one of services by its name';
    throw this.#absent(what, hint);
  }

  /** Services, also those that Envoy Gateway makes of gateways. */
  get services(): ReadonlyMap<string, ServiceReference<P>> {
    const emitted = this.#emitted('Service').map((manifest) => ({
      name: manifest.metadata.name,
      namespace: manifest.metadata.namespace ?? this.namespace,
      ports: portsOf(manifest),
    }));
    const all = [...emitted, ...(this.#source.controllerServices ?? [])];
    return new Map(all.map((service) => [service.name, this.#service(service)]));
  }

  /** Deployments and LeaderWorkerSets, one for each engine of each replica, as targets of autoscalers. */
  get workloads(): ReadonlyMap<string, Workload<P>> {
    const { plus } = this.#source;
    const workloads = this.#source.manifests.filter(({ kind }) => WORKLOADS.has(kind));
    return new Map(
      workloads.map((manifest) => [manifest.metadata.name, new Workload(manifest, this.#find(manifest), plus)]),
    );
  }

  /**
   * The pods of a deployment, of all its replicas on the cluster, for a NetworkPolicy and its rules.
   *
   * @throws FleetwrightError for a cache or a service
   */
  get pods(): PodsReference<P> {
    const { plus, podLabels } = this.#source;
    if (!podLabels) throw this.#absent('only deployments have pods of engines', 'Ask for a deployment');
    return this.#once('Pods', (id) => {
      const namespaces = plus.Namespaces.select(this.#scope, 'Namespace', { names: [this.namespace] });
      return plus.Pods.select(this.#scope, id, { labels: { ...podLabels }, namespaces });
    }) as PodsReference<P>;
  }

  /** PersistentVolumeClaims: the volume of a cache, and claims that pods mount. */
  get claims(): ReadonlyMap<string, ClaimReference<P>> {
    const { PersistentVolumeClaim } = this.#source.plus;
    return this.#named('PersistentVolumeClaim', (id, name) =>
      PersistentVolumeClaim.fromClaimName(this.#scope, id, name),
    ) as ReadonlyMap<string, ClaimReference<P>>;
  }

  /** ConfigMaps. */
  get configMaps(): ReadonlyMap<string, ConfigMapReference<P>> {
    const { ConfigMap } = this.#source.plus;
    return this.#named('ConfigMap', (id, name) => ConfigMap.fromConfigMapName(this.#scope, id, name)) as ReadonlyMap<
      string,
      ConfigMapReference<P>
    >;
  }

  /** Secrets. Fleetwright emits none: these are those that its objects refer to. */
  get secrets(): ReadonlyMap<string, SecretReference<P>> {
    const { Secret } = this.#source.plus;
    return this.#named('Secret', (id, name) => Secret.fromSecretName(this.#scope, id, name)) as ReadonlyMap<
      string,
      SecretReference<P>
    >;
  }

  /** ServiceAccounts, of pods and of jobs that stage caches. */
  get serviceAccounts(): ReadonlyMap<string, ServiceAccountReference<P>> {
    const { ServiceAccount } = this.#source.plus;
    const options = { namespaceName: this.namespace };
    return this.#named('ServiceAccount', (id, name) =>
      ServiceAccount.fromServiceAccountName(this.#scope, id, name, options),
    ) as ReadonlyMap<string, ServiceAccountReference<P>>;
  }

  /** Everything that Fleetwright emits, as rules of a `Role` take it. */
  get objects(): readonly EmittedObject[] {
    return this.#source.manifests.map((manifest) => new EmittedObject(manifest, this.#find(manifest)));
  }

  #emitted(wanted: string): readonly Manifest[] {
    return this.#source.manifests.filter(({ kind }) => kind === wanted);
  }

  #find(manifest: Manifest) {
    return findEmitted(this.#source.chart, manifest);
  }

  /** The objects of a kind: emitted ones, and those in the namespace that emitted ones refer to. */
  #named(kind: string, make: (id: string, name: string) => unknown): ReadonlyMap<string, unknown> {
    const { manifests, existing = [] } = this.#source;
    const referred = manifests
      .flatMap((manifest) => findReferences(manifest))
      .filter(({ namespace }) => namespace === this.namespace);
    const names = [...this.#emitted(kind).map(({ metadata }) => metadata.name), ...namesOf(kind, referred)];
    return new Map(
      [...names, ...namesOf(kind, existing)].map((name) => [
        name,
        this.#once(`${kind}.${name}`, (id) => make(id, name)),
      ]),
    );
  }

  #absent(what: string, hint: string): FleetwrightError {
    const { id, chart } = this.#source;
    return new FleetwrightError([errorAt('no-objects', `${id} on ${chart.node.id}`, what, hint)]);
  }

  /** A reference that exists already, or a new one. */
  #once<T>(id: string, make: (id: string) => T): T {
    return (this.#scope.node.tryFindChild(id) as T | undefined) ?? make(id);
  }

  /** A Service of cdk8s-plus whose object is that of the chart, so that it is not emitted twice. */
  #service({ name, namespace, ports }: ControllerService): ServiceReference<P> {
    const { plus, manifests, chart } = this.#source;
    return this.#once(`Service.${name}`, (id) => {
      const settings = { metadata: { name, namespace }, ports: ports.map((port) => ({ name: `port-${port}`, port })) };
      const service = new plus.Service(this.#scope, id, settings);
      if (!service.node.tryRemoveChild('Resource'))
        throw new Error(`bug: ${service.node.path} has no object to replace`);
      const manifest = manifests.find((one) => one.kind === 'Service' && one.metadata.name === name);
      if (manifest) Object.assign(service, { apiObject: findEmitted(chart, manifest) });
      return service as ServiceReference<P>;
    });
  }
}

function namesOf(wanted: string, objects: readonly { readonly kind: string; readonly name: string }[]): string[] {
  return objects.filter(({ kind }) => kind === wanted).map(({ name }) => name);
}

function portsOf({ spec }: Manifest): number[] {
  const ports: Json | undefined = spec?.['ports'];
  return (Array.isArray(ports) ? (ports as readonly JsonObject[]) : []).flatMap(({ port }) =>
    typeof port === 'number' ? [port] : [],
  );
}
