import { sleep } from './concurrently';

/** Longer than anything takes that a control plane does by itself, on a machine that is busy with other things. */
const PATIENCE = 180_000;

/** Waits until something holds. Throws when it has not for a long time: a run that hangs tells no one why. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${patience / 1000} s in vain until ${what}`);
    await sleep(50);
  }
}
