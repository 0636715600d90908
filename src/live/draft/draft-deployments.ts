import { isMap, listAt, textAt, valueAt } from '../../base/json';
import { sortedBy } from '../../base/order';
import { joinNames } from '../../base/text';
import { VLLM } from '../../catalog/engines/vllm';
import { parseQuantity } from '../../cel/values/quantity';
import { formatDocuments } from '../../manifest/format-yaml';
import { loadManifests } from '../../manifest/load-manifests';
import { type Listing, objectsOf } from '../listing';
import { formatNamespacedName, type LiveObject } from '../../manifest/kubernetes/live-object';
import { DRAFT_API_VERSION } from './draft-classes';

/** Drafted deployments, and what of each was guessed or left out. */
interface DraftedDeployments {
  /** `namespace/name`. */
  readonly names: readonly string[];
  readonly documents: readonly object[];
  readonly notes: readonly string[];
}

/** Drafts a ModelDeployment from each LLMInferenceService of KServe that Fleetwright did not apply. */
export function draftDeployments(services: Listing | undefined): DraftedDeployments {
  const others = objectsOf(services).filter(
    ({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'] !== 'fleetwright',
  );
  const drafted = sortedBy(others, formatNamespacedName).map(draftDeployment);
  const documents = drafted.flatMap(({ document }) => document ?? []);
  const reminder =
    'deployments: the LLMInferenceServices still hold their devices. Delete each when its deployment serves';
  return {
    names: drafted.flatMap(({ name, document }) => (document ? [name] : [])),
    documents,
    notes: [...drafted.flatMap(({ notes }) => notes), ...(documents.length > 0 ? [reminder] : [])],
  };
}

interface DraftedDeployment {
  readonly name: string;

  /** Absent where it cannot be drafted. */
  readonly document?: object;
  readonly notes: readonly string[];
}

function draftDeployment(service: LiveObject): DraftedDeployment {
  const name = formatNamespacedName(service);
  const note = (text: string): string => `deployment ${name}: ${text}`;
  const shape = ['prefill', 'worker'].find((field) => valueAt(service, ['spec', field]) !== undefined);
  if (shape !== undefined) return { name, notes: [note(`not drafted, because it has '${shape}': declare it by hand`)] };
  const engine = draftEngine(service);
  const { namespace, name: ownName } = service.metadata;
  const replicas = valueAt(service, ['spec', 'replicas']);
  const document = {
    apiVersion: DRAFT_API_VERSION,
    kind: 'ModelDeployment',
    metadata: { name: ownName, namespace },
    spec: {
      replicas: typeof replicas === 'number' ? replicas : 1,
      template: { spec: { engines: [{ name: 'main', members: [engine.member] }] } },
    },
  };
  const [problem] = loadManifests([{ path: name, text: formatDocuments([document], '') }]).problems;
  if (problem) return { name, notes: [note(`not drafted: ${problem.message}`)] };
  return { name, document, notes: engine.notes.map(note) };
}

/** The image of services that take theirs from a preset. */
const DEFAULT_IMAGE = VLLM.derived?.image ?? '';

/** The container of the engine in an LLMInferenceService. */
const ENGINE_CONTAINER = 'main';

/** Fields of a container that are carried over, and the resources of its requests. */
const CARRIED = { fields: ['image', 'command', 'args', 'env', 'name', 'resources'], requests: ['cpu', 'memory'] };

function draftEngine(service: LiveObject): { readonly member: object; readonly notes: readonly string[] } {
  const containers = listAt(service, ['spec', 'template', 'containers']);
  const found = containers.find((one) => textAt(one, ['name']) === ENGINE_CONTAINER) ?? {};
  const command = listAt(found, ['command']);
  const image = textAt(found, ['image']);
  const requests = Object.entries(requestsOf(found));
  const kept = Object.fromEntries(requests.filter(([resource]) => CARRIED.requests.includes(resource)));
  const env = listAt(found, ['env']).filter((one) => isMap(valueAt(one, ['valueFrom'])));
  const devices = draftDevices(service, requests);
  const container = {
    name: 'engine',
    image: image === '' ? DEFAULT_IMAGE : image,
    ...(command.length > 0 && { command }),
    args: command.length > 0 ? listAt(found, ['args']) : argumentsOf(service, listAt(found, ['args'])),
    ...(env.length > 0 && { env }),
    ...(Object.keys(kept).length > 0 && { resources: { requests: kept } }),
  };
  return {
    member: { nodeSelector: { devices: [devices.request] }, template: { spec: { containers: [container] } } },
    notes: [
      ...(image === '' ? [`its image is that of a preset of KServe; ${DEFAULT_IMAGE} is a guess`] : []),
      ...devices.notes,
      ...describeModel(service, command.length > 0),
      ...describeOmissions(service, found),
    ],
  };
}

function requestsOf(container: unknown): Readonly<Record<string, unknown>> {
  const of = (field: string): object => {
    const value = valueAt(container, ['resources', field]);
    return isMap(value) ? value : {};
  };
  return { ...of('limits'), ...of('requests') };
}

/** The devices of an extended resource, whose driver is named after it (`nvidia.com/gpu`: `gpu.nvidia.com`). */
function draftDevices(service: LiveObject, requests: readonly (readonly [string, unknown])[]) {
  const extended = requests.find(([resource]) => resource.includes('/'));
  const tensor = valueAt(service, ['spec', 'parallelism', 'tensor']);
  const [domain = 'nvidia.com', type = 'gpu'] = extended?.[0].split('/') ?? [];
  const count = extended ? countOf(extended[1]) : typeof tensor === 'number' ? tensor : 1;
  const request = { name: type, count, selectors: [{ cel: `device.driver == "${type}.${domain}"` }] };
  const guess = `it requests no extended resource; ${count} of gpu.nvidia.com is a guess`;
  return { request, notes: extended ? [] : [guess] };
}

function countOf(amount: unknown): number {
  return Math.max(1, Math.ceil(parseQuantity(String(amount)).asApproximateFloat()));
}

/** The repository of a model on Hugging Face. Undefined for other places. */
function repositoryOf(service: LiveObject): string | undefined {
  return /^hf:\/\/([^/:]+\/[^/:]+)$/.exec(textAt(service, ['spec', 'model', 'uri']))?.[1];
}

/** The arguments of vLLM, which presets of KServe start with the model, its name and its ranks. */
function argumentsOf(service: LiveObject, args: readonly unknown[]): unknown[] {
  const name = textAt(service, ['spec', 'model', 'name']);
  const tensor = valueAt(service, ['spec', 'parallelism', 'tensor']);
  return [
    repositoryOf(service) ?? '/mnt/models',
    ...(name === '' ? [] : [`--served-model-name=${name}`]),
    ...(typeof tensor === 'number' && tensor > 1 ? [`--tensor-parallel-size=${tensor}`] : []),
    ...args,
  ];
}

function describeModel(service: LiveObject, hasCommand: boolean): string[] {
  const uri = textAt(service, ['spec', 'model', 'uri']);
  if (repositoryOf(service) !== undefined && !hasCommand) return [];
  return [`its model is at ${uri}, which KServe mounts at /mnt/models: use a ModelCache, or name the repository`];
}

/** Names what is not carried over. Values of variables may be secrets, so they are left out. */
function describeOmissions(service: LiveObject, container: unknown): string[] {
  const literal = listAt(container, ['env']).filter((one) => !isMap(valueAt(one, ['valueFrom'])));
  const variables = literal.map((one) => textAt(one, ['name']));
  const fields = isMap(container) ? Object.keys(container).filter((field) => !CARRIED.fields.includes(field)) : [];
  const template = valueAt(service, ['spec', 'template']);
  const ofPod = isMap(template) ? Object.keys(template).filter((field) => field !== 'containers') : [];
  const spec = valueAt(service, ['spec']);
  const ofService = isMap(spec) ? Object.keys(spec).filter((field) => !DRAFTED_FIELDS.has(field)) : [];
  const others = listAt(service, ['spec', 'template', 'containers']).flatMap((one) => textAt(one, ['name']));
  const sidecars = others.filter((one) => one !== ENGINE_CONTAINER);
  const left = [
    ...(variables.length > 0 ? [`variables ${joinNames(variables)}`] : []),
    ...(fields.length > 0 ? [`container fields ${joinNames(fields.sort())}`] : []),
    ...(ofPod.length > 0 ? [`pod fields ${joinNames(ofPod.sort())}`] : []),
    ...(sidecars.length > 0 ? [`containers ${joinNames(sidecars.sort())}`] : []),
    ...(ofService.length > 0 ? [`fields ${joinNames(ofService.sort())}`] : []),
  ];
  return left.length > 0 ? [`left out: ${left.join('; ')}`] : [];
}

/** Fields of the spec of an LLMInferenceService that the draft follows, or that only KServe needs. */
const DRAFTED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'replicas',
  'template',
  'parallelism',
  'storageInitializer',
  'baseRefs',
  'router',
]);
