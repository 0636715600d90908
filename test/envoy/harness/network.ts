import { execFileSync, spawn } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { track } from '../../kubernetes/harness/shutdown';
import { until } from '../../kubernetes/harness/until';

/**
 * The network of a run: a bridge with the addresses of users, engines and providers, and behind it one network a
 * gateway, as a pod has. Addresses are of the range for benchmarks, which no real network has.
 */
export class Network {
  readonly #names: Name[] = [];
  #nodes = 0;
  #addresses = 0;

  /** @param folder where the tables of names are written */
  constructor(readonly folder: string) {
    ip('link set lo up');
    ip(`link add name ${BRIDGE} type bridge`);
    ip(`addr add ${HOME}/16 dev ${BRIDGE}`);
    ip(`link set ${BRIDGE} up`);
    this.#write(EVERYWHERE);
    execFileSync('mount', ['--bind', this.hosts(), '/etc/hosts']);
    // Envoys keep memory there by number, also those of other runs.
    execFileSync('mount', ['-t', 'tmpfs', 'none', '/dev/shm']);
  }

  /** An address on this side of the bridge, for an engine. */
  address(): string {
    const n = this.#addresses++;
    const address = `198.18.${2 + Math.floor(n / 200)}.${1 + (n % 200)}`;
    ip(`addr add ${address}/16 dev ${BRIDGE}`);
    return address;
  }

  /** A network of its own behind the bridge, for a gateway. It lasts as long as the run. */
  async node(): Promise<Node> {
    const number = ++this.#nodes;
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { detached: true, stdio: 'ignore' });
    track(holder);
    const net = `/proc/${holder.pid}/ns/net`;
    await until('a network of its own is there', () => readlinkSync(net) !== readlinkSync('/proc/self/ns/net'), 10_000);
    const address = `198.18.1.${number}`;
    ip(`link add name port${number} type veth peer name eth0 netns ${holder.pid}`);
    ip(`link set port${number} master ${BRIDGE} up`);
    const node = { number, address, enter: ['nsenter', `--net=${net}`] };
    for (const command of ['link set lo up', `addr add ${address}/16 dev eth0`, 'link set eth0 up']) {
      const [first = '', ...rest] = [...node.enter, 'ip', ...command.split(' ')];
      execFileSync(first, rest);
    }
    return node;
  }

  /**
   * Makes a name resolve to an address.
   *
   * @param cluster where it does: names of Services are those of their cluster. Default: everywhere
   */
  name(name: string, address: string, cluster = EVERYWHERE): void {
    this.#names.push({ name, address, cluster });
    for (const one of new Set(this.#names.map(({ cluster }) => cluster))) this.#write(one);
  }

  /** The table of names of a cluster. */
  hosts(cluster = EVERYWHERE): string {
    return join(this.folder, `hosts.${cluster}`);
  }

  /** In place: what is mounted is this very file. */
  #write(cluster: string): void {
    const known = this.#names.filter((one) => one.cluster === EVERYWHERE || one.cluster === cluster);
    const lines = known.map(({ name, address }) => `${address} ${name}\n`);
    writeFileSync(this.hosts(cluster), `127.0.0.1 localhost\n${lines.join('')}`);
  }
}

interface Name {
  readonly name: string;
  readonly address: string;
  readonly cluster: string;
}

const EVERYWHERE = 'all';

/** The address of users and providers. */
export const HOME = '198.18.0.1';

const BRIDGE = 'hub';

/** A network behind the bridge. */
export interface Node {
  readonly number: number;
  readonly address: string;

  /** The beginning of a command that runs there. */
  readonly enter: readonly string[];
}

function ip(command: string): void {
  execFileSync('ip', command.split(' '), { stdio: ['ignore', 'ignore', 'inherit'] });
}
