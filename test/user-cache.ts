import { homedir } from 'node:os';
import { join } from 'node:path';

const { XDG_CACHE_HOME } = process.env;

/** A folder for what took long to make, of this user and for all checkouts. Whoever writes there creates it. */
export function userCache(name: string): string {
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'fleetwright-tests', name);
}
