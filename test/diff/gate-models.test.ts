import type { Resource } from '../../src/api/kinds';
import { aSplit, to } from '../routing/build';
import { findings, NAMED, split, sql, sqlFiles, stable, TWICE_NAMED } from './gate-fleet';

const cases: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'refuses that a model is no longer served': {
    before: [stable(), split([1, 1], { servedModelName: 'chat' })],
    after: [stable(), split([1, 1], { servedModelName: 'talk' })],
    want: [
      "ModelService ml/chat: the model 'chat' is no longer served. Keep an engine or endpoint that serves it; if clients no longer request it, add --accept-removals to plan --gate",
    ],
  },
  'refuses that a service announces a name that its engines do not know': {
    before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [
      "ModelService ml/chat lists 'talk' instead of 'chat' as its model, but ml/chat only serves 'chat': requests for 'talk' get 404. Let the engines serve both names (vLLM: --served-model-name chat talk), or keep 'servedModelName: chat'; if no client asks which models there are, add --accept-removals to plan --gate",
    ],
  },
  'passes another name of a service where its engines serve both': {
    before: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [],
  },
  'passes that a model is no longer served, where that is accepted': {
    before: [stable(), split([1, 1], { servedModelName: 'chat' })],
    after: [stable(), split([1, 1], { servedModelName: 'talk' })],
    accept: true,
    want: [],
  },
  'refuses that the name of an adapter is no longer served, without a service': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql-v2')],
    want: [
      "ModelDeployment ml/chat: the model 'sql' is no longer served. Keep the name next to the new one until no client requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'refuses that the name of an adapter is no longer served by a service': {
    before: [sqlFiles, sql('sql'), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [sqlFiles, sql('sql-v2'), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [expect.stringContaining("ModelService ml/chat: the model 'sql' is no longer served. ")],
  },
  'passes an adapter that is added': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql', 'text')],
    want: [],
  },
  'passes that the name of an adapter is no longer served, where that is accepted': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql-v2')],
    accept: true,
    want: [],
  },
};

describe('the gate', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, accept, want }) => {
    expect(findings(before, after, accept)).toEqual(want);
  });
});
