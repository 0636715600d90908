import { lockOf, plan, read } from './steps.mjs';

/** Prints what the first plan of a fleet takes whose lock is complete, and the memory of the process. */
const size = JSON.parse(process.argv[2]);
const input = read(size);
const locked = lockOf(size.models === 'chosen' ? input : read({ ...size, models: 'none' }));
const { ms, cpuMs, value } = plan(input, locked);
const { warnings, notes } = value.plan;
if (size.models !== 'none' && warnings.length + notes.length > 0) throw new Error(JSON.stringify([warnings[0], notes]));
const reading = { readMs: input.ms, readCpuMs: input.cpuMs };
process.stdout.write(JSON.stringify({ ms, cpuMs, ...reading, memoryMiB: process.resourceUsage().maxRSS / 1024 }));
