import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct, IValidation } from 'constructs';
import { formatDiagnostic } from '../src/base/diagnostic';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import { findNewRouteProblems, isRoutingKind } from '../src/render/route-lints/lint-routes';

/** The charts of clusters, of all programs: what stands in one of them is applied to that cluster alone. */
const CLUSTER_CHARTS = new WeakSet<IConstruct>();

/**
 * Finds what programs break of the routes of a cluster when they add objects to its chart or apply others beside it,
 * patch or remove them: policies without a target, routes without a key, references that nobody allows.
 */
export class RouteValidation implements IValidation {
  readonly #chart: Chart;
  readonly #rendered: readonly Manifest[];
  #found: readonly string[] | undefined;

  /** @param rendered the objects that the chart was made with */
  constructor(chart: Chart, rendered: readonly Manifest[]) {
    this.#chart = chart;
    this.#rendered = rendered.filter(({ apiVersion }) => isRoutingKind(apiVersion));
    CLUSTER_CHARTS.add(chart);
  }

  /** What is wrong, a sentence each. */
  validate(): string[] {
    if (!this.#found) {
      this.#found = this.#problems();
      // cdk8s validates the whole app once for every chart that it writes, in one go.
      queueMicrotask(() => (this.#found = undefined));
    }
    return [...this.#found];
  }

  #problems(): string[] {
    const { node } = this.#chart;
    const after = node.findAll().filter(isRoutingObject).map(manifestOf);
    const others = [...constructsOutsideCharts(node.root)].filter(isRoutingObject);
    const beside = new Map(others.map((one) => [manifestOf(one), `chart ${Chart.of(one).node.id}`]));
    const changed = { before: this.#rendered, after, beside };
    return findNewRouteProblems(changed, `chart ${node.id}`).map(formatDiagnostic);
  }
}

/** All constructs but those in the charts of clusters. */
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
