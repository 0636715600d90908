import type { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { errorAt } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { getOrCompute } from '../../src/base/memoize';
import { joinNames } from '../../src/base/text';
import { qualifiedNameOf } from '../../src/api/resource';
import type { ModelCache as CacheResource } from '../../src/api/model-cache';
import type { JsonObject, Manifest } from '../../src/manifest/kubernetes/manifest';
import { deploymentSelectorOf, type Labels } from '../../src/manifest/kubernetes/labels-and-annotations';
import { serviceNameOf } from '../../src/manifest/kubernetes/object-names';
import { findObjectRefs } from '../../src/manifest/kubernetes/references';
import type { Decision } from '../../src/plan/decision';
import { type ClusterManifests, renderClusterParts } from '../../src/render/cluster';
import { EDGE_NAME, EGRESS_NAME } from '../../src/routing/addresses';
import type { InferenceCluster } from '../inference-cluster';
import type { ModelCache } from '../model-cache';
import type { ModelDeployment } from '../model-deployment';
import type { ModelService } from '../model-service';
import type { ResourceConstruct } from '../resource-construct';
import type { Cdk8sPlus } from './cdk8s-plus';
import { type ControllerService, ObjectReferences } from './object-references';

/** The decision of a placed fleet, and the chart of each cluster. */
export interface PlacedCharts {
  readonly decision: Decision;
  readonly charts: ReadonlyMap<string, Chart>;
}

/** Hands out the references of clusters: the same each time that a program asks with the same library. */
export function createReferences(
  placed: PlacedCharts,
): <P extends Cdk8sPlus>(plus: P, cluster: InferenceCluster | string) => ClusterReferences<P> {
  const known = new Map<Cdk8sPlus, Map<string, unknown>>();
  return <P extends Cdk8sPlus>(plus: P, cluster: InferenceCluster | string) => {
    const name = typeof cluster === 'string' ? cluster : cluster.name;
    const make = (): unknown => new ClusterReferences(plus, placed, name);
    return getOrCompute(known, plus, name, make) as ClusterReferences<P>;
  };
}

/** What runs on a cluster, as references of cdk8s-plus. */
export class ClusterReferences<P extends Cdk8sPlus> {
  /** The chart of the cluster. Objects that you add to it are applied to this cluster. */
  readonly chart: Chart;

  readonly #plus: P;
  readonly #scope: Construct;
  readonly #decision: Decision;
  readonly #parts: ClusterManifests;
  readonly #known = new Map<string, ObjectReferences<P>>();

  /** @internal */
  constructor(plus: P, { decision, charts }: PlacedCharts, name: string) {
    const cluster = decision.fleet.clusters.find(({ metadata }) => metadata.name === name);
    const chart = charts.get(name);
    if (!cluster || !chart) {
      const what = cluster ? 'no object is on the cluster' : 'the fleet has no such cluster';
      throw noObjects(`InferenceCluster ${name}`, what, [...charts.keys()]);
    }
    const { fleet, replicas, renderers, routing } = decision;
    this.chart = chart;
    this.#plus = plus;
    this.#scope = new Construct(chart, freeIdIn(chart));
    this.#decision = decision;
    this.#parts = renderClusterParts(cluster, replicas, { fleet, renderers, routing });
    // Programs destructure: const { chart, deployment } = references(kplus, cluster).
    this.deployment = this.deployment.bind(this);
    this.cache = this.cache.bind(this);
    this.service = this.service.bind(this);
  }

  /**
   * The objects of a deployment: its Service, the workloads of its engines, its pods, and what these refer to.
   *
   * @throws FleetwrightError when no replica of it is on the cluster
   */
  deployment(choice: ModelDeployment | string): ObjectReferences<P> {
    const parts = this.#parts.deployments.map(({ deployment, manifests }) => ({
      id: qualifiedNameOf(deployment),
      manifests,
      mainService: serviceNameOf(deployment.metadata),
      podLabels: deploymentSelectorOf(deployment),
    }));
    return this.#references('ModelDeployment', choice, parts);
  }

  /**
   * The objects of a cache: its claim, and the jobs that stage its files.
   *
   * @throws FleetwrightError when it is not on the cluster
   */
  cache(choice: ModelCache | string): ObjectReferences<P> {
    const emitted = this.#parts.caches.map(({ cache, manifests }) => ({ id: qualifiedNameOf(cache), manifests }));
    const adopted = this.#decision.fleet.caches
      .map((cache) => ({ id: qualifiedNameOf(cache), manifests: [], existing: existingObjectsOf(cache) }))
      .filter(({ existing }) => existing.length > 0);
    return this.#references('ModelCache', choice, [...emitted, ...adopted]);
  }

  /**
   * The objects of a service: its routes, the Secrets of its keys, and the Service of the gateway that clients reach.
   *
   * @throws FleetwrightError when the cluster has no routes for it
   */
  service(choice: ModelService | string): ObjectReferences<P> {
    const parts = this.#parts.routing.services.map(({ service: { namespace, name }, manifests }) => {
      const controllerServices = gatewayServicesOf(manifests, this.#parts.routing.gateways);
      const fronts = controllerServices.filter((one) => one.name !== EDGE_NAME);
      const [main, ...others] = fronts.length > 0 ? fronts : controllerServices;
      const mainService = others.length === 0 ? main?.name : undefined;
      return { id: `${namespace}/${name}`, manifests, controllerServices, mainService };
    });
    return this.#references('ModelService', choice, parts);
  }

  #references(kind: string, choice: ResourceConstruct | string, parts: readonly Part[]): ObjectReferences<P> {
    const wanted = typeof choice === 'string' ? choice : `${choice.namespace ?? ''}/${choice.name}`;
    const part = parts.find(({ id }) => id === wanted);
    const id = `${kind} ${wanted}`;
    const namespace = wanted.split('/')[0] ?? '';
    if (!part)
      throw noObjects(
        id,
        `it has no objects on ${this.chart.node.id}`,
        parts.map((one) => one.id),
      );
    const known = this.#known.get(id);
    if (known) return known;
    const made = new ObjectReferences({
      ...part,
      plus: this.#plus,
      scope: this.#scope,
      chart: this.chart,
      namespace,
      id,
    });
    this.#known.set(id, made);
    return made;
  }
}

