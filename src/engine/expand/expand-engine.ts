import type { Engine, EngineMember } from '../../api/engine';
import { SHARED_MEMORY_PATH } from '../../api/pod/reserved-names';
import { formatCount } from '../../base/figures';
import type { Interner } from '../../base/interning';
import type { ModelDeployment } from '../../api/model-deployment';
import type { DerivedField, ModelLayout, ModelLayouts, ModelVariant } from '../../fleet/models/model-layouts';
import { estimateStartupSeconds } from '../startup-and-shutdown';
import { deriveArguments } from './derived-arguments';
import { DerivedFields } from './derived-fields';
import { BARE, type Handwritten, readHandwritten } from './handwritten-fields';

/** What one engine is derived from. */
export interface EngineSource {
  readonly deployment: ModelDeployment;
  readonly chosen: ModelLayouts;
  readonly layout: ModelLayout;

  /** The name of the cache that is mounted, if any. */
  readonly cache: string | undefined;
}

/** Engines that are derived already, with their fields, by what they follow from. */
export type EngineMemo = Interner<{ readonly engine: Engine; readonly derived: readonly DerivedField[] }>;

/** The deployment with the engine of a layout. What is written wins, field by field. */
export function expandEngine(source: EngineSource, memo: EngineMemo): ModelVariant {
  const { deployment, layout, cache } = source;
  const { model, template } = deployment.spec;
  const { load: _, ...served } = model ?? {};
  const key = JSON.stringify([served, template.spec.engines, source.chosen, layout, isCached(source)]);
  const { engine, derived } = memo.intern(key, () => {
    const collected = new DerivedFields();
    return { engine: deriveEngine(source, collected), derived: collected.all };
  });
  const fields = new DerivedFields(derived);
  const { modelCacheRef = cache === undefined ? undefined : { name: cache } } = template.spec;
  if (cache !== undefined && !template.spec.modelCacheRef) {
    fields.add('modelCacheRef', cache, 'every cluster that it may be on has shared storage');
  }
  const { clusterSelector, modelCacheRef: __, ...rest } = template.spec;
  const spec = { clusterSelector, ...(modelCacheRef && { modelCacheRef }), ...rest, engines: [engine] };
  const expanded = { ...deployment, spec: { ...deployment.spec, template: { ...template, spec } } };
  return { layout, deployment: expanded, derived: fields.all };
}

/** Whether the engine reads its model from a cache, derived or written. */
function isCached({ deployment, cache }: EngineSource): boolean {
  return cache !== undefined || deployment.spec.template.spec.modelCacheRef !== undefined;
}

/** The startup budget of an engine that reads its files from shared storage, or from the internet. */
function budgetOf(source: EngineSource): string {
  return `${estimateStartupSeconds(source.chosen.filesGiB, isCached(source)) / 60}m`;
}

/** The name of an engine without a written one. */
const ENGINE_NAME = 'main';

function deriveEngine(source: EngineSource, fields: DerivedFields): Engine {
  const { deployment, chosen, layout } = source;
  const written = readHandwritten(deployment);
  const { engine } = written;
  const { title, runtime } = written.profile;
  const cached = isCached(source);
  const budget = budgetOf(source);
  const gang = layout.nodes > 1;
  const files = `${formatCount(chosen.filesGiB)} GiB${cached ? '' : ' from the internet'}`;
  fields.unless(engine?.runtime, 'engines[0].runtime', runtime, `spec.model.engine is ${runtime}`);
  fields.unless(engine?.startup.budget, 'engines[0].startup.budget', budget, `${title} compiles, and reads ${files}`);
  if (gang) fields.add('engines[0].bootstrap', 'Auto', 'the layout takes several nodes');
  return {
    copies: 1,
    drain: {},
    requires: {},
    ...engine,
    name: engine?.name ?? ENGINE_NAME,
    runtime: engine?.runtime ?? runtime,
    startup: { budget, ...definedOf(engine?.startup ?? {}) },
    bootstrap: gang ? 'Auto' : (engine?.bootstrap ?? 'None'),
    members: deriveMembers(source, written, fields),
  };
}

function deriveMembers(source: EngineSource, written: Handwritten, fields: DerivedFields): EngineMember[] {
  const { nodes } = source.layout;
  const members = written.engine?.members ?? [];
  const main = deriveMember(source, written, fields);
  if (nodes === 1) return [{ ...main, role: 'Standalone' }];
  const worker = members.find(({ role }) => role === 'Worker');
  const derived = { ...main, template: withoutArguments(main.template) };
  if (!worker) fields.add('engines[0].members', 'Leader, Worker', `PP ${source.layout.pp} takes ${nodes} nodes`);
  const image = main.template.spec.containers[0].image;
  return [
    { ...main, role: 'Leader' },
    worker
      ? {
          ...worker,
          nodeSelector: worker.nodeSelector ?? main.nodeSelector,
          template: withImage(worker.template, image),
        }
      : { ...derived, role: 'Worker', worker: { nodes: nodes - 1 } },
  ];
}

