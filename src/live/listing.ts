import type { LiveObject } from '../manifest/kubernetes/live-object';

/** The result of listing the objects of a kind. */
export type Listing = { readonly objects: readonly LiveObject[] } | MissingListing;

/** Why something is not known. */
export interface MissingListing {
  /** `unserved`: the API server does not serve it. `forbidden`: no permission. `failed`: the request failed. */
  readonly missing: 'unserved' | 'forbidden' | 'failed';
  readonly why: string;
}

/** The objects of a listing. Empty where the listing is missing. */
export function objectsOf(listing: Listing | undefined): readonly LiveObject[] {
  return listing && 'objects' in listing ? listing.objects : [];
}

/** The API path and the type of objects. List items do not contain `apiVersion` and `kind`. */
export interface Collection {
  /** The path on the API server, such as `/api/v1/nodes`, with an optional selector. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The objects of a kind. `path` continues that of the API version: `namespaces/ml/pods`, with an optional query. */
export function collectionOf(apiVersion: string, kind: string, path: string): Collection {
  return { path: `${apiPathOf(apiVersion)}/${path}`, apiVersion, kind };
}

/** The path of an API version on an API server. */
export function apiPathOf(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
}
