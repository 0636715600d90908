import { z } from 'zod';
import { fields } from './reading/fields';
import { cidr } from './shared/cidr';

/** The network that a cloud makes for a cluster. */
export const clusterNetwork = fields({
  cidr: cidr
    .optional()
    .describe(
      'All addresses of nodes, and on GKE of pods and services too. Default: 10.0.0.0/14 on GKE, 10.0.0.0/16 on EKS.',
    ),
  private: z
    .boolean()
    .default(false)
    .describe(
      'Whether nodes on GKE have no public addresses and reach out through NAT, as those on EKS always do. Default: false.',
    ),
  authorizedNetworks: z
    .array(cidr)
    .max(50)
    .default([])
    .describe('Who reaches the Kubernetes API from outside. Default: everyone, who then has to log in.'),
});

/** The same, with any text for a range. */
export const looseNetwork = clusterNetwork.extend({
  cidr: z.string().optional(),
  authorizedNetworks: z.array(z.string()).default([]),
});

/** Tiers of Filestore, as its CSI driver has them (gcp-filestore-csi-driver v1.13). */
export const FILESTORE_TIERS = ['BasicHDD', 'BasicSSD', 'Zonal', 'Regional', 'Enterprise'] as const;

/** A tier of Filestore. */
export type FilestoreTier = (typeof FILESTORE_TIERS)[number];
