import { ApiObject, type Chart } from 'cdk8s';
import type { IValidation } from 'constructs';
import { describe } from '../src/errors';
import type { Manifest } from '../src/render/manifest';
import { isRouting, newRouteProblems } from '../src/render/route-lints/route-faults';

/**
 * Finds what programs break of the routes of a cluster when they add objects to its chart, patch or remove them:
 * policies without a target, routes without a key, references that nobody allows.
 */
export class RouteValidation implements IValidation {
  readonly #chart: Chart;
  readonly #rendered: readonly Manifest[];
  #found: readonly string[] | undefined;

  /** @param rendered the objects that the chart was made with */
  constructor(chart: Chart, rendered: readonly Manifest[]) {
    this.#chart = chart;
    this.#rendered = rendered.filter(({ apiVersion }) => isRouting(apiVersion));
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
    const objects = this.#chart.node
      .findAll()
      .filter((one): one is ApiObject => ApiObject.isApiObject(one) && isRouting(one.apiVersion))
      .map((one) => one.toJson() as Manifest);
    return newRouteProblems(this.#rendered, objects, `chart ${this.#chart.node.id}`).map(describe);
  }
}
