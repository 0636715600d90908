import { Construct } from 'constructs';
import { layoutOf } from '../src/api/props';
import { DECLARED, type Declared, type Declaring, type Identity, type Kind, propsOf } from './declared';
import { fleetAbove, scopeInFleet } from './fleet-of';
import { mistakesOf, readProps } from './read-props';

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
export abstract class Declaration<K extends Kind = Kind> extends Construct implements Declaring<K> {
  readonly #declared: Declared<K>;

  /** @internal */
  protected constructor(scope: Construct, id: string, kind: K, props: Identity) {
    super(scopeInFleet(scope, kind, id), id);
    this.#declared = { kind, props: propsOf(props) };
    // A fleet that is placed has no mistakes, and reading a large one again takes its time.
    this.node.addValidation({
      validate: () => (fleetAbove(this)?.isPlaced ? [] : mistakesOf(this, readProps(this))),
    });
  }

  /** The name of the resource: the id of the construct, unless the prop `name` says otherwise. */
  get name(): string {
    return this.#identity.name ?? this.node.id;
  }

  /** The namespace of the resource, `default` where none is given. Undefined for kinds without namespaces. */
  get namespace(): string | undefined {
    const hasOne = layoutOf(this.#declared.kind).has('namespace');
    return hasOne ? (this.#identity.namespace ?? 'default') : undefined;
  }

  /** @internal */
  get [DECLARED](): Declared<K> {
    return this.#declared;
  }

  get #identity(): Identity {
    return this.#declared.props;
  }
}
