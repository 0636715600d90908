import { Workspace } from '../cli/cli';
import { type Answers, FakeApi } from '../cli/fake-api';

const TOKEN = { token: 'SECRET' };

/** A fleet in a folder, and the API of its cluster, which a stack asks. New for each test. */
export class AskedCluster {
  work!: Workspace;
  api!: FakeApi;
  warned!: jest.SpyInstance;

  constructor(fleet: string) {
    beforeEach(() => {
      // There is no engine to take what is logged.
      this.warned = jest.spyOn(console, 'warn').mockImplementation();
      this.work = new Workspace().write({ 'fleet/fleet.yaml': fleet });
    });
    afterEach(() => {
      jest.restoreAllMocks();
      this.api.stop();
      this.work.remove();
    });
  }

  /** Starts the API, and returns its kubeconfig. */
  async serve(answers: Answers): Promise<string> {
    this.api = await FakeApi.start(answers);
    return this.api.kubeconfig(TOKEN);
  }

  /** The kubeconfig of a cluster that does not answer. */
  unreachable(): string {
    return this.api.kubeconfig(TOKEN).replace(/:\d+"/, ':1"');
  }

  /** What was logged, which never has the token. */
  warnings(): string {
    const said = this.warned.mock.calls.flat().join('\n');
    expect(said).not.toContain(TOKEN.token);
    return said;
  }
}
