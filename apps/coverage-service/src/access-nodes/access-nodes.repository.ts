import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AccessNode, type NewAccessNode } from './access-node.entity.js';
import type { SettableFields } from './access-node.js';
import { findByReference, findNodes, lockRelationsOf, type NamedNode, updateNodes } from './access-node.sql.js';

/** Longer than for a single node, in milliseconds, because other bulk work on the same relations may run first. */
export const MAX_BULK_MS = 60_000;

@Injectable()
export class AccessNodesRepository {
  constructor(
    @InjectRepository(AccessNode) private readonly nodes: Repository<AccessNode>,
    private readonly database: Database,
  ) {}

  /** The node as stored. */
  find(tenant: string, nodeId: string): Promise<AccessNode | null> {
    return this.nodes.findOneBy({ tenant, node_id: nodeId });
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

  async findByReference({ tenant, relation_id, collection }: AccessNode | NewAccessNode, reference: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ node_id: string }>(findByReference(tenant, relation_id, collection, reference));
    return row?.node_id;
  }
}
