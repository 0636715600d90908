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
 * Something declared in a fleet: the base of all constructs that stand for a resource. It only keeps what it is
 * given; `Fleet.place()` and synthesis read it.
 *
 * The id is the name of the resource, as the lock, addresses and selectors have it: there is no hash of the path in
 * it, as `Names.toDnsLabel()` would add, so that a construct can move in the tree without its replicas moving on
 * clusters. Two resources of one kind and namespace need two names, wherever they stand; two constructs that stand
 * beside each other need two ids, and the prop `name` gives them one name where their kinds or namespaces differ.
 *
 * The objects of a resource are in the charts of the clusters on which it lands, none below it: `ApiObject.of()`
 * works on those.
 */
export abstract class Declaration<K extends ResourceKind = ResourceKind>
  extends Construct
  implements ResourceConstruct<K>
{
  readonly #declared: DeclaredResource<K>;

  /** @internal */
  protected constructor(scope: Construct, id: string, kind: K, props: ResourceIdentity) {
    super(requireFleetScope(scope, kind, id), id);
    this.#declared = { kind, props: propsOrEmpty(props) };
    // A fleet that is placed has no mistakes, and reading a large one again takes its time.
    this.node.addValidation({
      validate: () => (findFleet(this)?.isPlaced ? [] : validationErrorsOf(this, readProps(this))),
    });
  }

  /** The name of the resource: the id of the construct, unless the prop `name` says otherwise. */
  get name(): string {
    return this.#identity.name ?? this.node.id;
  }

  /** The namespace of the resource, `default` where none is given. Undefined for kinds without namespaces. */
  get namespace(): string | undefined {
    const hasOne = propLayoutOf(this.#declared.kind).has('namespace');
    return hasOne ? (this.#identity.namespace ?? 'default') : undefined;
  }

  /** @internal */
  get [DECLARED](): DeclaredResource<K> {
    return this.#declared;
  }

  get #identity(): ResourceIdentity {
    return this.#declared.props;
  }
}
