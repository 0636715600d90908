import type { Certificate } from '../../routing/policy';
import type { Manifest } from '../manifest';
import { API } from './kinds';
import { gatewayMeta, type Place } from './meta';

/** What a certificate is for: to be shown by who is called, or by who calls. */
export type Use = 'server auth' | 'client auth';

/**
 * The Certificate that has an issuer make the Secret of a Gateway, or of all fronts of a cluster. Nothing where the user
 * brings the Secret. Its name is that of the Secret.
 */
export function certificate({ secret, dnsNames, issuer }: Certificate, use: Use, place: Place): Manifest[] {
  if (!issuer) return [];
  return [
    {
      apiVersion: API.certificate,
      kind: 'Certificate',
      metadata: gatewayMeta(secret, place),
      spec: {
        secretName: secret,
        dnsNames,
        usages: ['digital signature', 'key encipherment', use],
        // A key that leaked is good until the next renewal only.
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        issuerRef: { group: 'cert-manager.io', kind: issuer.kind, name: issuer.name },
      },
    },
  ];
}
