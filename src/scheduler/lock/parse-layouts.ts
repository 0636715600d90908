import { isMap, tryParseJson } from '../../base/json';
import type { ModelLayout, ModelLayouts } from '../../fleet/models/model-layouts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isAmount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isSize: Check = (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1e9;
const isTexts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);
const isWhere: Check = (value) => isMap(value) && Object.values(value).every((one) => isText(one) || isTexts(one));
const orNothing =
  (check: Check, nothing: null | undefined): Check =>
  (value) =>
    value === nothing || check(value);

const LAYOUT_FIELDS: Readonly<Record<keyof ModelLayout, Check>> = {
  classes: isTexts,
  where: isWhere,
  gpu: isText,
  tp: isSize,
  pp: isSize,
  dp: isSize,
  ep: isSize,
  nodes: isSize,
  cpu: isAmount,
  memoryGiB: isAmount,
  kvGiB: isAmount,
  requests: orNothing(isAmount, null),
};

type Facts = Omit<ModelLayouts, 'spec' | 'layouts'>;

const FACT_FIELDS: Readonly<Record<keyof Facts, Check>> = {
  repository: isText,
  revision: orNothing(isText, undefined),
  quantization: orNothing(isText, undefined),
  context: isSize,
  image: isText,
  filesGiB: isAmount,
  cached: (value) => typeof value === 'boolean',
};

/** Parses what the layouts of a model rest on. Nothing if the text is damaged. */
export function parseModelFacts(spec: string, text: string): ModelLayouts | undefined {
  const facts = parseFields<Facts>(text, FACT_FIELDS);
  return facts && { spec, ...facts, layouts: [] };
}

/** Parses a layout. Nothing if the text is damaged. */
export function parseLayout(text: string): ModelLayout | undefined {
  return parseFields<ModelLayout>(text, LAYOUT_FIELDS);
}

function parseFields<T extends object>(text: string, checks: Readonly<Record<keyof T, Check>>): T | undefined {
  const content = tryParseJson(text);
  if (!isMap(content)) return undefined;
  const known = Object.entries<Check>(checks);
  const valid = known.every(([name, check]) => check(content[name]));
  const complete = Object.keys(content).every((name) => name in checks);
  return valid && complete ? (content as T) : undefined;
}
