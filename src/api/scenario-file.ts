import { z } from 'zod';
import { fields } from './schema/fields';
import { namedList } from './schema/list';
import { nonEmptyText } from './schema/string-formats';

function steps(form: string, meaning: string) {
  return z.array(nonEmptyText(512)).default([]).describe(`${meaning}: ${form}. Default: none.`);
}

const scenario = fields({
  name: nonEmptyText(253).describe('The name of the scenario in the answer.'),
  price: steps('CLUSTER/POOL=X', 'What a node of a pool costs an hour'),
  addNodes: steps('CLUSTER/POOL=N', 'Pools with so many nodes more'),
  scale: steps('NAMESPACE/DEPLOYMENT=N', 'Deployments that ask for so many replicas'),
  removePool: steps('CLUSTER/POOL', 'Pools that are gone at once'),
  drain: steps('CLUSTER', 'Clusters that replicas leave once others serve in their place'),
  lose: steps('CLUSTER', 'Clusters that are gone at once'),
  loseDomain: steps('DOMAIN=VALUE', 'Failure domains of which all clusters are gone at once'),
});

/** The schema of the file that `fleetwright what-if --scenarios` reads. */
export const scenarioFile = fields({
  scenarios: namedList(scenario, { max: 1000 }).describe('Each starts from the fleet as it is.'),
}).describe('What may happen to a fleet, for fleetwright what-if.');
