// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

/** Properties of a `ModelCache`. Model files that are staged on clusters before engines read them. */
export interface ModelCacheProps {
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

  /** Where the files come from. The block of the same name is required. */
  readonly source: 'HuggingFace';

  /**
   * For source HuggingFace.
   *
   * @default - none
   */
  readonly huggingFace?:
    | {
        /** The repository: Qwen/Qwen3-8B. */
        readonly repo: string;

        /**
         * A branch, tag or commit.
         *
         * @default the repository's own
         */
        readonly revision?: string | undefined;

        /**
         * The Secret with the token for a gated repository, in the namespace of the cache. Default key: HF_TOKEN.
         *
         * @default - none
         */
        readonly authSecret?:
          | {
              /** The name of the Secret. */
              readonly name: string;

              /**
               * The key in the Secret.
               *
               * @default HF_TOKEN
               */
              readonly key?: string | undefined;
            }
          | undefined;
      }
    | undefined;

  /** The size of the volume on each cluster, in GiB. */
  readonly sizeGiB: number;

  /**
   * Clusters that the cache may be on.
   *
   * @default all
   */
  readonly clusterSelector?:
    | {
        /**
         * Labels that must be there with these values.
         *
         * @default - none
         */
        readonly matchLabels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}
