/** Where the objects of a kind are, and what they are: items of a list do not say it themselves. */
export interface Collection {
  /** `/api/v1/nodes`, with a selector where not all are wanted. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}
