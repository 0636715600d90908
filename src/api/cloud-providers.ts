/** Clouds on which nodes can be made. */
export const PROVIDERS = ['GKE', 'EKS', 'AKS', 'Nebius', 'Vultr'] as const;

/** A cloud on which nodes can be made. */
export type Provider = (typeof PROVIDERS)[number];

/** The block that each provider reads. */
export const PROVIDER_BLOCK = {
  GKE: 'gke',
  EKS: 'eks',
  AKS: 'aks',
  Nebius: 'nebius',
  Vultr: 'vultr',
} as const satisfies Record<Provider, string>;
