import type { ServingName } from '../../api/serving-stack';

/** What is on its way to a cluster. */
export interface Coming {
  /**
   * What of the serving stack is installed next, before anything needs it. What it brings is not missed.
   *
   * @default - none
   */
  readonly coming?: ReadonlySet<ServingName>;
}

/** The releases that bring drivers with their device classes, by driver. */
const BRINGING: Readonly<Record<string, ServingName>> = { 'gpu.nvidia.com': 'nvidiaDraDriver' };

/** Whether a part of the serving stack is installed next. */
export function isComing(part: ServingName | undefined, { coming }: Coming): boolean {
  return part !== undefined && coming?.has(part) === true;
}

/** Whether a driver is installed next. */
export function isDriverComing(driver: string, site: Coming): boolean {
  return isComing(BRINGING[driver], site);
}
