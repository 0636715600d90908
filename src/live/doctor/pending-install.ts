import type { ServingStackEntry } from '../../api/serving-stack';

/** What is on its way to a cluster. */
export interface PendingInstalls {
  /**
   * What of the serving stack is installed next, before anything needs it. What it brings is not missed.
   *
   * @default - none
   */
  readonly pendingInstalls?: ReadonlySet<ServingStackEntry>;
}

/** The releases that bring drivers with their device classes, by driver. */
const RELEASE_BY_DRIVER: Readonly<Record<string, ServingStackEntry>> = {
  'gpu.nvidia.com': 'nvidiaDraDriver',
};

/** Whether a part of the serving stack is installed next. */
export function isPendingInstall(
  part: ServingStackEntry | undefined,
  { pendingInstalls: coming }: PendingInstalls,
): boolean {
  return part !== undefined && coming?.has(part) === true;
}

/** Whether a driver is installed next. */
export function isDriverPending(driver: string, site: PendingInstalls): boolean {
  return isPendingInstall(RELEASE_BY_DRIVER[driver], site);
}
