import { z } from 'zod';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import { exactlyOne } from './shared/exactly-one';
import { namedList } from './shared/list';
import { objectName, text } from './shared/names';

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
}).check(rules(exactlyOne('the source of a variable', ['secretKeyRef', 'configMapKeyRef', 'fieldRef'])));

const valueOrSource: Rule<{ value?: unknown; valueFrom?: unknown }> = function* (variable) {
  if (variable.value === undefined || variable.valueFrom === undefined) return;
  yield {
    code: 'not-exactly-one',
    path: ['valueFrom'],
    what: 'the variable has both value and valueFrom',
    hint: 'Keep one of the two',
  };
};

/** The name is not shown: somebody may have written the value behind it. */
const goodName: Rule<string> = function* (name) {
  if (/^[ -<>-~]*$/.test(name)) return;
  yield {
    code: 'bad-name',
    path: [],
    what: 'this is not the name of an environment variable',
    hint: "Use printable ASCII characters except '='",
  };
};

const variable = fields({
  name: text(253).check(rules(goodName)).describe('The name of the variable.'),
  value: z.string().optional().describe('Its value. $(NAME) stands for an earlier variable.'),
  valueFrom: valueFrom.optional().describe('Where its value comes from.'),
}).check(rules(valueOrSource));

/** The environment of a container, in order: a variable may refer to earlier ones. */
export const environment = namedList(variable).default([]).describe('The environment.');
