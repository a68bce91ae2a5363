import { Database, readListing } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AccessNode, type NewAccessNode } from './access-node.entity.js';
import type { SettableFields } from './access-node.js';
import {
  type AccessNodeFilters,
  accessNodeListing,
  findByReference,
  findNodes,
  insertNode,
  lockRelationsOf,
  type NamedNode,
  selectNode,
  type ShownNode,
  updateNode,
  updateNodes,
} from './access-node.sql.js';

/** Longer than for a single node, in milliseconds, because other bulk work on the same relations may run first. */
export const MAX_BULK_MS = 60_000;

@Injectable()
export class AccessNodesRepository {
  constructor(
    @InjectRepository(AccessNode) private readonly nodes: Repository<AccessNode>,
    private readonly database: Database,
  ) {}

  /**
   * @param isRegistered whether the tenant must have created the relation
   * @returns `undefined` if the tenant must have created the relation but has not
   */
  async insert(node: NewAccessNode, isRegistered: boolean): Promise<ShownNode | undefined> {
    const [stored] = await this.database.run<ShownNode>(insertNode(node, isRegistered));
    return stored;
  }

  async read(tenant: string, nodeId: string): Promise<ShownNode | undefined> {
    const [node] = await this.database.run<ShownNode>(selectNode(tenant, nodeId));
    return node;
  }

  /** The node as stored. */
  find(tenant: string, nodeId: string): Promise<AccessNode | null> {
    return this.nodes.findOneBy({ tenant, node_id: nodeId });
  }

  /**
   * @param versions the versions at which the node may be changed; any if absent
   * @returns `undefined` if there is no such node at any of these versions
   */
  async update(tenant: string, nodeId: string, changes: Partial<SettableFields>, versions?: number[]): Promise<ShownNode | undefined> {
    const [node] = await this.database.run<ShownNode>(updateNode(tenant, nodeId, changes, versions));
    return node;
  }

  /**
   * Changes several nodes in one transaction; with a dry run, only reads them.
   *
   * @param check throws, so that nothing is changed, if nodes are missing
   */
  updateMany(
    tenant: string,
    ids: readonly string[],
    changes: Partial<SettableFields>,
    isDryRun: boolean,
    check: (nodes: readonly NamedNode[]) => void,
  ): Promise<readonly NamedNode[]> {
    return this.database.transaction(
      async (run) => {
        if (!isDryRun) await run(lockRelationsOf(tenant, ids));
        const nodes = await run<NamedNode>(findNodes(tenant, ids, changes, !isDryRun));
        check(nodes);
        const different = nodes.filter(({ differs }) => differs).map(({ node_id }) => node_id);
        if (!isDryRun && different.length > 0) await run(updateNodes(tenant, different, changes));
        return nodes;
      },
      { statementTimeoutMs: MAX_BULK_MS },
    );
  }

  /** @returns whether the node existed at one of these versions */
  async delete(tenant: string, nodeId: string, versions?: number[]): Promise<boolean> {
    const { affected } = await this.nodes.delete({ tenant, node_id: nodeId, ...(versions && { version: In(versions) }) });
    return affected === 1;
  }

  list(tenant: string, filters: AccessNodeFilters, page: PageRequest): Promise<PageRows> {
    return readListing(this.database, accessNodeListing(tenant, filters), page);
  }

  async findByReference({ tenant, relation_id, collection }: AccessNode | NewAccessNode, reference: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ node_id: string }>(findByReference(tenant, relation_id, collection, reference));
    return row?.node_id;
  }
}
