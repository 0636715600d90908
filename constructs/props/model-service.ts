// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

/** Properties of a `ModelService`. One address for a model, over endpoints that serve it. */
export interface ModelServiceProps {
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

  /** Where requests go, by weight. */
  readonly endpoints: readonly {
    /**
     * The share of requests, relative to other entries.
     *
     * @default 1
     */
    readonly weight?: number | undefined;

    /** The endpoints of this entry. An endpoint belongs to the first entry that selects it. */
    readonly selector: {
      /** Labels that must be there with these values. */
      readonly matchLabels: Readonly<Record<string, string>>;
    };
  }[];
}
