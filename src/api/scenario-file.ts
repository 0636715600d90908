import { z } from 'zod';
import { fields } from './schema/fields';
import { namedList } from './schema/list';
import { nonEmptyText } from './schema/string-formats';

function steps(form: string, meaning: string) {
  return z.array(nonEmptyText(512)).default([]).describe(`${meaning}: ${form}. Default: none.`);
}

const scenario = fields({
  name: nonEmptyText(253).describe('The name of the scenario.'),
  price: steps('CLUSTER/POOL=X', 'The price of a node of a pool for an hour'),
  addNodes: steps('CLUSTER/POOL=N', 'Pools and the number of nodes to add, or to remove if below 0'),
  scale: steps('NAMESPACE/DEPLOYMENT=N', 'Deployments and their number of replicas'),
  scaleEngine: steps('NAMESPACE/DEPLOYMENT/ENGINE=N', 'Engines and their number of copies in each replica'),
  removePool: steps('CLUSTER/POOL', 'Pools that fail'),
  drain: steps('CLUSTER', 'Clusters to drain: replicas are removed once their replacements serve'),
  lose: steps('CLUSTER', 'Clusters that fail'),
  loseDomain: steps('DOMAIN=VALUE', 'Failure domains whose clusters all fail'),
});

/** The schema of the file that `fleetwright what-if --scenarios` reads. */
export const scenarioFile = fields({
  scenarios: namedList(scenario, { max: 1000 }).describe('The scenarios. Each starts from the current fleet.'),
}).describe('Events and changes to examine, for fleetwright what-if.');
