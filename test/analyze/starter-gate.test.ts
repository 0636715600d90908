import { Workspace } from '../cli/cli';

test.each([
  ['', '--no-waves'],
  [' --gitops flux', '--no-waves'],
  [' --gitops argocd', '--independent-clusters'],
])('init%s: the check of pull requests counts what serves with that tool: %s', (flags, want) => {
  for (const [ci, path] of [
    ['github', '.github/workflows/fleet.yaml'],
    ['gitlab', '.gitlab-ci.yml'],
  ] as const) {
    const space = new Workspace();
    const { code, err } = space.run(`init ./new --yes --clouds existing --gpus h100 --ci ${ci}${flags}`);
    expect([code, err]).toEqual([0, '']);
    const text = space.read(`new/${path}`);
    expect(text.match(/--gate( --[a-z-]+)?/)?.[1]?.trim()).toBe(want);
  }
});
