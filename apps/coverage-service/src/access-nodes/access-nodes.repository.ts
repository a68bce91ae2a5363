import { Database, type Run, type Statement } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AccessNode, type NewAccessNode } from './access-node.entity.js';
import type { SettableFields } from './access-node.js';
import { deleteNodes, findByReference, findNodes, lockRelationsOf, type NamedNode, updateNodes } from './access-node.sql.js';

/** Longer than for a single node, in milliseconds, because other bulk work on the same relations may run first. */
export const MAX_BULK_MS = 60_000;

type CheckNodes = (nodes: readonly NamedNode[]) => void;

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
    actor: string | null,
    ids: readonly string[],
    changes: Partial<SettableFields>,
    isDryRun: boolean,
    check: CheckNodes,
  ): Promise<readonly NamedNode[]> {
    return this.changeMany(tenant, ids, changes, isDryRun, check, (nodes) => {
      const different = nodes.filter(({ differs }) => differs).map(({ node_id }) => node_id);
      return different.length > 0 ? updateNodes(tenant, actor, different, changes) : undefined;
    });
  }

  /** Deletes several nodes like {@link updateMany}. */
  deleteMany(tenant: string, ids: readonly string[], isDryRun: boolean, check: CheckNodes): Promise<readonly NamedNode[]> {
    return this.changeMany(tenant, ids, {}, isDryRun, check, () => deleteNodes(tenant, ids));
  }

  async findByReference({ tenant, relation_id, collection }: AccessNode | NewAccessNode, reference: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ node_id: string }>(findByReference(tenant, relation_id, collection, reference));
    return row?.node_id;
  }

  private changeMany(
    tenant: string,
    ids: readonly string[],
    changes: Partial<SettableFields>,
    isDryRun: boolean,
    check: CheckNodes,
    change: (nodes: readonly NamedNode[]) => Statement | undefined,
  ): Promise<readonly NamedNode[]> {
    const work = async (run: Run): Promise<readonly NamedNode[]> => {
      if (!isDryRun) await run(lockRelationsOf(tenant, ids));
      const nodes = await run<NamedNode>(findNodes(tenant, ids, changes, !isDryRun));
      check(nodes);
      const write = isDryRun ? undefined : change(nodes);
      if (write) await run(write);
      return nodes;
    };
    const options = { statementTimeoutMs: MAX_BULK_MS };
    return isDryRun ? this.database.transaction(work, options) : this.database.change(tenant, work, options);
  }
}
