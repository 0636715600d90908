import { Construct } from 'constructs';
import { propLayoutOf } from '../src/api/construct-props';
import { findFleet, requireFleetScope } from './fleet-scope';
import { readProps, validationErrorsOf } from './read-props';
import {
  DECLARED,
  type DeclaredResource,
  propsOrEmpty,
  type ResourceConstruct,
  type ResourceIdentity,
  type ResourceKind,
} from './resource-construct';

/**
 * A resource declared in a fleet: the base of all resource constructs. It only stores its props; `Fleet.place()` and
 * synthesis read them.
 *
 * The ID is the name of the resource, as in the lock, in addresses and in selectors. It contains no hash of the path,
 * as `Names.toDnsLabel()` would add, so a construct can move in the tree without moving its replicas on clusters. Two
 * resources of one kind and namespace need two names anywhere in the tree. Two constructs in the same scope need two
 * IDs; the prop `name` gives them the same name if their kinds or namespaces differ.
 *
 * The objects of a resource are in the charts of the clusters that run it, not below the construct: `ApiObject.of()`
 * works on those.
 */
export abstract class Declaration<K extends ResourceKind = ResourceKind>
  extends Construct
  implements ResourceConstruct<K>
{
  readonly #declared: DeclaredResource<K>;

  /** For the constructs of this package. */
  protected constructor(scope: Construct, id: string, kind: K, props: ResourceIdentity) {
    super(requireFleetScope(scope, kind, id), id);
    this.#declared = { kind, props: propsOrEmpty(props) };
    // A placed fleet is valid, and reading a large one again takes time.
    this.node.addValidation({
      validate: () => (findFleet(this)?.isPlaced ? [] : validationErrorsOf(this, readProps(this))),
    });
  }

  /** The name of the resource: the ID of the construct, unless the prop `name` is set. */
  get name(): string {
    return this.#identity.name ?? this.node.id;
  }

  /** The namespace of the resource, `default` if none is set. Undefined for kinds without a namespace. */
  get namespace(): string | undefined {
    const isNamespaced = propLayoutOf(this.#declared.kind).has('namespace');
    return isNamespaced ? (this.#identity.namespace ?? 'default') : undefined;
  }

  /** For the constructs of this package. */
  get [DECLARED](): DeclaredResource<K> {
    return this.#declared;
  }

  get #identity(): ResourceIdentity {
    return this.#declared.props;
  }
}
