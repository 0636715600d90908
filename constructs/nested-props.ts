import type { Device } from './props/inference-class';
import type { NodePool } from './props/inference-cluster';
import type { Engine, Member, NodeSelector } from './props/model-deployment';

/**
 * A kind of device of a class, and its number on a node.
 *
 * @example
 * const gpu: DeviceProps = { name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 };
 */
export type DeviceProps = Device;

/**
 * A pool of a cluster. Its size is the number of nodes over all zones.
 *
 * @example
 * const pool: NodePoolProps = { name: 'h100', className: 'h100', nodeCount: 2 };
 */
export type NodePoolProps = NodePool;

/** An engine of a replica: one Standalone member, or a Leader and a Worker. */
export type EngineProps = Engine;

/** A group of pods of an engine with the same template. */
export type MemberProps = Member;

/**
 * The devices that each pod of a member claims.
 *
 * @example
 * const one: NodeSelectorProps = { devices: [{ name: 'gpu', count: 1, selectors: [{ cel: 'true' }] }] };
 */
export type NodeSelectorProps = NodeSelector;
