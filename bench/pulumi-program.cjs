// A Pulumi program for the quickstart, all but the engine: what it registers is answered here.
const pulumi = require('@pulumi/pulumi');
const { ExistingCluster, FleetStack } = require('fleetwright/stacks');

const CLUSTERS = ['eks-us-east', 'gke-us-central', 'onprem'];

const answers = {
  newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
  call: () => ({}),
};

async function main() {
  await pulumi.runtime.setMocks(answers, 'bench', 'bench');
  await pulumi.runtime.runInPulumiStack(async () => {
    const made = CLUSTERS.map((name) => [name, new ExistingCluster(name, { context: name })]);
    return new FleetStack('quickstart', { fleet: 'examples/quickstart', clusters: Object.fromEntries(made) }).outputs;
  });
  await pulumi.runtime.disconnect();
}

main();
