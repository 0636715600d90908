/**
 * What Kubernetes makes of a command, an argument or the value of a variable: `$(NAME)` is a variable that stands
 * before, `$$` is `$`, and the rest stays (third_party/forked/golang/expansion in k8s.io/kubernetes).
 */
export function expand(text: string, variables: Readonly<Record<string, string>> = {}): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
    return name === undefined ? '$' : (variables[name] ?? found);
  });
}
