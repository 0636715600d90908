import { errorAt } from '../base/diagnostic';
import type { Engine } from './engine';
import { isDynamo, isFrontend } from './engine-phases';
import { describeMissingField, type SchemaRule } from './schema/rules';
import type { ServedModelSpec } from './served-model';

interface Deployed {
  readonly model?: ServedModelSpec | undefined;
  readonly template: {
    readonly spec: { readonly serving: { readonly mode: string }; readonly engines: readonly Engine[] };
  };
}

const ENGINES = ['template', 'spec', 'engines'];
const OR_MODEL = "Write 'engines', or 'spec.model', from which engines are derived";

/** Without a model to derive it from, everything that an engine needs is written. */
export const enginesComplete: SchemaRule<Deployed> = function* ({ model, template }) {
  if (model) return;
  const { engines } = template.spec;
  if (engines.length === 0) yield errorAt('missing-field', ENGINES, 'the deployment has no engines', OR_MODEL);
  for (const [e, engine] of engines.entries()) {
    const { members } = engine;
    const at = [...ENGINES, e, 'members'];
    if (members.length === 0) yield errorAt('missing-field', at, 'the engine has no members', 'Add at least one');
    else if (!isFrontend(engine) && !members.some(({ nodeSelector }) => nodeSelector)) {
      const what = 'no member of the engine has a nodeSelector';
      yield errorAt(
        'no-devices',
        at,
        what,
        "Request devices at nodeSelector of at least one member, as in 'nodeSelector: { devices: [{ name: gpu, where: { architecture: Hopper } }] }'",
      );
    }
    for (const [m, member] of members.entries()) {
      const [{ image }] = member.template.spec.containers;
      if (image === '')
        yield describeMissingField([...at, m, 'template', 'spec', 'containers', 0, 'image'], 'Add the container image');
    }
  }
};

/** What is derived from a model is one engine that answers requests alone. */
export const modelAnswersAlone: SchemaRule<Deployed> = function* ({ model, template }) {
  if (!model) return;
  const { serving, engines } = template.spec;
  if (serving.mode !== 'Unified') {
    const what = `serving mode ${serving.mode} needs engines of both phases, and 'spec.model' makes one engine`;
    yield errorAt('contradiction', ['model'], what, 'Write both engines, and remove the model');
  }
  if (engines.some(isDynamo)) {
    const what = "'spec.model' makes an engine that answers requests by itself, and workers of Dynamo do not";
    yield errorAt('contradiction', ['model'], what, 'Write the engines, and remove the model');
    return;
  }
  if (engines.length > 1) {
    const what = `'spec.model' makes one engine, and the deployment has ${engines.length}`;
    yield errorAt('contradiction', ENGINES, what, "Keep one of them, or remove 'spec.model'");
  }
};
