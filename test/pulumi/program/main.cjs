// A cluster whose provider writes files: no cluster is needed, and the engine is the real one.
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { FLEETWRIGHT_DIST: dist, FLEETWRIGHT_RENDERED: rendered } = process.env;
const load = createRequire(join(dist, 'stacks/index.js'));
const { output } = load('@pulumi/pulumi');
const { Provider } = load('@pulumi/kubernetes');
const { FleetStack } = load(join(dist, 'stacks/index.js'));

const provider = new Provider('lab', { renderYamlToDirectory: rendered });
const lab = { name: 'lab', provider, kubeconfig: output(undefined), dependencies: [] };
exports.clusters = new FleetStack('rendered', {
  fleet: 'fleet',
  lockMode: 'ephemeral',
  clusters: { lab },
  keepData: false,
}).outputs;
