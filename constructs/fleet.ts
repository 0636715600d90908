import { Construct } from 'constructs';
import { fleetAbove, markFleet } from './fleet-of';
import { mistakesOf, type Reading, readProps } from './read-props';
import { type Placed, type PlaceOptions, place } from './place';
import type { FleetProps } from './props/fleet';

/**
 * A fleet: the scope of everything that is declared, its settings, and the one who places it.
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
export class Fleet extends Construct {
  /** The kind of resource that its settings are. */
  readonly kind = 'Fleet';

  /** The name of the settings: the id of the construct, unless a prop says otherwise. */
  readonly name: string;

  /** Settings are in no namespace. */
  readonly namespace = undefined;

  readonly #props: FleetProps;
  #placed: Placed | undefined;

  /**
   * The fleet that a construct is in.
   *
   * @example
   * Fleet.of(deployment).node.path; // 'main'
   */
  static of(construct: Construct): Fleet {
    const fleet = fleetAbove(construct);
    if (fleet instanceof Fleet) return fleet;
    throw new Error(`${construct.node.path}: the construct is in no fleet. Declare it below a Fleet.`);
  }

  constructor(scope: Construct, id: string, props: FleetProps = {}) {
    super(scope, id);
    this.#props = props;
    this.name = props.name ?? id;
    markFleet(this);
    this.node.addValidation({ validate: () => this.#mistakes() });
  }

  /** Whether `place()` was called. From then on nothing can be declared. */
  get isPlaced(): boolean {
    return this.#placed !== undefined;
  }

  /** Reads the settings. Without any, there is nothing to read. */
  read(): Reading | undefined {
    const isSet = Object.values(this.#props).some((value) => value !== undefined);
    return isSet ? readProps(this, this.#props) : undefined;
  }

  /**
   * Decides where every replica goes and adds one chart a cluster beside the fleet, named after the cluster, with
   * everything that lands there. A cluster on which nothing lands gets none.
   *
   * It reads the lock and never writes it: `fleetwright lock` does.
   *
   * @throws FleetwrightError with everything that is wrong with the declarations, when the lock is stale, and when
   * replicas have no place that nobody accepted
   * @example
   * const { charts } = fleet.place({ lock: 'ephemeral' });
   * charts.get('us')?.apiObjects.length;
   */
  place(options: PlaceOptions): Placed {
    this.#placed = place(this, options);
    return this.#placed;
  }

  #mistakes(): string[] {
    if (this.isPlaced) return [];
    const reading = this.read();
    return [
      ...(reading ? mistakesOf(this, reading) : []),
      'the fleet was not placed. Call place() before synth().',
    ];
  }
}
