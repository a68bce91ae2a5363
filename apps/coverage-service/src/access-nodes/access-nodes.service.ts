import { Database, isCheckViolation, isUniqueViolation, readListing } from '@fibre/database';
import { type Conditions, isEmptyPatch } from '@fibre/dto';
import { found, invalidRequest } from '@fibre/problems';
import { type Page, readPage } from '@fibre/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import type { AccessNode, NewAccessNode } from './access-node.entity.js';
import { type Collection, DEFAULT_STATUS, type SettableFields } from './access-node.js';
import { customerReferenceTaken, nodesNotFound } from './access-node.problems.js';
import type { ListAccessNodesQuery } from './access-node-filters.requests.js';
import type {
  CreateAccessNodeRequest,
  DeleteAccessNodesByIdsRequest,
  UpdateAccessNodeRequest,
  UpdateAccessNodesRequest,
} from './access-node.requests.js';
import type { DeletedNodesResponse, UpdatedNodesResponse } from './access-node.response.js';
import { accessNodeListing } from './access-node-filters.sql.js';
import { deleteNode, findUnchanged, insertNode, type NamedNode, selectNode, type ShownNode, updateNode } from './access-node.sql.js';
import { AccessNodesRepository } from './access-nodes.repository.js';
import { UNITS_CHECK, unitsFaults } from '../node-rules/connected-units.js';
import { platformFaults, requireAddressId } from '../node-rules/platform-rules.js';
import { relationNotRegistered } from '../relation-locks/registered-relations.js';

