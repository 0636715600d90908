import { lockOf, read, textOf } from './steps.mjs';
import { LARGE } from './sizes.mjs';

/** Prints the lock of the large fleet: a process of its own leaves no cache for what is measured. */
process.stdout.write(textOf(lockOf(read(LARGE))));
