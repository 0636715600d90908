import type { ServingStackEntry } from '../../api/serving-stack';

/** The releases that are installed on a cluster next. */
export interface PendingInstalls {
  /**
   * Parts of the serving stack that are installed next, before anything needs them. Checks do not report missing
   * objects of these parts.
   *
   * @default - none
   */
  readonly pendingInstalls?: ReadonlySet<ServingStackEntry>;
}

/** The releases that install drivers and their device classes, by driver. */
const RELEASE_BY_DRIVER: Readonly<Record<string, ServingStackEntry>> = { 'gpu.nvidia.com': 'nvidiaDraDriver' };

/** Whether a part of the serving stack is installed next. */
export function isPendingInstall(
  part: ServingStackEntry | undefined,
  { pendingInstalls: coming }: PendingInstalls,
): boolean {
  return part !== undefined && coming?.has(part) === true;
}

/** Whether a driver is installed next. */
export function isDriverPending(driver: string, pending: PendingInstalls): boolean {
  return isPendingInstall(RELEASE_BY_DRIVER[driver], pending);
}
