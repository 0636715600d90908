import type { ClassDevice } from '../api/device';
import type { ClaimableDevice } from './node-info';

/** A fact of a device that differs from its class. */
export interface DeviceDifference {
  /** What it is a fact of, and its name as the class writes it. */
  readonly field: 'attribute' | 'capacity' | 'request policy' | 'setting' | 'counter' | 'placement' | 'counter set';
  readonly name: string;
  readonly declared: string;
  /** Absent if the device publishes no value of that name. */
  readonly published: string | undefined;
  /** Whether the value is less than the class states, so that replicas that are planned with it may not start. */
  readonly less: boolean;
  /** The path in the recorded device. */
  readonly path: readonly string[];
}

/** A published device that is paired with an entry of its class, and differs from it. */
export interface DifferingDevice {
  readonly entry: ClassDevice;
  readonly published: ClaimableDevice;
  readonly differences: readonly DeviceDifference[];
}
