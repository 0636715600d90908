import type { Resource } from '../../src/api/kinds';
import { aSplit, to } from '../routing/build';
import { canary, findings, headed, NAMED, RENAMED, split, sql, sqlFiles, stable, TWICE_NAMED } from './gate-fleet';

const cases: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'refuses that a part of the requests for a model reaches engines that no longer serve it': {
    before: [stable(NAMED), canary(NAMED), split([95, 5])],
    after: [stable(RENAMED), canary(NAMED), split([95, 5])],
    want: [
      "ModelService ml/chat: 95 % of the requests for the model 'chat' fail: ml/chat no longer serves it. Let its engine serve 'chat' too (vLLM: --served-model-name chat talk) until no client requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'refuses that engines of a service no longer serve the model that it declares': {
    before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    want: [expect.stringContaining("all requests for the model 'chat' fail: ml/chat no longer serves it. ")],
  },
  'refuses that engines no longer serve another name of their model': {
    before: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [expect.stringContaining("all requests for the model 'talk' fail: ml/chat no longer serves it. ")],
  },
  'refuses that a new entry takes requests for a model that its engines do not serve': {
    before: [stable(NAMED), canary(RENAMED), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(NAMED), canary(RENAMED), split([95, 5])],
    want: [expect.stringContaining("5 % of the requests for the model 'chat' fail: ml/next does not serve it. ")],
  },
  'refuses that requests with a header reach engines that no longer serve the model, and names the header': {
    before: [stable(NAMED), canary({ ...NAMED, replicas: 2 }), headed()],
    after: [stable(NAMED), canary({ ...RENAMED, replicas: 2 }), headed()],
    want: [expect.stringContaining("all requests for the model 'chat' with x-track: next fail: ml/next no longer")],
  },
  'passes other weights of engines that served different names before': {
    before: [stable(NAMED), canary(RENAMED), split([95, 5])],
    after: [stable(NAMED), canary(RENAMED), split([50, 50])],
    want: [],
  },
  'refuses that more requests for the model that a service declares reach engines that do not serve it': {
    before: [stable(NAMED), canary(RENAMED), split([95, 5], { servedModelName: 'chat' })],
    after: [stable(NAMED), canary(RENAMED), split([50, 50], { servedModelName: 'chat' })],
    want: [expect.stringContaining("50 % of the requests for the model 'chat' fail: ml/next does not serve it. ")],
  },
  'passes requests that fail because engines no longer serve a model, where that is accepted': {
    before: [stable(NAMED), canary(NAMED), split([95, 5])],
    after: [stable(RENAMED), canary(NAMED), split([95, 5])],
    accept: true,
    want: [],
  },
  'says once that an adapter is gone, and does not say that its requests fail': {
    before: [sqlFiles, sql('sql', 'text'), canary(), split([95, 5])],
    after: [sqlFiles, sql('text'), canary(), split([95, 5])],
    want: [expect.stringContaining("the model 'sql' is no longer served. Keep the name")],
  },
};

describe('of models that engines no longer serve, the gate', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, accept, want }) => {
    expect(findings(before, after, accept)).toEqual(want);
  });
});
