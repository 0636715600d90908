import type { CustomResourceOptions } from '@pulumi/pulumi';

/**
 * Options of a resource of a cluster. Without a provider it would land on whatever cluster the kubeconfig at hand names.
 */
export type OnCluster = CustomResourceOptions & Required<Pick<CustomResourceOptions, 'parent' | 'provider'>>;
