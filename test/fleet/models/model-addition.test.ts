import { commandOfAddition } from '../../../src/fleet/models/model-addition';

const rows: readonly (readonly [does: string, models: readonly string[], named: string])[] = [
  ['names the only model that is missing', ['acme/tuned-9b'], ' --name acme/tuned-9b'],
  ['names none of several', ['acme/tuned-9b', 'acme/tuned-32b'], ''],
  ['names none where none is known', [], ''],
  ['does not pass on what a shell reads', ['acme/$(id)'], ''],
  ['takes no path for the name of a model', ['/mnt/models'], ''],
];

test.each(rows)('the command that adds a model %s', (_, models, named) => {
  const want = `'fleetwright model add FOLDER${named}', where FOLDER has the config.json of the model`;
  expect(commandOfAddition(...models)).toBe(want);
});
