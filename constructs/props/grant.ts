// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { NonEmpty } from '../non-empty';

/** Properties of a `Grant`. Lets services of other namespaces route to deployments and endpoints of this one. */
export interface GrantProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Namespaces whose services may route here. */
  readonly from: NonEmpty<GrantFrom>;
  /** The resources that they may route to, in the namespace of the grant. */
  readonly to: NonEmpty<GrantTo>;
}

/** Used in `GrantProps.from`. */
export interface GrantFrom {
  /** The namespace of the services. */
  readonly namespace: string;
}

/** Used in `GrantProps.to`. */
export interface GrantTo {
  /** The kind of target. */
  readonly kind: 'ModelDeployment' | 'ModelEndpoint';
  /** Labels of the targets.
   * @default all of the kind */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}
