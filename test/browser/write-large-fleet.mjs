// `node write-large-fleet.mjs FOLDER`: the fleet of the benchmarks, as files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifests } from '../../bench/fleet.mjs';

const [folder] = process.argv.slice(2);
const size = { clusters: 1000, pools: 10, nodes: 16, deployments: 10_000, replicas: 10 };
for (const { path, text } of manifests(size)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
