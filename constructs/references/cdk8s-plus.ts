import type { Construct } from 'constructs';
import type { ObjectReference } from '../object-reference';

/**
 * The classes of cdk8s-plus that references are made of: `import * as kplus from 'cdk8s-plus-30'`, or a release for
 * another version of Kubernetes.
 */
export interface Cdk8sPlus {
  readonly ConfigMap: {
    /** Refers to a ConfigMap by its name. */
    fromConfigMapName(scope: Construct, id: string, name: string): ObjectReference;
  };
  readonly PersistentVolumeClaim: {
    /** Refers to a PersistentVolumeClaim by its name. */
    fromClaimName(scope: Construct, id: string, name: string): ObjectReference;
  };
  readonly Secret: {
    /** Refers to a Secret by its name. */
    fromSecretName(scope: Construct, id: string, name: string): ObjectReference;
  };
  readonly ServiceAccount: {
    /** Refers to a ServiceAccount by its name and namespace. */
    fromServiceAccountName(
      scope: Construct,
      id: string,
      name: string,
      options?: { readonly namespaceName?: string },
    ): ObjectReference;
  };
  readonly Namespaces: {
    /** Selects namespaces by their names. */
    select(scope: Construct, id: string, options: { readonly names?: string[] }): object;
  };
  readonly Pods: {
    /** Selects pods by their labels. */
    select(
      scope: Construct,
      id: string,
      options: { readonly labels?: { [key: string]: string }; readonly namespaces?: object },
    ): object;
  };
  readonly Service: new (scope: Construct, id: string, props?: ServiceSettings) => Construct & ObjectReference;
  readonly Container: new (props: ContainerReferences) => object;
}

/** What a Service of cdk8s-plus is made of. */
export interface ServiceSettings {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly ports?: { readonly name?: string; readonly port: number }[];
}

/** What a container of cdk8s-plus is made of. */
export interface ContainerReferences {
  readonly image: string;
  readonly name?: string;
  readonly resources?: Readonly<Record<string, never>>;
}

/** A Service, as `IngressBackend.fromService()` takes it. */
export type ServiceReference<P extends Cdk8sPlus> = InstanceType<P['Service']>;

/** Pods, as `NetworkPolicy` and its rules take them. */
export type PodsReference<P extends Cdk8sPlus> = ReturnType<P['Pods']['select']>;

/** A ConfigMap, as `Volume.fromConfigMap()` takes it. */
export type ConfigMapReference<P extends Cdk8sPlus> = ReturnType<P['ConfigMap']['fromConfigMapName']>;

/** A PersistentVolumeClaim, as `Volume.fromPersistentVolumeClaim()` takes it. */
export type ClaimReference<P extends Cdk8sPlus> = ReturnType<P['PersistentVolumeClaim']['fromClaimName']>;

/** A Secret, as `EnvValue.fromSecretValue()` takes it. */
export type SecretReference<P extends Cdk8sPlus> = ReturnType<P['Secret']['fromSecretName']>;

/** A ServiceAccount, as `RoleBinding` and pods take it. */
export type ServiceAccountReference<P extends Cdk8sPlus> = ReturnType<P['ServiceAccount']['fromServiceAccountName']>;
