import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { FLEET_AUTHORITY, ISSUER_HOST, PROVIDERS, PUBLIC_AUTHORITY, USER_KEY } from '../fleet/names';
import type { Wanted } from './certificates';

const OTHER_AUTHORITY = 'other-ca';

/** Certificates that no cluster asks for: of authorities, of providers, and of callers that no one may let in. */
export const WANTED: readonly Wanted[] = [
  { name: PUBLIC_AUTHORITY, use: 'authority' },
  { name: FLEET_AUTHORITY, use: 'authority' },
  { name: OTHER_AUTHORITY, use: 'authority' },
  ...[...Object.keys(PROVIDERS), ISSUER_HOST].map(
    (host): Wanted => ({
      name: host,
      issuer: PUBLIC_AUTHORITY,
      use: 'server',
      dns: [host],
    }),
  ),
  { name: 'someone', issuer: FLEET_AUTHORITY, use: 'client', dns: ['someone.fleetwright.internal'] },
  { name: 'stranger', issuer: OTHER_AUTHORITY, use: 'client', dns: ['front.us-east.fleetwright.internal'] },
];

/** What the declarations of the fleet refer to and its user brings: keys, credentials, the authority. */
export function given(authority: string): Manifest[] {
  const ca = (namespace: string): Manifest => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'fleetwright-ca', namespace, labels: {} },
    data: { 'ca.crt': authority },
  });
  return [
    ...['fleetwright-system', 'team-a'].map(ca),
    secret('fleetwright-system', 'keys', { alice: USER_KEY }),
    ...Object.values(PROVIDERS).map(({ secretName, credential }) => secret('team-a', secretName, { credential })),
  ];
}

function secret(namespace: string, name: string, data: Readonly<Record<string, string>>): Manifest {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: {} },
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}
