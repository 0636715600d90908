/** @jest-environment node */

import { loadDefaultCloud } from '../../stacks/fleet/default-clouds';
import { checkProvidersInstalled } from '../../stacks/dns/dns-records';
import { aFleet } from '../provision/build';

/** As Node says it of a package that is not there. */
function mockMissing(name: string): never {
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
}

jest.mock('../../stacks/eks/cloud', () => mockMissing('@pulumi/aws/eks/cluster'));
jest.mock('../../stacks/dns/cloud-dns', () => mockMissing('@pulumi/gcp/dns/recordSet'));
jest.mock('../../stacks/gke/cloud', () => mockMissing('./gke-cluster'));

test('a provider that is not installed is a problem with its command', () => {
  const { cluster, fleet } = aFleet('EKS');
  expect(loadDefaultCloud('EKS').check(cluster, fleet)).toEqual([
    {
      code: 'no-provider',
      message: '@pulumi/aws is not installed',
      hint: "Run 'npm install @pulumi/aws'",
    },
  ]);
});

test('another module that is missing is none of the user', () => {
  expect(() => loadDefaultCloud('GKE')).toThrow("Cannot find module './gke-cluster'");
});

test('a record is refused where its provider is not installed', () => {
  const planned = { host: 'a.example.com', provider: 'CloudDNS', zone: 'z', gateways: [] } as const;
  expect(checkProvidersInstalled([planned, { ...planned, provider: 'Route53' }])).toEqual([
    {
      code: 'no-provider',
      severity: 'error',
      at: 'a.example.com',
      message: '@pulumi/gcp is not installed',
      hint: "Run 'npm install @pulumi/gcp'",
    },
  ]);
});
