import { validateAgainst } from '../../api/schema/validate';
import { Interner } from '../../base/interning';
import { listAt, textAt, valueAt } from '../../base/json';
import { cel } from '../../cel/lazy';
import type { Selector } from '../../cel/selector';
import { SelectorError } from '../../cel/selector-error';
import type {
  AttributeConstraint,
  PodDeviceRequest,
  PodShape,
  RequestAlternative,
} from '../../scheduler/compile/shapes';
import { sumPodRequests } from '../../snapshot/pod-requests';
import { podSchema, type RecordedPod } from '../../snapshot/recorded-objects';
import { formatNamespacedName, type LiveObject } from '../live-object';

/** Reads the resource requests of pods from their templates, in manifests and on API servers. */
export class PodShapes {
  readonly #claims: ReadonlyMap<string, LiveObject>;
  readonly #shapes = new Interner<PodShape>();
  readonly #selectors = new Interner<Selector>();

  /** @param objects the objects that contain the claim templates of the pods */
  constructor(objects: readonly LiveObject[]) {
    const templates = objects.filter(({ kind }) => kind === 'ResourceClaimTemplate');
    this.#claims = new Map(templates.map((one) => [formatNamespacedName(one), one]));
  }

  /**
   * The resource requests of a pod of a template. Each rendered pod has one claim; claims whose template is not among
   * the objects belong to others and request nothing.
   *
   * @param counted extended resources that are devices of the node. Other extended resources are ignored
   */
  of(template: unknown, namespace: string, counted: ReadonlySet<string>): PodShape {
    const devices = listAt(template, ['spec', 'resourceClaims']).flatMap((claim) => {
      const found = this.#claims.get(`${namespace}/${textAt(claim, ['resourceClaimTemplateName'])}`);
      return found ? [valueAt(found, ['spec', 'spec', 'devices'])] : [];
    });
    const pod = parsePod(template);
    const requests = [...devices.flatMap((one) => this.#requests(one)), ...extendedRequestsOf(pod, counted)];
    const constraints = devices.flatMap(parseConstraints);
    const resources = { cpu: sumPodRequests(pod, 'cpu'), memory: sumPodRequests(pod, 'memory') };
    const shape = { requests, constraints, uses: [], resources, sidecars: { running: {}, startup: {} } };
    return this.#shapes.intern(JSON.stringify(shape), () => shape);
  }

  #requests(devices: unknown): PodDeviceRequest[] {
    return listAt(devices, ['requests']).map((request) => {
      const several = listAt(request, ['firstAvailable']);
      const forms = several.length > 0 ? several : [valueAt(request, ['exactly'])];
      return { name: textAt(request, ['name']), alternatives: forms.map((form) => this.#form(form)) };
    });
  }

  #form(form: unknown): RequestAlternative {
    const name = textAt(form, ['name']);
    const expressions = listAt(form, ['selectors']).map((one) => textAt(one, ['cel', 'expression']));
    return {
      ...(name !== '' && { name }),
      claimedAs: textAt(form, ['deviceClassName']),
      count: Number(valueAt(form, ['count']) ?? 1),
      selectors: expressions.map((text) => this.#selectors.intern(text, () => compileSelector(text))),
    };
  }
}

/** Compiles a selector. An invalid selector becomes one that fails on every device. */
function compileSelector(expression: string): Selector {
  try {
    return cel().compileSelector(expression);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { expression, match: () => ({ kind: 'error', message: error.message }) };
  }
}

function parseConstraints(devices: unknown): AttributeConstraint[] {
  return listAt(devices, ['constraints']).map((constraint): AttributeConstraint => {
    const requests = listAt(constraint, ['requests']).map(String);
    const match = textAt(constraint, ['matchAttribute']);
    return match === ''
      ? { rule: 'distinct', attribute: textAt(constraint, ['distinctAttribute']), requests }
      : { rule: 'match', attribute: match, requests };
  });
}

function parsePod(template: unknown): RecordedPod {
  const spec = {
    containers: parseContainers(template, 'containers'),
    initContainers: parseContainers(template, 'initContainers'),
  };
  const checked = validateAgainst(podSchema, { metadata: { name: 'template' }, spec });
  return 'value' in checked ? checked.value : EMPTY_POD;
}

const EMPTY_POD: RecordedPod = podSchema.parse({ metadata: { name: 'template' }, spec: { containers: [] } });

/** The resources of containers. In Kubernetes, a limit without a request is also the request. */
function parseContainers(template: unknown, list: string): object[] {
  return listAt(template, ['spec', list]).map((container) => {
    const [limits, requests] = ['limits', 'requests'].map((one) => valueAt(container, ['resources', one]));
    const restartPolicy = valueAt(container, ['restartPolicy']);
    return { resources: { requests: Object.assign({}, limits, requests) as object }, restartPolicy };
  });
}

function extendedRequestsOf({ spec }: RecordedPod, counted: ReadonlySet<string>): PodDeviceRequest[] {
  return [...counted].flatMap((name): PodDeviceRequest[] => {
    const amounts = spec.containers.map(({ resources }) => Number(resources.requests[name] ?? 0));
    const count = amounts.reduce((sum, one) => sum + one, 0);
    return count > 0 ? [{ name, alternatives: [{ claimedAs: name, count, selectors: [] }] }] : [];
  });
}
