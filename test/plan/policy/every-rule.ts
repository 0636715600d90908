import { policyFile } from '../../../src/api/policy-file';
import type { Policy } from '../../../src/fleet/policy';

/** A rule of every kind, all broken by most fleets. */
export const EVERY_RULE: readonly Policy[] = policyFile
  .parse({
    rules: [
      { name: 'regions', allowedRegions: { regions: ['mars'] } },
      { name: 'budget', budget: { perMonth: 1 } },
      { name: 'budget of one', budget: { namespace: 'ns0', perMonth: 1 } },
      { name: 'public', noPublicGateway: true },
      { name: 'digests', pinnedImages: true },
      { name: 'domains', failureDomains: { spreadBy: 'area', least: 2 } },
      { name: 'quota', deviceQuota: { most: 1 } },
      { name: 'quota of one', deviceQuota: { namespace: 'ns1', most: 1 } },
      { name: 'calm', moves: { most: 0 } },
      { name: 'providers', forbiddenProviders: ['Existing'] },
    ],
  })
  .rules.map((rule) => ({ rule, where: 'policy.yaml:2:3', place: () => '' }));
