import { describeUncheckedModels } from '../../src/plan/engine-memory-findings';

test('one note names unknown models, and weights whose model is not known', () => {
  const notes = describeUncheckedModels({ unknownModels: ['acme/unknown-9b'], unnamedModels: ['ml/chat'] });
  expect(notes).toEqual([
    "The memory and parallelism of engines are not checked for acme/unknown-9b, which the model catalog lacks. To add a row, run 'fleetwright model add FOLDER --name acme/unknown-9b', where FOLDER has the config.json of the model. Nor are they checked for the weights of ml/chat, and neither is the size of their cache: the model is not known. Name it with 'spec.model.repository'.",
  ]);
});
