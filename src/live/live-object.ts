import { idText } from '../base/text';
import type { JsonObject } from '../manifest/kubernetes/manifest';

/** An object as an API server has it: with everything that the cluster filled in. */
export interface LiveObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: LiveMetadata;
}

/** The metadata of an object. */
export interface LiveMetadata extends JsonObject {
  readonly name: string;

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What came of asking for the objects of a kind. */
export type Listing =
  | { readonly objects: readonly LiveObject[] }
  /** `unserved`: the API server does not know the kind. `forbidden`: whoever asks may not. `failed`: it broke. */
  | { readonly missing: 'unserved' | 'forbidden' | 'failed'; readonly why: string };

/** The objects of a listing, none where it is missing. */
export function objectsOf(listing: Listing | undefined): readonly LiveObject[] {
  return listing && 'objects' in listing ? listing.objects : [];
}

/** `namespace/name`, or the name alone. */
export function formatNamespacedName({
  metadata: { namespace, name },
}: Pick<LiveObject, 'metadata'>): string {
  return idText(namespace, name);
}

/** Where the objects of a kind are, and what they are: items of a list do not say it themselves. */
export interface Collection {
  /** `/api/v1/nodes`, with a selector where not all are wanted. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}
