import type { AnsweredRight, Right } from '../live/doctor/rights';
import { textAt, valueAt } from '../live/live-object';
import type { ApiServer } from './api-server';
import { inParallel } from './in-parallel';
import { Unreachable } from './unreachable';

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** At most so many questions are under way at once. */
const MOST_AT_ONCE = 8;

/** Asks the API server for permissions: in the whole cluster first, and where that is denied in each namespace. */
export function askRights(api: ApiServer, rights: readonly Right[]): Promise<AnsweredRight[]> {
  return inParallel(MOST_AT_ONCE, rights, async (right) => ({ right, answer: await answerTo(api, right) }));
}

async function answerTo(api: ApiServer, right: Right): Promise<AnsweredRight['answer']> {
  try {
    if (await isAllowed(api, right)) return {};
    const denied: string[] = [];
    for (const namespace of right.namespaces ?? []) {
      if (!(await isAllowed(api, right, namespace))) denied.push(namespace);
    }
    return right.namespaces && denied.length === 0 ? {} : { denied };
  } catch (error) {
    if (error instanceof Unreachable) return { unknown: error.message };
    throw error;
  }
}

async function isAllowed(
  api: ApiServer,
  { verb, group, resource }: Right,
  namespace?: string,
): Promise<boolean> {
  const resourceAttributes = { verb, group, resource, ...(namespace !== undefined && { namespace }) };
  const { status, body } = await api.review(REVIEWS, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  });
  if (status !== 201) throw new Unreachable(textAt(body, ['message']) || `the API server answers ${status}`);
  return valueAt(body, ['status', 'allowed']) === true;
}
