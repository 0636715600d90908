import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct, IValidation } from 'constructs';
import { formatDiagnostic } from '../src/base/diagnostic';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import { findNewRouteProblems, isRoutingKind } from '../src/render/route-lints/lint-routes';

/** The charts of clusters of all programs. The objects of such a chart are applied only to its cluster. */
const CLUSTER_CHARTS = new WeakSet<IConstruct>();

/**
 * Finds problems that programs cause in the routes of a cluster when they add objects to its chart, apply others next
 * to it, or patch or remove objects: policies without a target, routes without a key, references without a grant.
 */
export class RouteValidation implements IValidation {
  readonly #chart: Chart;
  readonly #rendered: readonly Manifest[];
  #found: readonly string[] | undefined;

  /**
   * @param rendered the objects from which the chart was created
   *
   *  @param rendered the objects that the chart was made with
   */
  constructor(chart: Chart, rendered: readonly Manifest[]) {
    this.#chart = chart;
    this.#rendered = rendered.filter(({ apiVersion }) => isRoutingKind(apiVersion));
    CLUSTER_CHARTS.add(chart);
  }

  /** Returns the problems, one sentence each. */
  validate(): string[] {
    if (!this.#found) {
      this.#found = this.#problems();
      // cdk8s validates the whole app synchronously for each chart that it writes.
      queueMicrotask(() => (this.#found = undefined));
    }
    return [...this.#found];
  }

  #problems(): string[] {
    const { node } = this.#chart;
    const after = node.findAll().filter(isRoutingObject).map(manifestOf);
    const others = [...constructsOutsideCharts(node.root)].filter(isRoutingObject);
    const additional = new Map(others.map((one) => [manifestOf(one), `chart ${Chart.of(one).node.id}`]));
    const changed = { before: this.#rendered, after, additional };
    return findNewRouteProblems(changed, `chart ${node.id}`).map(formatDiagnostic);
  }
}

/** All constructs outside of the charts of clusters. */
function* constructsOutsideCharts(construct: IConstruct): Iterable<IConstruct> {
  if (CLUSTER_CHARTS.has(construct)) return;
  yield construct;
  for (const child of construct.node.children) yield* constructsOutsideCharts(child);
}

function isRoutingObject(construct: IConstruct): construct is ApiObject {
  return ApiObject.isApiObject(construct) && isRoutingKind(construct.apiVersion);
}

function manifestOf(object: ApiObject): Manifest {
  return object.toJson() as Manifest;
}
