export const PROVIDERS = ['GKE', 'EKS', 'AKS', 'Nebius', 'Vultr'] as const;

/** A cloud on which nodes can be provisioned. */
export type Provider = (typeof PROVIDERS)[number];

/** The field with the settings of each provider. */
export const PROVIDER_BLOCK = {
  GKE: 'gke',
  EKS: 'eks',
  AKS: 'aks',
  Nebius: 'nebius',
  Vultr: 'vultr',
} as const satisfies Record<Provider, string>;

/** The field with the settings of each cluster source. */
export const SOURCE_BLOCK = { ...PROVIDER_BLOCK, Custom: 'custom', Existing: 'existing' } as const;

/** Whether nodes of a cluster source have a provider, with a block in classes. */
export function isProvider(source: string): source is Provider {
  return Object.hasOwn(PROVIDER_BLOCK, source);
}

/** The storage classes of disks for single nodes that a cloud itself creates in every cluster. */
export const DISK_CLASSES: Readonly<Partial<Record<string, readonly string[]>>> = {
  GKE: ['standard', 'standard-rwo', 'premium-rwo'],
  EKS: ['gp2'],
  AKS: ['default', 'managed', 'managed-premium', 'managed-csi', 'managed-csi-premium'],
} satisfies Partial<Record<Provider, readonly string[]>>;
