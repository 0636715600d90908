import type { Access } from '../live/access';
import { type ApiServer, type ApiServerOptions, openApiServer } from './api-server';
import { Unreachable } from './unreachable';

/** Asks the API server of a cluster, and closes the connection. One that gives no answer is a result, too. */
export async function withApiServer<T>(
  access: Access,
  options: ApiServerOptions,
  ask: (api: ApiServer) => Promise<T>,
): Promise<T | Unreachable> {
  try {
    const api = await openApiServer(access, options);
    try {
      return await ask(api);
    } finally {
      api.close();
    }
  } catch (error) {
    if (error instanceof Unreachable) return error;
    throw error;
  }
}
