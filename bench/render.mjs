import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inFolder, timed } from './steps.mjs';

const require = createRequire(import.meta.url);
const src = new URL('../src/', import.meta.url).pathname;
const { decide } = require(`${src}plan/decide.ts`);
const { renderCluster } = require(`${src}render/cluster.ts`);
const { renderFleet, renderFleetTexts } = require(`${src}render/fleet.ts`);
const { KeptTexts } = require(`${src}files/kept-texts.ts`);
const { writeClusterFiles } = require(`${src}files/write-cluster-files.ts`);
const { writeOutput } = require(`${src}files/write-output.ts`);
const { EMPTY_LOCK } = require(`${src}scheduler/lock/lock.ts`);
const { groupBy } = require(`${src}base/order.ts`);

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

/** The same once more, for a decision whose files are there, as the second `fleetwright synth` in a row does. */
export function unchangedFiles({ fleet, replicas }) {
  let record;
  const write = (folder) => {
    const kept = new KeptTexts(folder, { read: () => record, keep: (text) => (record = text) });
    const texts = renderFleetTexts(fleet, replicas, { memo: kept.textsOf });
    const { unchanged } = writeClusterFiles(folder, texts, { isUnchanged: kept.isUnchanged });
    kept.keep();
    return unchanged.length;
  };
  return inFolder((folder) => {
    write(folder);
    return timed(() => write(folder));
  });
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

/** What `kubectl kustomize` takes to read the files of each cluster. Undefined where there is no kubectl. */
export function kustomize({ fleet, replicas }) {
  if (spawnSync('kubectl', ['version', '--client']).error) return undefined;
  return inFolder((folder) => {
    const { written } = writeOutput(folder, renderFleet(fleet, replicas));
    for (const [cluster, paths] of groupBy(written, (path) => path.split('/')[0])) {
      const resources = paths.map((path) => path.slice(cluster.length + 1));
      writeFileSync(join(folder, cluster, 'kustomization.yaml'), JSON.stringify({ resources }));
    }
    const script = 'for one in "$0"/*/; do kubectl kustomize "$one" >/dev/null || exit 1; done; times';
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    // The second line is of the processes that the shell started.
    const used = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    const cpuMs = used.reduce((sum, [, minutes, seconds]) => sum + 60_000 * minutes + 1000 * seconds, 0);
    return { ms: performance.now() - start, cpuMs, value: written.length };
  });
}
