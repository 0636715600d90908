// Writes at the end of a process, to the file that FLEETWRIGHT_USAGE names, what it took of processors and of memory.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const usage = { cpuMs: (user + system) / 1000, memoryMiB: process.resourceUsage().maxRSS / 1024 };
  writeFileSync(process.env.FLEETWRIGHT_USAGE, JSON.stringify(usage));
});