/** The ID of references in a chart. Those of another release of cdk8s-plus can be there already. */
function freeIdIn({ node }: Chart): string {
  let count = 1;
  while (node.tryFindChild(`References.${count}`)) count++;
  return `References.${count}`;
}

/** The objects of one resource. */
interface Part {
  readonly id: string;
  readonly manifests: readonly Manifest[];
  readonly existing?: readonly { readonly kind: string; readonly name: string }[];
  readonly controllerServices?: readonly ControllerService[];
  readonly mainService?: string | undefined;
  readonly podLabels?: Labels;
}

/** What a cache adopts instead of making it. */
function existingObjectsOf({ spec }: CacheResource): { readonly kind: string; readonly name: string }[] {
  if (spec.existingPVC) return [{ kind: 'PersistentVolumeClaim', name: spec.existingPVC.claimName }];
  return spec.configMap ? [{ kind: 'ConfigMap', name: spec.configMap.name }] : [];
}

/** The Services that Envoy Gateway makes of the gateways to which routes are attached, by the names in EnvoyProxies. */
function gatewayServicesOf(routes: readonly Manifest[], gateways: readonly Manifest[]): ControllerService[] {
  const attached = new Set(
    routes.flatMap((route) => findObjectRefs(route).flatMap((ref) => (ref.kind === 'Gateway' ? [ref.name] : []))),
  );
  return gateways
    .filter(({ kind, metadata: { name } }) => kind === 'Gateway' && attached.has(name) && name !== EGRESS_NAME)
    .map(({ metadata: { name, namespace = '' }, spec }) => ({ name, namespace, ports: listenerPortsOf(spec) }));
}

function listenerPortsOf(spec: JsonObject | undefined): number[] {
  const listeners = (spec?.['listeners'] ?? []) as readonly JsonObject[];
  return [...new Set(listeners.flatMap(({ port }) => (typeof port === 'number' ? [port] : [])))];
}

function noObjects(where: string, what: string, known: readonly string[]): FleetwrightError {
  const hint = known.length > 0 ? `Use one of ${joinNames(known)}` : 'Ask for another cluster';
  return new FleetwrightError([errorAt('no-objects', where, what, hint)]);
}
