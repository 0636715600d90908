import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed } from './steps.mjs';

const require = createRequire(import.meta.url);
const dist = new URL('../dist/', import.meta.url).pathname;
const { decide } = require(`${dist}src/plan/decide.js`);
const { renderCluster } = require(`${dist}src/render/cluster.js`);
const { renderFleet } = require(`${dist}src/render/fleet.js`);
const { writeOutput } = require(`${dist}src/files/write-output.js`);
const { EMPTY_LOCK } = require(`${dist}src/scheduler/lock/lock.js`);
const { groupBy } = require(`${dist}src/base/order.js`);

/** What is decided about a fleet: the input of every renderer. */
export function decided({ fleet, locate }) {
  return decide(fleet, locate, EMPTY_LOCK);
}

/** The objects of all clusters, as plain data. */
export function objects({ fleet, replicas }) {
  return timed(() => {
    const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
    return fleet.clusters.map((cluster) => {
      const { name } = cluster.metadata;
      return { name, manifests: renderCluster(cluster, byCluster.get(name) ?? [], { fleet }) };
    });
  });
}

/** From a decision to the texts of all files. */
export function texts({ fleet, replicas }) {
  return timed(() => renderFleet(fleet, replicas).size);
}

/** From a decision to files of their own for each deployment and cluster, as `fleetwright synth` writes them. */
export function files({ fleet, replicas }) {
  return inFolder((folder) => timed(() => writeOutput(folder, renderFleet(fleet, replicas)).written.length));
}

/** What cdk8s takes to write the same objects: a chart for each cluster, as `Fleet.place()` adds them. */
export function appSynth(clusters) {
  const { ApiObject, App, Chart } = require('cdk8s');
  return inFolder((outdir) => {
    const app = new App({ outdir });
    for (const { name, manifests } of clusters) {
      const chart = new Chart(app, name);
      manifests.forEach((manifest, i) => new ApiObject(chart, String(i), { ...manifest }));
    }
    return timed(() => {
      app.synth();
      return readdirSync(outdir).length;
    });
  });
}

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
