import { checkEngines, listEngineWarnings } from '../../src/engine/checks/check-engines';
import { profileOf } from '../../src/engine/runtime-detection';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import { aCache, aDeployment, aMember, type Doc } from '../api/build';

const running = (container: Doc, more: Doc = {}) => {
  const template = { spec: { containers: [{ name: 'engine', ...container }] } };
  return aDeployment('ml/a', { engines: [{ name: 'main', members: [aMember({ template })] }], ...more });
};

const errorsOf = (fleet: Fleet): string[] => [...checkEngines(fleet)].map(({ code }) => code);

const OWN = running({ image: 'example.com/own:v1' });
const THEIRS = { ...OWN, group: 'modelplane.ai' as const };

test('deployments that run the same are reported of by their groups', () => {
  expect(errorsOf(assemble([OWN]))).toEqual(['unknown-health']);
  expect(listEngineWarnings(assemble([THEIRS]))).toEqual([]);
});

test('an engine of both groups is of the runtime that each takes for granted', () => {
  const [engine] = OWN.spec.template.spec.engines;
  const models = [OWN, THEIRS].map((one) => profileOf(one, engine!).profile.model.flags);
  expect(models).toEqual([[], ['--model']]);
});

test('deployments that run the same are reported of by the files that they find', () => {
  const unnamed = running({ image: 'vllm/vllm-openai:v0.23.0' }, { cache: 'weights' });
  expect(errorsOf(assemble([unnamed, aCache('ml/weights', { content: 'Tokenizer' })]))).toEqual(['no-model']);
  expect(errorsOf(assemble([unnamed, aCache('ml/weights')]))).toEqual([]);
});
