import type { FleetSettings } from './fleet';
import { PROVIDER, REGION } from './labels';

/** Names for failure domains that every fleet has. */
const BUILT_IN: Readonly<Record<string, string>> = { region: REGION, provider: PROVIDER };

/** The cluster label of each named failure domain. What a fleet declares wins over what every fleet has. */
export function domainsOf(settings: FleetSettings | undefined): Readonly<Record<string, string>> {
  return { ...BUILT_IN, ...settings?.spec.domains };
}

/** The cluster label that `spreadBy` means: that of a named failure domain, or itself. */
export function domainLabel(spreadBy: string, settings: FleetSettings | undefined): string {
  const domains = domainsOf(settings);
  return Object.hasOwn(domains, spreadBy) ? (domains[spreadBy] ?? spreadBy) : spreadBy;
}
