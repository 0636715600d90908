import { z } from 'zod';
import type { Quantization } from '../catalog/models/model-row';
import { IN_MODEL } from './kubernetes-spellings';
import { fields, withDefault } from './schema/fields';
import { checkDistinct } from './schema/list';
import { integer } from './schema/quantity';
import { dnsSubdomain, nonEmptyText, stringFormat } from './schema/string-formats';

const QUANTIZATIONS = ['bf16', 'fp8', 'mxfp8', 'int8', 'int4', 'mxfp4', 'nvfp4'] as const satisfies Quantization[];

/** The engines that a model can be expanded to. */
const MODEL_ENGINES = ['vLLM', 'SGLang'] as const;

const repository = stringFormat({
  noun: 'the name of a repository',
  code: 'bad-name',
  pattern: /^[A-Za-z0-9][-A-Za-z0-9._]*(\/[A-Za-z0-9][-A-Za-z0-9._]*)?$/,
  max: 193,
  hint: "Write the owner and the name, as in 'Qwen/Qwen3-32B'",
});

const load = fields({
  requestsPerSecond: z.number().gt(0).max(1_000_000).describe('Requests a second of all replicas together.'),
  inputTokens: integer(1, 100_000_000).describe('Tokens of a usual prompt.'),
  outputTokens: integer(1, 100_000_000).describe('Tokens of a usual answer.'),
}).describe('The load that the replicas carry together. Plans compare it with measured rows of the model catalog.');

/** The schema of a model that is expanded to engines. */
export const servedModel = fields(
  {
    repository: repository.describe('A row of the model catalog: Qwen/Qwen3-32B.'),
    revision: nonEmptyText(256)
      .optional()
      .describe('The commit, tag or branch of the repository. Default: that of the row, else that of the repository.'),
    context: integer(1, 100_000_000)
      .optional()
      .describe('Tokens of the longest request, prompt and answer together. Default: the most that the model has.'),
    concurrency: withDefault(integer(1, 1_000_000), 1, 'Requests of that length that a replica must hold at once.'),
    engine: withDefault(z.enum(MODEL_ENGINES), 'vLLM', 'The program that serves it.'),
    image: nonEmptyText(512).optional().describe('Its container image. Default: one of a fixed release of the engine.'),
    quantization: z
      .enum(QUANTIZATIONS)
      .optional()
      .describe('What the engine converts the weights to as it loads them. Default: as the repository has them.'),
    hardware: z
      .array(dnsSubdomain)
      .min(1)
      .max(64)
      .check(checkDistinct((name: string) => name, 'the class'))
      .optional()
      .describe('The InferenceClasses that replicas may use, the preferred first. Default: all, the cheapest first.'),
    load: load.optional(),
  },
  IN_MODEL,
);

/** A model that is expanded to engines. */
export type ServedModelSpec = z.output<typeof servedModel>;
