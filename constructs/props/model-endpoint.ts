// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

/** Properties of a `ModelEndpoint`. A server outside the fleet that speaks the API of the model. */
export interface ModelEndpointProps {
  /**
   * The name, unique among resources of this kind and namespace.
   *
   * @default the id of the construct
   */
  readonly name?: string | undefined;

  /**
   * The namespace.
   *
   * @default default
   */
  readonly namespace?: string | undefined;

  /**
   * Labels, for selectors.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;

  /**
   * Annotations. Nothing is decided by them.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined;

  /** The address: https://api.example.com/v1. */
  readonly url: string;

  /**
   * The path that replaces the path of the service in requests: /.
   *
   * @default - none
   */
  readonly rewritePath?: string | undefined;
}
