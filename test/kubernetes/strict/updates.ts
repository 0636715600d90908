import type { Engine } from '../../../src/api/engine';
import type { Resource } from '../../../src/api/kinds';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import { copyBoundsOf } from '../../../src/api/engine-copies';

type Change = (deployment: Writable<ModelDeployment>) => void;

type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> };

const eachEngine =
  (change: (engine: Writable<Engine>) => void): Change =>
  ({ spec }) => {
    for (const engine of spec.template.spec.engines) change(engine);
  };

const eachMember = (change: (member: Writable<Engine['members'][number]>) => void): Change =>
  eachEngine(({ members }) => {
    for (const member of members) change(member);
  });

/** Adds an argument, but for Workers that say nothing: they start as their Leader does. */
function append({ role, template }: Writable<Engine['members'][number]>, argument: string): void {
  const [container] = template.spec.containers;
  if (role === 'Worker' && !container.command && !container.args) return;
  container.args = [...(container.args ?? []), argument];
}

/** Everything that a user may change in a deployment that runs, and that shows in its manifests. */
export const UPDATES: Readonly<Record<string, Change>> = {
  image: eachMember(({ template }) => {
    const [container] = template.spec.containers;
    container.image = container.image.replace(/(@.*|:[^/:]*)?$/, ':2');
  }),
  args: eachMember(({ template }) => {
    const [container] = template.spec.containers;
    // A worker without arguments starts as its leader does.
    if (container.args) container.args = [...container.args, '--max-model-len', '1024'];
  }),
  env: eachMember(({ template }) => {
    template.spec.containers[0].env = [{ name: 'NEW', value: '1' }];
  }),
  'pull secrets': eachMember(({ template }) => {
    template.spec.imagePullSecrets = [{ name: 'other' }];
  }),
  'pod annotations': eachMember(({ template }) => {
    template.metadata.annotations = { note: 'new' };
  }),
  copies: eachEngine((engine) => {
    engine.copies = copyBoundsOf(engine).max + 1;
  }),
  'selector bound': eachMember(({ nodeSelector }) => {
    const forms = (nodeSelector?.devices ?? []).flatMap((device) => [device, ...device.firstAvailable]);
    for (const selector of forms.flatMap(({ selectors }) => selectors.slice(0, 1)))
      selector.cel = `(${selector.cel}) && true`;
  }),
  'workers of a gang': eachMember((member) => {
    if (member.worker) member.worker.nodes += 1;
  }),
  'labels of replicas': ({ spec }) => {
    spec.template.metadata.labels = { revision: 'two' };
  },
  rollout: ({ spec }) => {
    const { strategy } = spec.rollout;
    spec.rollout = { strategy: strategy === 'Recreate' ? 'Rolling' : 'Recreate', surge: 0, parallel: 1 };
  },
  'cache taken away': (deployment) => {
    const { spec } = deployment.spec.template;
    if (!spec.modelCacheRef) return;
    delete spec.modelCacheRef;
    // An engine without a model is refused.
    eachMember((member) => append(member, '--model=a/b'))(deployment);
  },
};

/** The resources of a fleet after a change of all its deployments. */
export function changed(resources: readonly Resource[], change: Change): Resource[] {
  return resources.map((resource) => {
    if (resource.kind !== 'ModelDeployment') return resource;
    const copy = structuredClone(resource);
    change(copy as Writable<ModelDeployment>);
    return copy;
  });
}
