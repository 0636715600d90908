import { z } from 'zod';
import { fields } from './fields';
import { type Rule, rules } from './rule';
import { namedList } from './shared/list';
import { formed, objectName, text } from './shared/names';

const optionalKey = z.boolean().optional().describe('Whether pods start without it. Default: false.');

const valueFrom = fields({
  secretKeyRef: fields({
    name: objectName.describe('The name of the Secret.'),
    key: text(253).describe('The key in the Secret.'),
    optional: optionalKey,
  })
    .optional()
    .describe('A key of a Secret in the namespace of the deployment, on each cluster.'),
  configMapKeyRef: fields({
    name: objectName.describe('The name of the ConfigMap.'),
    key: text(253).describe('The key in the ConfigMap.'),
    optional: optionalKey,
  })
    .optional()
    .describe('A key of a ConfigMap in the namespace of the deployment, on each cluster.'),
  fieldRef: fields({
    fieldPath: text(253).describe('A field of the pod: status.podIP.'),
    apiVersion: text(63).optional().describe('The version of the pod API. Default: v1.'),
  })
    .optional()
    .describe('A field of the pod.'),
}).check(rules(exactlyOne('valueFrom', ['secretKeyRef', 'configMapKeyRef', 'fieldRef'])));

const variable = fields({
  name: formed({
    noun: 'the name of an environment variable',
    code: 'bad-name',
    pattern: /^[ -<>-~]+$/,
    max: 253,
    hint: "Use printable ASCII characters except '='",
  }).describe('The name of the variable.'),
  value: z.string().optional().describe('Its value. $(NAME) refers to another variable.'),
  valueFrom: valueFrom.optional().describe('Where its value comes from.'),
}).check(rules(oneSource));

/** The environment of a container, in order: later variables may refer to earlier ones. */
export const environment = z.array(variable).default([]).describe('Environment variables.');

function exactlyOne(noun: string, forms: readonly string[]): Rule<Record<string, unknown>> {
  return function* (value) {
    const given = forms.filter((form) => value[form] !== undefined);
    if (given.length === 1) return;
    yield {
      code: 'bad-variable',
      path: [],
      what: given.length === 0 ? `${noun} names no source` : `${noun} names ${given.length} sources: ${given.join(', ')}`,
      hint: `Set exactly one of ${forms.join(', ')}`,
    };
  };
}