type Template = EngineMember['template'];

/** A Worker without a command starts as its Leader does. */
function withoutArguments(template: Template): Template {
  const [{ args: _, command: __, ...engine }, ...others] = template.spec.containers;
  return { ...template, spec: { ...template.spec, containers: [engine, ...others] } };
}

function withImage(template: Template, derived: string): Template {
  const [engine, ...others] = template.spec.containers;
  const image = engine.image === '' ? derived : engine.image;
  return { ...template, spec: { ...template.spec, containers: [{ ...engine, image }, ...others] } };
}

function deriveMember(source: EngineSource, written: Handwritten, fields: DerivedFields): EngineMember {
  const { member } = written;
  const base = member?.template ?? { metadata: { labels: {}, annotations: {} }, spec: { imagePullSecrets: [] } };
  const [, ...others] = member?.template.spec.containers ?? [];
  const container = deriveContainer(source, written, fields);
  const spec = { ...base.spec, containers: [container, ...others] as Template['spec']['containers'] };
  return {
    role: 'Standalone',
    ...member,
    nodeSelector: member?.nodeSelector ?? deriveDevices(source, fields),
    template: { metadata: base.metadata, spec },
  };
}

function deriveDevices({ layout, chosen }: EngineSource, fields: DerivedFields): EngineMember['nodeSelector'] {
  const { tp, pp, dp, nodes, where, classes, gpu } = layout;
  const count = (tp * pp * dp) / nodes;
  const held =
    layout.requests === null
      ? ''
      : `, which holds ${formatCount(layout.requests)} requests of ${formatCount(chosen.context)} tokens`;
  const why = `the cheapest layout of ${chosen.repository} on ${classes.join(', ')}${held}`;
  fields.add('engines[0].members[0].nodeSelector.devices', `${count} x ${gpu}`, why);
  const request = { name: 'gpu', count, where, selectors: [], firstAvailable: [], tolerations: [], config: [] };
  return { devices: [request], constraints: [] };
}

type Container = Template['spec']['containers'][0];

function deriveContainer(source: EngineSource, written: Handwritten, fields: DerivedFields): Container {
  const { chosen, layout } = source;
  const { container = BARE, start: defaults } = written;
  const image = container.image || chosen.image;
  if (container.image === '') {
    fields.add(`${CONTAINER}.image`, image, 'spec.model.image, or the release that this version names');
  }
  const command = container.command ?? (defaults.command && [...defaults.command]);
  const derived = deriveArguments({ chosen, layout, cached: isCached(source) }, written);
  for (const { argument, reason } of derived) fields.add(`${CONTAINER}.args`, argument, reason);
  const resources = deriveResources(container, layout, fields);
  addRendered(source, written, fields);
  const args = [...derived.map(({ argument }) => argument), ...(container.args ?? [])];
  // In the order of the schema, so that an export prints the same again.
  const { name, image: _, imagePullPolicy, args: __, resources: ___, command: ____, ...rest } = container;
  const start = { ...(imagePullPolicy && { imagePullPolicy }), ...(command && { command }) };
  return { name, image, ...start, ...rest, args, resources };
}

const CONTAINER = 'engines[0].members[0].template.spec.containers[0]';

function deriveResources(
  { resources: { limits, requests } }: Container,
  layout: ModelLayout,
  fields: DerivedFields,
): Container['resources'] {
  const amounts = { cpu: String(layout.cpu), memory: `${layout.memoryGiB}Gi` };
  const why = 'by the GPUs of the pod, and no more than their share of a node';
  for (const name of ['cpu', 'memory'] as const) {
    fields.unless(requests[name] ?? limits[name], `${CONTAINER}.resources.requests.${name}`, amounts[name], why);
  }
  return { limits, requests: { ...amounts, ...definedOf(limits), ...definedOf(requests) } };
}

/** Fields that every engine gets when it is rendered, with what they follow from here. */
function addRendered(source: EngineSource, { profile, container, engine }: Handwritten, fields: DerivedFields): void {
  const at = 'engines[0].members[0].template.spec';
  const { startup, readiness } = profile.health ?? {};
  const budget = engine?.startup.budget ?? budgetOf(source);
  if (startup !== undefined && !container?.startupProbe) {
    fields.add(`${at}.containers[0].startupProbe`, `${startup} for ${budget}`, 'the startup budget of the engine');
  }
  if (readiness !== undefined && !container?.readinessProbe) {
    fields.add(`${at}.containers[0].readinessProbe`, readiness, `how ${profile.title} says that it serves`);
  }
  const why = 'half of the memory of the pod, in which the processes of GPUs exchange data';
  fields.add(`${at}.volumes`, SHARED_MEMORY_PATH, why);
}

function definedOf<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;
}
