import { formatRefusal } from '../../../src/live/smoke/service-response';

const rows: Record<string, { status?: number; body?: unknown; keyShown?: boolean; want: string }> = {
  'vLLM and OpenAI': {
    body: { error: { message: 'too long', type: 'x' } },
    want: 'v1/x answers 500: too long',
  },
  'older vLLM': { body: { object: 'error', message: 'too long' }, want: 'v1/x answers 500: too long' },
  FastAPI: { body: { detail: 'too long' }, want: 'v1/x answers 500: too long' },
  'Ollama and TGI': { body: { error: 'too long' }, want: 'v1/x answers 500: too long' },
  'a text without a usual cause': {
    status: 502,
    body: 'bad gateway',
    want: 'v1/x answers 502 (bad gateway)',
  },
  'a page for people': { status: 502, body: ' <html>no</html>', want: 'v1/x answers 502' },
  'JSON that says nothing': {
    status: 503,
    body: { error: { code: 3 } },
    want: 'v1/x answers 503: no replica serves',
  },
  'several lines are one': { status: 502, body: ' a\n  b\n', want: 'v1/x answers 502 (a b)' },
  'much is cut': { status: 502, body: 'x'.repeat(300), want: `v1/x answers 502 (${'x'.repeat(200)})` },
  'a full stop is left to the line': { body: { detail: 'No.' }, want: 'v1/x answers 500: No' },
  'an engine says more of a key than a gateway': {
    status: 401,
    body: { error: { message: 'Incorrect API key' } },
    want: 'v1/x answers 401: Incorrect API key',
  },
  'a key that is not taken': {
    status: 401,
    keyShown: true,
    want: 'v1/x answers 401: it rejects the key',
  },
};

test.each(Object.entries(rows))('%s', (_, { status = 500, body = '', keyShown = false, want }) => {
  expect(formatRefusal('v1/x', { status, body }, keyShown)).toBe(want);
});
