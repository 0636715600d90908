import type { Workspace } from './cli';

/** What an H100 and others publish, as selectors read it. */
export const MEMORY = 'device.capacity["gpu.nvidia.com"].memory';
export const GPU = 'device.attributes["gpu.nvidia.com"]';

export interface Warned {
  /** Classes by the name of their pool: what stands below spec. Default: eight H100. */
  classes?: Record<string, string>;
  /** What stands in the request beside name and count. */
  request: string;
  /** Annotations of the deployment. */
  annotations?: string;
  region?: string;
}

/** A cluster with a pool a class, and a deployment of one GPU. */
export function write(
  work: Workspace,
  { classes = { h100: 'from: aws/p5.48xlarge' }, request, annotations = '{}', region = 'us-east-1' }: Warned,
): void {
  const pools = Object.keys(classes).map(
    (name) => `    - { name: ${name}, className: ${name}, zones: [${region}a] }\n`,
  );
  const declared = Object.entries(classes).map(
    ([name, spec]) => `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: ${name} }
spec:
  ${spec}
---
`,
  );
  work.write({
    'fleet.yaml': `${declared.join('')}apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: us }
spec:
  cluster: { source: EKS, eks: { region: ${region} } }
  nodePools:
${pools.join('')}---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: q, namespace: ml, annotations: ${annotations} }
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    ${request}
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B] }] } }
`,
  });
}

/** A request with selectors in CEL. */
export const cel = (...expressions: string[]): string =>
  `selectors: [${expressions.map((one) => `{ cel: ${JSON.stringify(one)} }`).join(', ')}]`;

/** The warnings of the plan with their excerpts, without places. */
export function warned(work: Workspace): string[] {
  const { warnings } = JSON.parse(work.run('plan ./fleet.yaml --json').out) as {
    warnings: {
      code: string;
      what: string;
      hint?: string;
      excerpt?: { line: string; column: number; width: number };
    }[];
  };
  return warnings.map(({ code, what, hint, excerpt }) => {
    const marked = excerpt ? ` <${excerpt.line.slice(excerpt.column - 1, excerpt.column - 1 + excerpt.width)}>` : '';
    return `${code}: ${what}. ${hint}.${marked}`;
  });
}

/** Eight H100, and eight H200. */
export const BOTH = { h100: 'from: aws/p5.48xlarge', h200: 'from: aws/p5en.48xlarge' };

/** What the box of an H100 says that it has. */
export const AT_80 = `${MEMORY}.compareTo(quantity("80Gi")) >= 0`;
