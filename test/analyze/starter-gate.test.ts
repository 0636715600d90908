import { Workspace } from '../cli/cli';

test.each([
  ['', true],
  [' --gitops flux', true],
  [' --gitops argocd', false],
])('init%s: the check of pull requests assumes that replicas are replaced at once: %j', (flags, atOnce) => {
  for (const [ci, path] of [
    ['github', '.github/workflows/fleet.yaml'],
    ['gitlab', '.gitlab-ci.yml'],
  ] as const) {
    const space = new Workspace();
    const { code, err } = space.run(`init ./new --yes --clouds existing --gpus h100 --ci ${ci}${flags}`);
    expect([code, err]).toEqual([0, '']);
    const text = space.read(`new/${path}`);
    expect(text).toContain('--gate');
    expect(text.includes('--no-waves')).toBe(atOnce);
  }
});
