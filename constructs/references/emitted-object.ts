import type { ApiObject } from 'cdk8s';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import type { ObjectReference } from '../object-reference';

/** An object of a chart, as rules of `Role` and `ClusterRole` take it. */
export class EmittedObject implements ObjectReference {
  /** The object in the chart of the cluster, for patches. */
  readonly apiObject: ApiObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;

  /** Undefined for kinds without a namespace. */
  readonly namespace: string | undefined;

  /** @internal */
  constructor({ apiVersion, kind, metadata }: Manifest, apiObject: ApiObject) {
    this.apiObject = apiObject;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.name = metadata.name;
    this.namespace = metadata.namespace;
  }

  /** The group of the API, empty for the core group. */
  get apiGroup(): string {
    return this.apiVersion.includes('/') ? (this.apiVersion.split('/')[0] ?? '') : '';
  }

  /** The kind as in addresses of the API: `deployments`. */
  get resourceType(): string {
    return pluralOf(this.kind.toLowerCase());
  }

  /** The name, so that a rule is about this object alone. */
  get resourceName(): string {
    return this.name;
  }

  /** For `ClusterRole.allow()`. */
  asApiResource(): this {
    return this;
  }

  /** For `ClusterRole.allow()`: an object is no URL. */
  asNonApiResource(): undefined {
    return undefined;
  }
}

/** The plural that Kubernetes gives kinds: `networkpolicies`, `gatewayclasses`, `gateways`. */
function pluralOf(kind: string): string {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(kind) ? `${kind}es` : `${kind}s`;
}
