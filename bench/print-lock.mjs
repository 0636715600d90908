import { lockOf, read, textOf } from './steps.mjs';
import { LARGE } from './sizes.mjs';

/** Prints the lock of the large fleet: made in a process of its own, it warms nobody who reads it. */
process.stdout.write(textOf(lockOf(read(LARGE))));
