import { textAt, valueAt } from '../../base/json';
import { clipText } from '../../base/text';
import type { MissingListing } from '../listing';
import type { ApiResponse } from './api-client';

/** The type that the body of an answer must have, and the HTTP status of success. */
export interface ExpectedAnswer {
  readonly apiVersion: string;
  readonly kind: string;

  /** The field that names the version. @default 'apiVersion' */
  readonly versionField?: 'apiVersion' | 'groupVersion';

  /** A field that must hold a list. Null is an empty one. @default - none */
  readonly list?: 'items' | 'resources';

  /** @default 200 */
  readonly status?: number;
}

/**
 * Reads the answer to a request, or why there is none. Only an answer of Kubernetes counts: proxies, login pages and
 * captive portals answer too, with any status.
 */
export function readAnswer(
  response: ApiResponse,
  expected: ExpectedAnswer,
): Pick<ApiResponse, 'body'> | MissingListing {
  const { status, body } = response;
  if (status !== (expected.status ?? 200)) return readRefusal(response, expected);
  if (isExpected(body, expected)) return isComplete(body, expected) ? { body } : { missing: 'failed', why: NO_LIST };
  const kind = clipText(textAt(body, ['kind']));
  const what = kind === '' ? NOT_KUBERNETES : `a ${kind} of ${clipText(versionOf(body, expected)) || 'no version'}`;
  return { missing: 'failed', why: `the answer is ${what}, not a ${expected.kind} of ${expected.apiVersion}` };
}

const NO_LIST = 'the items of its list are not a list';

const NOT_KUBERNETES = 'something that is not a Kubernetes object, as from a proxy or a login page';

function isExpected(body: unknown, expected: ExpectedAnswer): boolean {
  return textAt(body, ['kind']) === expected.kind && versionOf(body, expected) === expected.apiVersion;
}

function isComplete(body: unknown, { list }: ExpectedAnswer): boolean {
  return list === undefined || isListOrNull(valueAt(body, [list]));
}

function versionOf(body: unknown, { versionField = 'apiVersion' }: ExpectedAnswer): string {
  return textAt(body, [versionField]);
}

function isListOrNull(value: unknown): boolean {
  return value === null || Array.isArray(value);
}

function readRefusal(response: ApiResponse, { apiVersion }: ExpectedAnswer): MissingListing {
  const { status } = response;
  const why = whyRefused(response);
  if (!isKubernetesRefusal(response)) return { missing: 'failed', why };
  // Every cluster serves the core API.
  if (status === 404 && apiVersion !== 'v1') return { missing: 'unserved', why };
  return { missing: status === 401 || status === 403 ? 'forbidden' : 'failed', why };
}

/** Whether Kubernetes itself refuses a request: with a `Status`, or for a path that it does not serve, with a text. */
export function isKubernetesRefusal({ status, text, body }: ApiResponse): boolean {
  if (status === 404 && text.trim() === '404 page not found') return true;
  return status >= 400 && textAt(body, ['kind']) === 'Status' && textAt(body, ['apiVersion']) === 'v1';
}

/** Why a request was not answered as asked, as a clause. Bodies that are not of Kubernetes are not quoted. */
export function whyRefused(response: ApiResponse): string {
  const { status, body } = response;
  if (!isKubernetesRefusal(response)) return `the answer is ${status} with ${NOT_KUBERNETES}`;
  return clipText(textAt(body, ['message'])) || `the API server answers ${status}`;
}
