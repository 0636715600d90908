import { PROVIDERS } from '../fleet/names';
import type { Row, Scenario } from '../scenario';
import type { Site } from '../site';
import type { Question } from '../traffic/ask';
import { same } from './rows';

const HOST = 'api.openai.com';
const { model } = PROVIDERS[HOST];

/** The provider's name of a model takes the place of the caller's in whatever body, or the request goes nowhere. */
export const modelName: Scenario = { name: 'model-name', run };

const text = (length: number): string => 'x'.repeat(length);

/** Bodies, and what the provider has to get. */
const REPLACED: Readonly<Record<string, { body: Question['body']; type?: string; becomes: string }>> = {
  'a short body': { body: '{"model":"llama","n":1}', becomes: `{"model":"${model}","n":1}` },
  'a body of 200 KiB': {
    body: `{"prompt":"${text(200 * 1024)}","model":"llama"}`,
    becomes: `{"prompt":"${text(200 * 1024)}","model":"${model}"}`,
  },
  'a body of 2 MB': {
    body: `{"model":"llama","prompt":"${text(2_000_000)}"}`,
    becomes: `{"model":"${model}","prompt":"${text(2_000_000)}"}`,
  },
  'a body that says it is plain text': {
    body: '{"model":"llama"}',
    type: 'text/plain',
    becomes: `{"model":"${model}"}`,
  },
  'quotes and escapes around': {
    body: String.raw`{"a":"say \"model\": \"x\" \\","model" : "ll\"a\\m\u0061","b":"\\\""}`,
    becomes: String.raw`{"a":"say \"model\": \"x\" \\","model" : "${model}","b":"\\\""}`,
  },
  'names of models further inside': {
    body: '{"tools":[{"model":"inner"}],"model":"llama","x":{"model":"inner"}}',
    becomes: `{"tools":[{"model":"inner"}],"model":"${model}","x":{"model":"inner"}}`,
  },
  'names and text that are not ASCII': {
    body: '{"model":"Modèl-模型","prompt":"\u00e9模 \ud83d\ude80"}',
    becomes: `{"model":"${model}","prompt":"\u00e9模 \ud83d\ude80"}`,
  },
  'two names': { body: '{"model":"a","model":"b"}', becomes: `{"model":"${model}","model":"${model}"}` },
  'a body in chunks without a length': {
    body: ['{"mod', 'el":"lla', 'ma","n":', '1}'],
    becomes: `{"model":"${model}","n":1}`,
  },
};

const REFUSED: Readonly<Record<string, string>> = {
  'no name of a model': '{"n":1}',
  'a number as name': '{"model":1}',
  'a body that is cut off': '{"model":"llama","prompt":"abc',
  'a list': '[{"model":"llama"}]',
  'no JSON': 'model=llama',
  'null as name': '{"model":null}',
  'a second name that hides behind an escape': String.raw`{"model":"llama","mod\u0065l":"gpt-5"}`,
  'a name in an inner object alone': '{"x":{"model":"llama"}}',
  'more brackets than open': '{"model":"llama"}}',
};

async function run({ ask, provider, forget }: Site): Promise<Row[]> {
  const rows: Row[] = [];
  const send = async (body: Question['body'], type = 'application/json'): Promise<string> => {
    forget();
    const headers = { 'content-type': type };
    const { status, error } = await ask({
      path: PATH,
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    return error ?? String(status);
  };
  for (const [what, { body, type, becomes }] of Object.entries(REPLACED)) {
    const status = await send(body, type);
    const got = provider(HOST).seen[0]?.body;
    const measured = got === becomes ? `${status}, replaced` : `${status}, ${(got ?? 'nothing sent').slice(0, 200)}`;
    rows.push(same(what, '200, replaced', measured));
  }
  for (const [what, body] of Object.entries(REFUSED)) {
    const status = await send(body);
    rows.push(same(what, '400, 0 requests sent', `${status}, ${provider(HOST).seen.length} requests sent`));
  }
  forget();
  const empty = await ask({ path: PATH, method: 'POST' });
  const get = await ask({ path: PATH.replace('chat/completions', 'files') });
  const sent = provider(HOST).seen.length;
  return [
    ...rows,
    same('no body, and no method that has one', '400 404, 0 sent', `${empty.status} ${get.status}, ${sent} sent`),
  ];
}

/** A service with this provider alone. */
const PATH = '/team-a/openai/v1/chat/completions';
