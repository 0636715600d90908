import { Construct } from 'constructs';
import { findDependencies, findFleet, type FleetScope, ORDER_CHARTS_HINT } from './fleet-scope';
import type * as Place from './place';
import type { Placed, PlaceOptions } from './place';
import type { FleetProps } from './props/fleet';
import { hasSettings, readProps, validationErrorsOf } from './read-props';
import { DECLARED, type DeclaredResource, propsOrEmpty } from './resource-construct';

/**
 * A fleet: the scope of all declarations, and its settings. It places the replicas.
 *
 * Declare classes, clusters and deployments below it, in any number of files, then call `place()` once, then
 * `synth()` of the app. Without props it has no settings.
 *
 * @example
 * const app = new App();
 * const fleet = new Fleet(app, 'main', { defaults: { labels: { 'example.com/owner': 'ml-platform' } } });
 * // ... declare classes, clusters and deployments ...
 * fleet.place({ lock: 'fleet.lock.yaml' });
 * app.synth();
 */
export class Fleet extends Construct implements FleetScope {
  readonly #declared: DeclaredResource<'Fleet'>;
  #placed: Placed | undefined;

  /**
   * Finds the fleet of a construct.
   *
   * @example
   * Fleet.of(deployment).node.path; // 'main'
   */
  static of(construct: Construct): Fleet {
    const fleet = findFleet(construct);
    if (fleet instanceof Fleet) return fleet;
    throw new Error(`${construct.node.path}: the construct is not in a fleet. Create it below a Fleet.`);
  }

  constructor(scope: Construct, id: string, props?: FleetProps) {
    super(scope, id);
    this.#declared = { kind: 'Fleet', props: propsOrEmpty(props) };
    this.node.addValidation({ validate: () => this.#mistakes() });
  }

  /** The name of the settings: the ID of the construct, unless the prop `name` is set. */
  get name(): string {
    const { name }: FleetProps = this.#declared.props;
    return name ?? this.node.id;
  }

  /** Whether `place()` was called. Afterwards nothing can be declared. */
  get isPlaced(): boolean {
    return this.#placed !== undefined;
  }

  /**
   * Places all replicas and adds one chart for each cluster to the scope of the fleet, named after the cluster, with
   * all objects of the cluster. A cluster without objects gets no chart.
   *
   * It reads the lock and never writes it: `fleetwright lock` does. To order your own charts, call `addDependency()`
   * of the returned charts; declarations are in no chart. Each cluster needs a separate file, so with several
   * clusters the output types FILE_PER_APP and FILE_PER_RESOURCE are rejected.
   *
   * @throws FleetwrightError with everything that is wrong with the declarations, when the lock file is out of date, and when
   * replicas without a place are not accepted
   * @example
   * const { charts } = fleet.place({ lock: 'ephemeral' });
   * charts.get('us')?.apiObjects.length;
   */
  place(options: PlaceOptions): Placed {
    // Loaded on first use: importing or extending constructs needs neither the scheduler nor cdk8s.
    const { placeScope } = require('./place') as typeof Place;
    this.#placed = placeScope(this, options);
    return this.#placed;
  }

  /** For the constructs of this package. */
  get [DECLARED](): DeclaredResource<'Fleet'> {
    return this.#declared;
  }

  #mistakes(): string[] {
    if (this.isPlaced)
      return [...findDependencies(this)].map(([path, what]) => `${path}: ${what}. ${ORDER_CHARTS_HINT}.`);
    return [
      ...(hasSettings(this) ? validationErrorsOf(this, readProps(this)) : []),
      'the fleet is not placed. Call place() before synth().',
    ];
  }
}
