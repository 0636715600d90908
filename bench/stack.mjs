// `npm run bench:stack [CLUSTERS SERVICES]`: what the program of Pulumi.yaml takes for a large fleet, all clusters or one.
import { inStackFleet, plainShare, programShare } from './stack-fleet.mjs';

const [clusters = 100, services = 20] = process.argv.slice(2).map(Number);

const CASES = [
  { what: 'one cluster', cluster: `cluster-${String(clusters - 1).padStart(3, '0')}` },
  { what: 'one cluster, with a front door', cluster: 'cluster-000' },
  { what: 'all clusters', goalMs: 30_000, goalMiB: 1024 },
];

process.stdout.write(`${clusters} clusters x ${services} services\n`);
await inStackFleet({ clusters, services }, async (fleet) => {
  for (const { what, cluster, goalMs = Infinity, goalMiB = Infinity } of CASES) {
    const { ms, cpuMs, memoryMiB, resources, registered } = await programShare(fleet, { cluster, preview: false });
    const plain = await plainShare(registered, { preview: false });
    const missed = Math.min(ms, cpuMs) > goalMs || memoryMiB > goalMiB;
    const figures = [
      `${resources} resources`,
      `${(ms / 1000).toFixed(1)} s`,
      `processor ${(cpuMs / 1000).toFixed(1)} s`,
      `${memoryMiB.toFixed(0)} MiB`,
      `x ${(cpuMs / plain.cpuMs).toFixed(2)} of the SDK alone (${(plain.cpuMs / 1000).toFixed(1)} s, ${plain.memoryMiB.toFixed(0)} MiB)`,
      ...(missed ? ['MISSED'] : []),
    ];
    process.stdout.write(`${what.padEnd(32)}${figures.join(', ')}\n`);
    if (missed) process.exitCode = 1;
  }
});
