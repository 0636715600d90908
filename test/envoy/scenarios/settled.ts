import { sleep } from '../../kubernetes/harness/concurrently';
import { chat, type Site } from '../site';
import { burst, byEngine } from '../traffic/load';

/** A front that has put a member out for its failures takes it back after half a minute, or a few of them. */
const PATIENCE = 150_000;

/**
 * Waits until requests reach all engines again, those that are named or every one, and no provider. Returns how long
 * that took, in seconds, or undefined where it does not happen.
 */
export async function settled(site: Site, names?: readonly string[]): Promise<number | undefined> {
  const wanted = names ?? site.chatEngines.map(({ name }) => name);
  const engines = new Set(site.chatEngines.map(({ name }) => name));
  const start = performance.now();
  while (performance.now() - start < PATIENCE) {
    const answers = await burst(60, 6, () => site.ask(chat('chat')));
    const seen = byEngine(answers);
    if (wanted.every((name) => seen.has(name)) && [...seen.keys()].every((name) => engines.has(name))) {
      return (performance.now() - start) / 1000;
    }
    await sleep(500);
  }
  return undefined;
}

/** How long something took, in words. */
export function after(seconds: number | undefined): string {
  return seconds === undefined ? 'never' : `after ${seconds.toFixed(1)} s`;
}
