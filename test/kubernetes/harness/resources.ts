import { type Client, type KubeObject, ok } from './client';
import { until } from './until';

/** How the API server serves the objects of a kind. */
interface Served {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** What has been learned, by API version and kind. All control plane of a run serve the same built-in kinds. */
const served = new Map<string, Served>();

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

interface GroupList {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

/** Asks the API server which kinds it serves, and where. To be asked again when CRDs have come. */
export async function learnKinds(client: Client): Promise<void> {
  const { groups } = ok(await client.get<GroupList>('/apis'), 'the groups of the API server');
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  await Promise.all(
    ['v1', ...versions].map(async (version) => {
      const path = `${version === 'v1' ? '/api' : '/apis'}/${version}`;
      let answer = await client.get<ResourceList>(path);
      // The group of a CRD that has just come is listed before its resources are.
      await until(`${path} is served`, async () => {
        if (answer.status === 404) answer = await client.get<ResourceList>(path);
        return answer.status !== 404;
      });
      const { resources } = ok(answer, path);
      for (const { name, kind, namespaced } of resources) {
        // `deployments/scale` is a part of a Deployment.
        if (!name.includes('/')) served.set(`${version} ${kind}`, { plural: name, namespaced });
      }
    }),
  );
}

/** Whether the API server knows the kind of an object. */
export function isServed(object: KubeObject): boolean {
  return served.has(keyOf(object));
}

/** Whether objects of its kind are in namespaces. Throws for a kind that the API server does not serve. */
export function isNamespaced(object: KubeObject): boolean {
  return servedAs(object).namespaced;
}

/** The path of the objects of a kind, in the namespace of an object if it has one. */
export function collection(object: KubeObject): string {
  const { apiVersion = '', metadata } = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { plural, namespaced } = servedAs(object);
  return namespaced ? `${root}/namespaces/${metadata.namespace}/${plural}` : `${root}/${plural}`;
}

/** The path of an object. */
export function pathOf(object: KubeObject): string {
  return `${collection(object)}/${object.metadata.name}`;
}

function servedAs(object: KubeObject): Served {
  const found = served.get(keyOf(object));
  if (!found) throw new Error(`the API server does not serve ${keyOf(object)}`);
  return found;
}

function keyOf({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion} ${kind}`;
}
