import type { ReleaseName } from '../../api/serving-stack';

/** What is on its way to a cluster. */
export interface Coming {
  /**
   * Releases that are installed next, before anything needs them. What they bring is not missed.
   *
   * @default - none
   */
  readonly coming?: ReadonlySet<ReleaseName>;
}

/** The releases that bring drivers with their device classes, by driver. */
const BRINGING: Readonly<Record<string, ReleaseName>> = { 'gpu.nvidia.com': 'nvidiaDraDriver' };

/** Whether a release is installed next. */
export function isComing(release: ReleaseName | undefined, { coming }: Coming): boolean {
  return release !== undefined && coming?.has(release) === true;
}

/** Whether a driver is installed next. */
export function isDriverComing(driver: string, site: Coming): boolean {
  return isComing(BRINGING[driver], site);
}
