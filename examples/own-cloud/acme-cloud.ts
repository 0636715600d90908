// A cloud of the company: the platform team runs a management cluster, on which clusters and their pools are objects.
import { CustomResource } from '@pulumi/kubernetes/apiextensions';
import type { Provider } from '@pulumi/kubernetes/provider';
import { ComponentResource } from '@pulumi/pulumi';
import {
  type Cloud,
  type CloudOptions,
  type CloudProblem,
  type Cluster,
  type DeclaredPool,
  ExistingCluster,
  listDeclaredPools,
} from 'fleetwright/stacks';

const API = 'platform.acme.example/v1';
const NAMESPACE = 'clusters';
const REGIONS = ['hamburg', 'leipzig'];
const MACHINES = ['h100-8x'];

/** What is ordered for a cluster. */
interface AcmePlan {
  readonly region: string | undefined;
  readonly version: string | undefined;
  readonly pools: readonly Pick<DeclaredPool, 'name' | 'machine' | 'nodes' | 'labels' | 'taints'>[];
}

/**
 * Creates clusters on the platform.
 *
 * @param platform the provider of the management cluster
 * @param authority the certificate by which those of all clusters are signed, in base64
 */
export function acme(platform: Provider, authority: string): Cloud<AcmePlan> {
  return {
    source: 'acme',
    *check(cluster, fleet) {
      const { region = 'no region' } = cluster.spec.cluster.custom ?? {};
      if (!REGIONS.includes(region)) {
        yield problem(['region'], `'${region}' is not a region of acme`, `Use one of ${REGIONS.join(', ')}`);
      }
      for (const {
        name,
        machine = 'no machine',
        nodes,
        class: { metadata },
      } of listDeclaredPools(cluster, fleet)) {
        if (!MACHINES.includes(machine)) {
          const what = `pool ${name} has the class ${metadata.name} with '${machine}', which acme does not have`;
          yield problem(['cloud'], what, `Set from of the class to one of ${MACHINES.join(', ')}`);
        }
        if (nodes.min < nodes.max) {
          yield problem(['cloud'], `pool ${name} is autoscaled, and acme has no autoscaler`, 'Remove maxNodeCount');
        }
      }
    },
    plan: (cluster, fleet) => ({
      region: cluster.spec.cluster.custom?.region,
      version: cluster.spec.cluster.custom?.kubernetesVersion,
      pools: listDeclaredPools(cluster, fleet).map(({ name, machine, nodes, labels, taints }) => {
        return { name, machine, nodes, labels, taints };
      }),
    }),
    make: (plan, options) => makeCluster(plan, options, { platform, authority }),
  };
}

function problem(field: readonly string[], message: string, hint: string): CloudProblem {
  return { path: ['spec', 'cluster', 'custom', ...field], message, hint };
}

function makeCluster(
  { region, version, pools }: AcmePlan,
  { name, parent }: CloudOptions,
  { platform, authority }: { readonly platform: Provider; readonly authority: string },
): Cluster {
  const home = new ComponentResource('acme:index:Cluster', name, {}, { parent });
  const order = (kind: string, id: string, spec: object, after: CustomResource[]): CustomResource =>
    new CustomResource(
      id,
      {
        apiVersion: API,
        kind,
        // Pulumi waits until the platform has built it.
        metadata: { name: id, namespace: NAMESPACE, annotations: { 'pulumi.com/waitFor': 'condition=Ready' } },
        spec,
      },
      { parent: home, provider: platform, dependsOn: after },
    );
  const cluster = order('Cluster', name, { region, version }, []);
  const nodes = pools.map((pool) => order('NodePool', `${name}-${pool.name}`, { cluster: name, ...pool }, [cluster]));
  const kubeconfig = formatKubeconfig(name, `https://${name}.clusters.acme.example:6443`, authority);
  return new ExistingCluster(
    name,
    { kubeconfig, identity: `acme/${region}/${name}`, dependencies: nodes },
    { parent: home },
  );
}

/** A kubeconfig without a token: the command line of the platform gets one for the user who runs it. */
function formatKubeconfig(name: string, server: string, authority: string): string {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'acme',
    args: ['token', '--cluster', name],
    interactiveMode: 'Never',
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name, user: { exec } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
