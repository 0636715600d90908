import type { Sourced } from './sourced';

/** The type of what a driver publishes. A quantity is a capacity, everything else an attribute. */
export type FactType = 'string' | 'version' | 'int' | 'bool' | 'quantity';

/** An attribute or capacity that a driver publishes. */
export interface FactRow {
  readonly name: string;
  readonly type: FactType;

  /** The domain, where it is not the driver's own. */
  readonly domain?: string;

  /** Why some devices leave it out, as a clause. Absent for what every device has. */
  readonly optional?: string;

  /** Whether it tells one physical device from all others, so that a selector on it dies with the device. */
  readonly identity?: true;

  /** A value as the driver writes it, for messages. */
  readonly sample: string;
}

/** A DRA driver and all that its devices publish. */
export interface DriverRow extends Sourced {
  readonly name: string;
  readonly facts: readonly FactRow[];
}
