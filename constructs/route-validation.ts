import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct, IValidation } from 'constructs';
import { describe } from '../src/errors';
import type { Manifest } from '../src/render/manifest';
import { isRouting, newRouteProblems } from '../src/render/route-lints/route-faults';

/** The charts of clusters, of all programs: what stands in one of them is applied to that cluster alone. */
const OF_CLUSTERS = new WeakSet<IConstruct>();

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
    this.#rendered = rendered.filter(({ apiVersion }) => isRouting(apiVersion));
    OF_CLUSTERS.add(chart);
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
    const after = node.findAll().filter(routes).map(manifestOf);
    const others = [...besideClusters(node.root)].filter(routes);
    const beside = new Map(others.map((one) => [manifestOf(one), `chart ${Chart.of(one).node.id}`]));
    const changed = { before: this.#rendered, after, beside };
    return newRouteProblems(changed, `chart ${node.id}`).map(describe);
  }
}

/** All constructs but those in the charts of clusters. */
function* besideClusters(construct: IConstruct): Iterable<IConstruct> {
  if (OF_CLUSTERS.has(construct)) return;
  yield construct;
  for (const child of construct.node.children) yield* besideClusters(child);
}

function routes(construct: IConstruct): construct is ApiObject {
  return ApiObject.isApiObject(construct) && isRouting(construct.apiVersion);
}

function manifestOf(object: ApiObject): Manifest {
  return object.toJson() as Manifest;
}