/** Rules for access nodes. Every method sees only the records of the tenant passed to it. */
@Injectable()
export class AccessNodesService {
  constructor(
    private readonly database: Database,
    private readonly repository: AccessNodesRepository,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {}

  /** @throws Problem 409 `customer-reference-taken`, 422 against the rules of the platform or of units, or in an unregistered relation */
  async create(tenant: string, actor: string | null, collection: Collection, request: CreateAccessNodeRequest): Promise<ShownNode> {
    requireValid([...platformFaults(this.env, request), ...unitsFaults(request)]);
    const { center, status, ...fields } = request;
    const assigned = { node_id: uuidv7(), tenant, collection, created_by: actor, modified_by: actor };
    const node: NewAccessNode = { ...fields, ...center, status: status ?? DEFAULT_STATUS, ...assigned };
    const isRegistered = this.env.RELATIONS === 'registered';
    const [created] = await this.database
      .write<ShownNode>(tenant, insertNode(node, isRegistered))
      .catch((error: unknown) => this.nameConflict(error, node, node.customer_reference));
    if (!created) throw relationNotRegistered();
    return created;
  }

  /** @throws Problem 404 */
  async read(tenant: string, nodeId: string): Promise<ShownNode> {
    const [node] = await this.database.run<ShownNode>(selectNode(tenant, nodeId));
    return found(node, 'access node', nodeId);
  }

  list(tenant: string, query: ListAccessNodesQuery): Promise<Page> {
    requireAddressId(this.env, query.address_id);
    const { _page_size, _page_cursor, _order, ...filters } = query;
    return readPage(query, `access-nodes of ${tenant}`, filters, (page) =>
      readListing(this.database, accessNodeListing(tenant, filters), page),
    );
  }

  /** @throws Problem 404, 409 `customer-reference-taken`, 412, 422 against the rules of the platform or of units */
  update(
    tenant: string,
    actor: string | null,
    nodeId: string,
    request: UpdateAccessNodeRequest,
    conditions: Conditions,
  ): Promise<ShownNode> {
    const changes = this.changesOf(request);
    const write = async (versions?: number[]): Promise<ShownNode | undefined> => {
      const [node] = await this.database
        .write<ShownNode>(tenant, updateNode(tenant, actor, nodeId, changes, versions))
        .catch(async (error: unknown) => {
          if (!isUniqueViolation(error) && !isCheckViolation(error, UNITS_CHECK)) throw error;
          const stored = found(await this.repository.find(tenant, nodeId), 'access node', nodeId);
          if (isUniqueViolation(error)) return this.nameConflict(error, stored, changes.customer_reference);
          requireValid(unitsFaults({ ...stored, ...changes }));
          // Its units were changed in the meantime, and the update may now fit.
          return [await write(versions)];
        });
      if (node) return node;
      const [unchanged] = await this.database.run<ShownNode>(findUnchanged(tenant, nodeId, changes, versions));
      return unchanged;
    };
    return conditions.change('access node', () => this.read(tenant, nodeId), isEmptyPatch(changes) ? undefined : write);
  }

  /**
   * Changes several nodes, or none.
   *
   * @returns how many were changed, and how many already had these values
   * @throws Problem 422 against the rules of the platform or of units, or `nodes-not-found`
   */
  async updateMany(
    tenant: string,
    actor: string | null,
    { node_ids, set }: UpdateAccessNodesRequest,
    isDryRun: boolean,
  ): Promise<UpdatedNodesResponse> {
    const changes = this.changesOf(set, '#/set');
    const nodes = await this.repository.updateMany(tenant, actor, [...new Set(node_ids)], changes, isDryRun, (named) => {
      requireAll(node_ids)(named);
      requireUnits(node_ids, named, changes);
    });
    const updated = nodes.filter(({ differs }) => differs).length;
    return { updated, unchanged: nodes.length - updated };
  }

  /**
   * Deletes several nodes, or none.
   *
   * @throws Problem 422 `nodes-not-found`
   */
  async deleteMany(tenant: string, { node_ids }: DeleteAccessNodesByIdsRequest, isDryRun: boolean): Promise<DeletedNodesResponse> {
    const nodes = await this.repository.deleteMany(tenant, [...new Set(node_ids)], isDryRun, requireAll(node_ids));
    return { deleted: nodes.length };
  }

  /** @throws Problem 404, 412 */
  async delete(tenant: string, nodeId: string, conditions: Conditions): Promise<void> {
    const remove = async (versions?: number[]): Promise<boolean> =>
      (await this.database.write(tenant, deleteNode(tenant, nodeId, versions))).length > 0;
    await conditions.change('access node', () => this.read(tenant, nodeId), remove);
  }

  private changesOf(request: UpdateAccessNodeRequest, pointer?: string): Partial<SettableFields> {
    const { units, units_connected } = request;
    // With only one of them, the stored node decides.
    const areBothGiven = units !== undefined && units_connected !== undefined;
    requireValid([...platformFaults(this.env, request), ...(areBothGiven ? unitsFaults(request) : [])], pointer);
    const { center, status, ...fields } = request;
    return { ...fields, ...center, ...(status !== undefined && { status: status ?? DEFAULT_STATUS }) };
  }

  private async nameConflict(error: unknown, node: AccessNode | NewAccessNode, reference: string | null | undefined): Promise<never> {
    if (!isUniqueViolation(error) || reference == null) throw error;
    throw customerReferenceTaken(reference, await this.repository.findByReference(node, reference));
  }
}

/** @throws Problem 422 that names these fields */
function requireValid(faults: readonly { field: string; detail: string; hint?: string }[], pointer = '#'): void {
  if (faults.length === 0) return;
  const errors = faults.map(({ field, detail }) => ({ pointer: `${pointer}/${field}`, detail }));
  throw invalidRequest(errors, faults.find(({ hint }) => hint)?.hint);
}

/** @throws Problem 422 that names the ids of nodes whose units the changes do not fit */
function requireUnits(ids: readonly string[], nodes: readonly NamedNode[], changes: Partial<SettableFields>): void {
  const faults = new Map(nodes.map((node) => [node.node_id, unitsFaults({ ...node, ...changes })]));
  const errors = ids.flatMap((id, index) =>
    faults.get(id)!.map(({ field, detail }) => ({ pointer: `#/node_ids/${index}`, detail: `${field} ${detail}` })),
  );
  if (errors.length > 0) throw invalidRequest(errors);
}

/** A check of the nodes that were found. @throws Problem 422 that names the ids without a node */
const requireAll =
  (ids: readonly string[]) =>
  (nodes: readonly NamedNode[]): void => {
    const known = new Set(nodes.map(({ node_id }) => node_id));
    if (ids.some((id) => !known.has(id))) throw nodesNotFound(ids, known);
  };
