import type { ServiceResponse } from '../../../src/live/smoke/service-response';
import { testService } from '../../../src/live/smoke/smoke-test';

/** What OpenAI says of models that reason. */
const OTHER_NAME = {
  status: 400,
  body: {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    },
  },
};
const CHAT = { status: 200, body: { choices: [{}] } };
const EMBEDDING = { status: 200, body: { data: [{ embedding: [0] }] } };

const rows: Record<string, { answers: ServiceResponse[]; asked: string[]; want: string }> = {
  'a model that reasons is asked again under the name that it takes, with room to think': {
    answers: [OTHER_NAME, CHAT],
    asked: ['v1/chat/completions max_tokens=1', 'v1/chat/completions max_completion_tokens=1000'],
    want: 'ok: it answers with a chat completion',
  },
  'what is reported is what it says then': {
    answers: [OTHER_NAME, { status: 429, body: { error: { message: 'No quota.' } } }],
    asked: ['v1/chat/completions max_tokens=1', 'v1/chat/completions max_completion_tokens=1000'],
    want: 'failure: v1/chat/completions answers 429: No quota',
  },
  'a model that refuses chats is not asked for one twice': {
    answers: [{ status: 400, body: { message: 'no chat template' } }, { status: 404, body: {} }, EMBEDDING],
    asked: ['v1/chat/completions max_tokens=1', 'v1/completions max_tokens=1', 'v1/embeddings'],
    want: 'ok: it answers with an embedding',
  },
  'nor is one that fails, whatever it says': {
    answers: [{ ...OTHER_NAME, status: 500 }],
    asked: ['v1/chat/completions max_tokens=1'],
    want: `failure: v1/chat/completions answers 500: ${OTHER_NAME.body.error.message.slice(0, -1)}`,
  },
};

test.each(Object.entries(rows))('%s', async (_, { answers, asked, want }) => {
  const sent: string[] = [];
  const send = (path: string, body: object = {}): Promise<ServiceResponse> => {
    const limits = Object.entries(body).filter(([field]) => field.startsWith('max_'));
    sent.push([path, ...limits.map((limit) => limit.join('='))].join(' '));
    return Promise.resolve(answers[sent.length - 1] ?? { status: 503, body: '' });
  };
  const { level, what } = await testService(
    { service: 'ml/chat', url: 'https://a.example/', gateways: [], model: 'm' },
    { send, keyShown: false },
  );
  expect(sent).toEqual(asked);
  expect(`${level}: ${what}`).toBe(want);
});
