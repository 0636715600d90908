import type { Collection } from '../live/collection';
import { type Listing, type LiveObject, listAt, textAt, valueAt } from '../live/live-object';
import type { Answer, ApiServer } from './api-server';
import { Unreachable } from './unreachable';

/** Objects are fetched in pages: an API server holds whole answers in memory. */
const PAGE = 500;

/** All objects of a collection, or why there are none to see. Never throws. */
export async function listObjects(api: ApiServer, { path, apiVersion, kind }: Collection): Promise<Listing> {
  const objects: LiveObject[] = [];
  let next = '';
  do {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const answer = await asked(api, `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}${more}`);
    if (!('body' in answer)) return answer;
    const items = listAt(answer.body, ['items']) as LiveObject[];
    objects.push(...items.map((item) => ({ ...item, apiVersion, kind })));
    next = textAt(answer.body, ['metadata', 'continue']);
  } while (next !== '');
  return { objects };
}

async function asked(
  api: ApiServer,
  path: string,
): Promise<Pick<Answer, 'body'> | Extract<Listing, { missing: string }>> {
  try {
    const { status, body } = await api.get(path);
    if (status === 200) return { body };
    const why = textAt(body, ['message']) || `the API server answers ${status}`;
    if (status === 404) return { missing: 'unserved', why };
    return { missing: status === 401 || status === 403 ? 'forbidden' : 'failed', why };
  } catch (error) {
    if (error instanceof Unreachable) return { missing: 'failed', why: error.message };
    throw error;
  }
}

/** How an API server serves kinds of one API version, by kind. Empty where it does not, or does not say. */
export async function resourcesOf(api: ApiServer, apiVersion: string): Promise<ReadonlyMap<string, Served>> {
  const { status, body } = await api.get(`${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`);
  const resources = status === 200 ? listAt(body, ['resources']) : [];
  return new Map(
    resources
      // `deployments/scale` is a part of a Deployment.
      .filter((one) => !textAt(one, ['name']).includes('/'))
      .map((one) => [
        textAt(one, ['kind']),
        { plural: textAt(one, ['name']), namespaced: valueAt(one, ['namespaced']) === true },
      ]),
  );
}

/** How objects of a kind are found. */
export interface Served {
  readonly plural: string;
  readonly namespaced: boolean;
}
