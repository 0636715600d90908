import { z } from 'zod';
import { fields } from '../reading/fields';
import { objectName } from '../shared/names';
import { secretRef } from './secret-name';

/** An issuer of cert-manager. */
export const issuer = fields({
  name: objectName.describe('The name of the issuer.'),
  kind: z
    .enum(['ClusterIssuer', 'Issuer'])
    .default('ClusterIssuer')
    .describe('Issuer: one in namespace fleetwright-system. Default: ClusterIssuer.'),
});

/** A certificate with its key that the user brings. */
export const certificateRef = secretRef('The Secret in namespace fleetwright-system: tls.crt, tls.key.');
